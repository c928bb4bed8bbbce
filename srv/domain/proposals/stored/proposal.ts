import { hash } from 'node:crypto'
import cds from '@sap/cds'
import type * as Model from '#cds-models/restock'
import { ENGINE_VERSION } from '../../../../engine/index.ts'
import type {
  Calculation,
  CallOff as EngineCallOff,
  Contract,
  FreeFreightTerm,
} from '../../../../engine/proposal/index.ts'
import type { Row } from '../../../base/database/entities.ts'

export type ProposalRow = Row<Model.Proposal>

type NumberName = Exclude<keyof Row<Model.Calculation>, 'drivers' | 'further'>
export type NumberColumn = `calculation_${NumberName}`
export type CalculationColumn = NumberColumn | 'calculation_drivers' | 'calculation_further'

/** Elements that are never null. */
type Given =
  | (
      | 'ID'
      | 'urgency'
      | 'kind'
      | 'sku'
      | 'location'
      | 'rationale'
      | 'status'
      | 'orderBy'
      | 'version'
    )
  | ('createdAt' | 'updatedAt' | 'expiresAt' | 'touched' | 'series' | 'quantity')

/** Elements that are answered in another shape, or not at all. */
type Other =
  | (CalculationColumn | 'source_ID' | 'source' | 'urgencyRank' | 'unitCost' | 'value')
  | (
      | 'valueAtRisk'
      | 'newer'
      | 'recommendation'
      | 'toSeries'
      | 'toStatus'
      | 'toUrgency'
      | 'toConfidence'
    )
  | ('toReason' | 'successor' | 'events' | 'decisions')

type Elements = { [Name in Given]: NonNullable<ProposalRow[Name]> } & Omit<
  ProposalRow,
  Given | Other
>

/** A proposal for every door: JSON is parsed, and the calculation has the type of the engine. */
export interface Proposal extends Elements {
  source: number
  /** Money as decimal strings. */
  unitCost: string | null
  value: string | null
  /** The cost of waiting until the next review; null if no unit cost is known. */
  valueAtRisk: string | null
  calculation: Calculation
  /** What a later run would propose instead of a person's quantity; null while that is the same. */
  newer: NewerCalculation | null
  /** What a key recommends to whoever decides; null once somebody has. */
  recommendation: Recommendation | null
  /** For doors that show them. */
  orderUnits?: OrderUnits
  /** The contract that it calls off from. */
  callOff?: CallOff | null
  /** Where it calls off from none over a quantity: the one over money that holds for it. */
  valueContract?: ValueContract | null
}

/** What an order may be placed against, which bounds no quantity: what is left of it is what the ERP says. */
export interface ValueContract {
  document: string
  line: string
  due: string | null
  agreedValue: string
  remainingValue: string
  /** Null: that of the proposal. */
  currency: string | null
}

/** How an order is called off from a contract of the ERP. */
export type CallOff = EngineCallOff<
  Contract & {
    /** All that was agreed. */
    quantity: number
    /** Of a base unit; null where the contract names no price. */
    unitCost: string | null
    /** Null: that of the proposal. */
    currency: string | null
  }
>

/** A decision that a key has drafted for a person. */
export interface Recommendation {
  action: 'approve' | 'reject'
  /** Of an approval. */
  quantity: number | null
  /** Of a rejection. */
  reason: string | null
  comment: string
  /** The key's id. */
  key: string
  /** The key's name. */
  by: string
  /** The version of the proposal that it is about. */
  version: number
  at: string
}

/** What a proposal's quantity is in the unit of its supplier. */
export interface OrderUnits {
  /** The base unit. */
  unit: string | null
  /** Null where the ERP names none, or the quantity is no exact decimal of it: then it is ordered in base units. */
  orderUnit: string | null
  unitsPerOrderUnit: number
  /** An exact decimal of three places at most. */
  orderQuantity: string
  /** Of one order unit, a decimal. */
  orderPrice: string | null
  supplierSku: string | null
}

/** A calculation that is newer than the one that a person has decided about. */
export interface NewerCalculation {
  /** 0 if nothing is needed any more. */
  quantity: number
  calculation: Calculation
  at: string
}

/** All that a decision was based on, complete in itself. */
export interface StoredEvidence extends Pick<
  Proposal,
  | ('version' | 'sku' | 'location' | 'supplier' | 'quantity' | 'unitCost' | 'value' | 'currency')
  | ('urgency' | 'reason' | 'calculation')
> {
  /** The version of the formula. */
  formula: number
  proposal: number
  event: string
  at: string
  by: string
  onBehalfOf: string | null
  via: string
  /** The API key that was used. */
  key: string | null
  /** The status before. */
  from: string
  comment: string | null
  /** The inputs of the calculation; null if it was made before they were stored. */
  basis: object | null
  /** The engine's version at the time of the decision. */
  engineVersion: string
}

/** A decision with its calculation repeated from the evidence. */
export interface DecisionEvidence extends StoredEvidence {
  lines: FormulaLine[]
  replayedQuantity: number
}

/** The calculation of a proposal line by line, and each decision with its own. */
export interface Evidence {
  proposal: Proposal
  basis: StoredEvidence['basis']
  lines: FormulaLine[]
  decisions: DecisionEvidence[]
}

// The formula of a quantity, written down apart from the engine: a later engine must not change what an earlier decision was
// based on.

/** A line of the formula: its name, its inputs and its result. */
export interface FormulaLine {
  term: string
  formula: string
  value: number
}

