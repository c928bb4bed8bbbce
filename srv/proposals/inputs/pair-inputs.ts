import cds from '@sap/cds'
import type { PairPlanning } from '#cds-models/restock'
import {
  ENGINE_VERSION,
  type ForecastModel,
  parseModel,
  predictDemand,
  toDate,
} from '../../../engine/index.ts'
import type { ProposalInput } from '../../../engine/proposal/index.ts'
import type { Row } from '../../store/entities.ts'
import { toNumber } from '../../store/numbers.ts'
import { demandOf } from './demand-quantiles.ts'
import { ruledPlanning } from '../policy/planning.ts'
import { type Setting, settingOf } from './setting.ts'

const { SELECT } = cds.ql

/** What decides about one pair, besides its other proposals. */
export interface PairInputs {
  series: number
  source: number
  sku: string
  location: string
  supplier: string | null
  /** Decimal string, in `currency`. */
  unitCost: string | null
  currency: string | null
  /** The first day that its forecast is about; null without one. */
  forecastAsOf: string | null
  /** How far its forecast of so many days is to be trusted; null without one. */
  confidence: ((horizonDays: number) => string) | null
  isBought: boolean
  /** `owed` is what it gives to other locations. Null while the pair is not yet forecast, or where it is never bought. */
  input: ((openProposals: number, owed?: number) => ProposalInput) | null
}

/** What a run is limited to: the pairs of a changed rule. */
export interface Scope {
  sku?: string
  location?: string
  supplier?: string
  skuGroup?: string
}

export type PlanningRow = Row<PairPlanning>

/** The next pairs of a source in the order of their series. */
export async function nextInputs(
  source: number,
  afterSeries: number,
  limit: number,
  scope: Scope = {},
): Promise<PlanningRow[]> {
  return (await SELECT.from('restock.PairPlanning')
    .where({ ...scope, source_ID: source, ID: { '>': afterSeries } })
    .orderBy('ID')
    .limit(limit)) as PlanningRow[]
}

/** These pairs. */
export async function inputsOf(series: number[]): Promise<PlanningRow[]> {
  return (await SELECT.from('restock.PairPlanning')
    .where({ ID: { in: series } })
    .orderBy('ID')) as PlanningRow[]
}

/** A pair as it is now; undefined where the source has it no more. */
export async function inputsOfSeries(series: number): Promise<PairInputs | undefined> {
  const row = (await SELECT.one.from('restock.PairPlanning').where({ ID: series })) as
    PlanningRow | undefined
  if (!row) return undefined
  return toInputs(row, await settingOf(Number(row.source_ID), ruledOf(row)))
}

export function toInputs(row: PlanningRow, setting: Setting): PairInputs {
  const isUsable = row.model && row.purchasable && row.engineVersion === ENGINE_VERSION
  const model = isUsable ? parseModel(row.model!) : null
  return {
    series: Number(row.ID),
    source: Number(row.source_ID),
    sku: String(row.sku),
    location: String(row.location),
    unitCost: row.unitCost === null ? null : String(row.unitCost),
    currency: row.currency,
    supplier: row.supplier,
    forecastAsOf: model && toDate(model.asOf),
    confidence: model && ((horizonDays) => predictDemand(model, horizonDays).confidence),
    isBought: Boolean(row.purchasable),
    input: model && proposalInput(row, model, setting),
  }
}

const ruledOf = (row: PlanningRow) => ({
  sku: String(row.sku),
  location: String(row.location),
  supplier: row.supplier,
  skuGroup: row.skuGroup,
})

function proposalInput(row: PlanningRow, model: ForecastModel, setting: Setting) {
  const pair = ruledOf(row)
  const receipts = setting.receipts.of(pair)
  const onOrder = receipts.reduce((sum, { quantity }) => sum + quantity, 0)
  const { planning, target, reviewPeriodDays, rules } = ruledPlanning(
    setting.policies.of(pair),
    row,
  )
  return (openProposals: number, owed = 0): ProposalInput => ({
    asOf: setting.asOf,
    forecast: demandOf(model),
    position: {
      ...{ onHand: toNumber(row.onHand), onOrder, openProposals, receipts },
      ...(owed > 0 && { backorders: owed }),
    },
    planning: { ...planning, supplier: pair.supplier, unitCost: toNumber(row.unitCost) },
    policy: { reviewPeriodDays, target, supplierRequired: setting.supplierRequired },
    rules,
  })
}
