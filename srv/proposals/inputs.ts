import cds from '@sap/cds'
import { answer, ENGINE_VERSION, type ForecastModel, quantile } from '../../engine/index.ts'
import type { ProposalInput } from '../../engine/proposal/index.ts'
import { toNumber } from '../store/numbers.ts'
import { today } from '../store/today.ts'

const { SELECT } = cds.ql

/** What decides about one pair, besides its other proposals. */
export interface PairInputs {
  series: number
  source: number
  sku: string
  location: string
  /** Decimal string, in `currency`. */
  unitCost: string | null
  currency: string | null
  /** Null while the pair is not yet forecast, or where it is never bought. */
  input: ((openProposals: number) => ProposalInput) | null
  supplier: string | null
}

type Row = Record<string, unknown>

/** A source that names suppliers at all must name one for a pair, else the pair is blocked. */
export async function namesSuppliers(source: number): Promise<boolean> {
  for (const entity of ['restock.Planning', 'restock.Skus']) {
    const where = { source_ID: source, supplier: { '!=': null } }
    if (await SELECT.one.from(entity).columns('sku').where(where)) return true
  }
  return false
}

/** The next pairs of a source in the order of their series. */
export async function nextInputs(source: number, afterSeries: number, limit: number) {
  const rows: Row[] = await SELECT.from('restock.PairInputs')
    .where({ source_ID: source, ID: { '>': afterSeries } })
    .orderBy('ID')
    .limit(limit)
  return rows
}

export async function inputsOfSeries(series: number): Promise<Row | undefined> {
  return await SELECT.one.from('restock.PairInputs').where({ ID: series })
}

export function toInputs(row: Row, supplierRequired: boolean): PairInputs {
  const supplier = (row.supplier as string | null) ?? null
  return {
    series: Number(row.ID),
    source: Number(row.source_ID),
    sku: String(row.sku),
    location: String(row.location),
    unitCost: row.unitCost === null ? null : String(row.unitCost),
    currency: (row.currency as string | null) ?? null,
    supplier,
    input:
      row.model && row.purchasable && row.engineVersion === ENGINE_VERSION
        ? proposalInput(row, JSON.parse(String(row.model)), supplier, supplierRequired)
        : null,
  }
}

function proposalInput(
  row: Row,
  model: ForecastModel,
  supplier: string | null,
  supplierRequired: boolean,
) {
  const { reviewPeriodDays, stockoutCostShare, carryingCostSharePerYear } = cds.env.restock
  return (openProposals: number): ProposalInput => ({
    asOf: today(),
    forecast: {
      at: (horizon) => answer(model, horizon),
      quantile: (horizon, level) => quantile(model, horizon, level),
    },
    position: {
      onHand: toNumber(row.onHand),
      onOrder: toNumber(row.onOrder) ?? 0,
      openProposals,
    },
    planning: {
      leadTimeDays: toNumber(row.leadTimeDays),
      reviewPeriodDays: toNumber(row.reviewPeriodDays),
      moq: toNumber(row.moq),
      lotSize: toNumber(row.lotSize),
      supplier,
    },
    policy: {
      reviewPeriodDays,
      target: { stockoutRate: stockoutCostShare, carryingRate: carryingCostSharePerYear },
      supplierRequired,
    },
  })
}
