import type { Proposal as Stored } from '#cds-models/restock'
import type { Calculation, Urgency } from '../../engine/proposal/index.ts'

/** Elements that no row is without. */
type Given =
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

/** Elements that are answered in another form than they are stored in. */
type Converted = 'ID' | 'source' | 'urgency' | 'unitCost' | 'value' | 'newer' | 'supersededBy'
type Elsewhere = 'source_ID' | 'urgencyRank' | `calculation_${string}` | `to${Capitalize<string>}`

type Elements = {
  [Name in keyof Stored as Name extends Converted | Elsewhere ? never : Name]-?: Name extends Given
    ? NonNullable<Stored[Name]>
    : Exclude<Stored[Name], undefined>
}

/** A proposal as ProposalsService answers it: restock.Proposals with numbers as numbers and money as decimal strings. */
export interface Proposal extends Elements {
  ID: number
  source: number
  unitCost: string | null
  value: string | null
  urgency: Urgency
  calculation: Calculation
  /** What a later run would propose, where a person's quantity stands; null while that is the same. */
  newer: Newer | null
  supersededBy: number | null
}

/** A calculation that is newer than the one that a person has decided about. */
export interface Newer {
  /** 0 where nothing is needed any more. */
  quantity: number
  calculation: Calculation
  at: string
}
