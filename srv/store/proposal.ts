import type * as Model from '#cds-models/ProposalsService'
import type { Calculation } from '../../engine/proposal/index.ts'
import type { ServiceRow } from './service-row.ts'

type Stored = ServiceRow<Model.Proposal>

/** Elements that no row is without. */
type Given =
  | 'ID'
  | 'source'
  | 'urgency'
  | 'kind'
  | 'sku'
  | 'location'
  | 'rationale'
  | 'status'
  | 'orderBy'
  | 'createdAt'
  | 'updatedAt'
  | 'expiresAt'
  | 'version'
  | 'touched'
  | 'series'
  | 'quantity'

type Elements = { [Name in Given]: NonNullable<Stored[Name]> } & Omit<Stored, Given>

/** A proposal as ProposalsService answers it; JSON is parsed, and the calculation is the engine's. */
export interface Proposal extends Omit<
  Elements,
  'unitCost' | 'value' | 'valueAtRisk' | 'calculation' | 'newer'
> {
  unitCost: string | null
  value: string | null
  /** What it costs to wait until the next review; null where no unit cost is known. */
  valueAtRisk: string | null
  calculation: Calculation
  /** What a later run would propose, where a person's quantity stands; null while that is the same. */
  newer: NewerCalculation | null
}

/** A calculation that is newer than the one that a person has decided about. */
export interface NewerCalculation {
  /** 0 where nothing is needed any more. */
  quantity: number
  calculation: Calculation
  at: string
}

type Kept<T> = Omit<ServiceRow<T>, 'calculation'> & { calculation: Calculation }

/** All that a decision was made from, with its calculation as the engine made it. */
export type StoredEvidence = Kept<Model.KeptEvidence>
export type DecisionEvidence = Kept<Model.DecisionEvidence>

export interface Evidence extends Omit<ServiceRow<Model.Evidence>, 'proposal' | 'decisions'> {
  proposal: Proposal
  decisions: DecisionEvidence[]
}