/** A changed formula gets the next number; the old one stays, to explain older evidence. */
export const FORMULA_VERSION = 1

const exact = (units: number) => Math.round(units * 1e6) / 1e6 || 0
const ceilTo = (units: number, step: number) => Math.ceil((units - 1e-6) / step) * step
const floorTo = (units: number, step: number) => Math.floor((units + 1e-6) / step) * step

/** The least whole number that is a multiple of the lot size. */
function stepOf(lotSize: number): number {
  for (let lots = 1; lots <= 20; lots++) {
    const whole = Math.round(lots * lotSize)
    if (whole >= 1 && Math.abs(lots * lotSize - whole) <= 1e-9 * whole) return whole
  }
  return 1
}

/** The formula line by line; the last line is the quantity. */
export function formulaOf(calculation: Calculation): FormulaLine[] {
  const { targetStock, onHand, onOrder, openProposals, moq, lotSize, limit } = calculation
  const { leadTimeSafety, beyondHorizon, coveredLater, lostBeforeArrival } = calculation
  const { backorders, reserved, expiring, inInspection, drafts, supplierMinimum } = calculation
  const lines: FormulaLine[] = [
    {
      term: 'target_stock',
      formula: `P${Math.round(calculation.targetQuantile * 100)} of demand over ${calculation.horizonDays} days`,
      value: targetStock,
    },
  ]
  const terms: [string, number | undefined, 1 | -1][] = [
    ['lead_time_safety', leadTimeSafety, 1],
    ['beyond_horizon', beyondHorizon, 1],
    ['covered_later', coveredLater, -1],
    ['lost_before_arrival', lostBeforeArrival, -1],
    ['backorders', backorders, 1],
    ['reserved', reserved, 1],
    ['expiring', expiring, 1],
    ['on_hand', onHand, -1],
    ['on_order', onOrder, -1],
    ['in_inspection', inInspection, -1],
    ['drafts', drafts, -1],
    ['open_proposals', openProposals, -1],
  ]
  const used = terms.filter(([, value]) => value !== undefined)
  for (const [term, value, sign] of used) {
    lines.push({ term, formula: sign > 0 ? 'added' : 'less', value: value! })
  }
  const sum = used.reduce((total, [, value, sign]) => total + sign * value!, targetStock)
  const net = Math.max(0, exact(sum))
  lines.push({ term: 'net_requirement', formula: 'max(0, the sum)', value: net })
  const step = stepOf(lotSize)
  let quantity = net > 0 ? ceilTo(Math.max(net, moq), step) : 0
  lines.push({
    term: 'rounded',
    formula: `at least ${moq} (moq), in multiples of ${lotSize} (lot_size)`,
    value: quantity,
  })
  if (limit !== undefined && quantity > 0) {
    quantity = within(quantity, limit, moq, step)
    lines.push({ term: 'limited', formula: `at most ${limit}`, value: quantity })
  }
  const { priceBreak, freeFreight } = calculation
  if (priceBreak) {
    quantity += priceBreak.units
    lines.push({ term: 'price_break', formula: priceBreakText(priceBreak), value: quantity })
  }
  if (supplierMinimum) {
    quantity += supplierMinimum
    const formula = `${supplierMinimum} added for the supplier's whole order`
    lines.push({ term: 'supplier_minimum', formula, value: quantity })
  }
  if (freeFreight) {
    quantity += freeFreight.units
    lines.push({ term: 'free_freight', formula: freeFreightText(freeFreight), value: quantity })
  }
  lines.push({ term: 'quantity', formula: 'what was proposed', value: quantity })
  return lines
}

const priceBreakText = (term: NonNullable<Calculation['priceBreak']>) =>
  `${term.units} added for ${term.unitCost} instead of ${term.unitCostBefore} from ${term.from}: ` +
  `saves ${term.saving}, carrying costs ${term.carryingCost}`

const freeFreightText = ({ units, freightCost, from, carryingCost }: FreeFreightTerm) =>
  `${units} brought forward to save ${freightCost} of freight below ${from}: carrying costs ${carryingCost}`

/** A limit cuts to whole lots; below the minimum nothing can be ordered. */
function within(quantity: number, limit: number, moq: number, step: number): number {
  if (quantity <= limit) return quantity
  const most = floorTo(limit, step)
  return most >= Math.max(step, ceilTo(moq, step)) ? most : 0
}

interface Decision {
  before: Proposal
  after: Proposal
  event: string
  at: string
  by: string
  onBehalfOf: string | null
  via: string
  comment: string | null
}

export function evidenceOf({ before, after, ...decision }: Decision): StoredEvidence {
  const { ID, version, sku, location, supplier, quantity, urgency, calculation } = after
  const { unitCost, value, currency, reason, basis } = after
  const key = (cds.context?.user?.attr as { key?: string } | undefined)?.key ?? null
  return {
    formula: FORMULA_VERSION,
    proposal: ID,
    version,
    ...decision,
    key,
    from: before.status,
    ...{ sku, location, supplier, quantity, unitCost, value, currency, urgency },
    reason: reason ?? null,
    basis: basis ? (JSON.parse(basis) as StoredEvidence['basis']) : null,
    calculation,
    engineVersion: ENGINE_VERSION,
  }
}

/** The text that is stored, and its SHA-256 in hex, which the audit trail covers. */
export function sealedContent(content: StoredEvidence) {
  const text = JSON.stringify(content)
  return { text, digest: hash('sha256', text) }
}
