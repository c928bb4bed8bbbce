import type { PairPlanning } from '#cds-models/restock'
import {
  type Days,
  ENGINE_VERSION,
  type ForecastModel,
  type OverrideBook,
  parseModel,
  predictDemand,
  toDate,
} from '../../../../engine/index.ts'
import { daysBetween, type ProposalInput } from '../../../../engine/proposal/index.ts'
import { settings } from '../../../base/settings/config.ts'
import { readTogether } from '../stored/decided-together.ts'
import { Proposals, readAs, type Row } from '../../../base/database/entities.ts'
import { among, toNumber } from '../../../base/database/rows.ts'
import { selectRows } from '../../../base/database/native/select.ts'
import type { Proposal } from '../to-proposal.ts'
import { demandOf, readSetting, type Setting } from './setting.ts'
import { effectivePlanning } from '../policy/planning.ts'

/** The inputs to the calculation of one pair, apart from its other proposals. */
export interface PairInputs {
  series: number
  source: number
  sku: string
  location: string
  supplier: string | null
  /** Decimal string, in `currency`. */
  unitCost: string | null
  currency: string | null
  /** The first day of its forecast; null without one. */
  forecastAsOf: string | null
  /** The confidence of its forecast for a horizon; null without one. */
  confidence: ((horizonDays: number) => string) | null
  isBought: boolean
  /** The source that leads the pair in the place of its own; null for none. */
  ledBy: number | null
  /**
   * `outgoing` are units that it gives to other locations, `lastOrder` is the day of the data that its last order was
   * made from. Null while it has no forecast, where it is not bought (any more), and where another source leads it.
   */
  input: ((openProposals: number, outgoing?: number, lastOrder?: string) => ProposalInput) | null
}

/** Limits a run to the pairs of a changed rule. */
export interface Scope {
  sku?: string
  location?: string
  supplier?: string
  skuGroup?: string
}

export type PlanningRow = Row<PairPlanning>

/** Reads the next pairs of a source, ordered by series. */
export async function readNextInputs(
  source: number,
  afterSeries: number,
  limit: number,
  scope: Scope = {},
): Promise<PlanningRow[]> {
  return selectRows<PlanningRow>(
    'restock.PairPlanning',
    SELECT.from('restock.PairPlanning')
      .where({ ...scope, source_ID: source, ID: { '>': afterSeries } })
      .orderBy('ID')
      .limit(limit),
  )
}

/** Reads the pairs of these series. */
export async function readInputs(series: number[]): Promise<PlanningRow[]> {
  return selectRows<PlanningRow>(
    'restock.PairPlanning',
    SELECT.from('restock.PairPlanning')
      .where({ ID: among(series) })
      .orderBy('ID'),
  )
}

/** What planners would say of a pair beside what they say. */
type Supposed = (
  known: OverrideBook,
  pair: { sku: string; location: string; asOf: string },
) => OverrideBook

/** Reads the current inputs of a pair; undefined where its source no longer has it. */
export const readPairInputs = async (
  series: number,
  suppose?: Supposed,
): Promise<PairInputs | undefined> => (await readInputsOfPairs([series], suppose)).get(series)

/** Reads the current inputs of pairs, by series; those that their source no longer has are left out. */
async function readInputsOfPairs(
  series: number[],
  suppose?: Supposed,
): Promise<Map<number, PairInputs>> {
  const rows = (await SELECT.from('restock.PairPlanning').where({
    ID: { in: series },
  })) as PlanningRow[]
  const inputs = new Map<number, PairInputs>()
  for (const [source, own] of Map.groupBy(rows, (row) => Number(row.source_ID))) {
    const setting = await readSetting(source, own.map(subjectOf))
    for (const row of own) {
      const { overrides, days } = setting
      const asOf = days.of(String(row.location))
      const supposed = suppose?.(overrides, { ...subjectOf(row), asOf }) ?? overrides
      inputs.set(Number(row.ID), toInputs(row, { ...setting, overrides: supposed }))
    }
  }
  return inputs
}

/** The same for the pair of a proposal. What one call decides about is read together. */
export const readInputsOf = ({ ID, series }: Pick<Proposal, 'ID' | 'series'>) =>
  readTogether('inputs', ID, async (IDs) => {
    const others = IDs.filter((each) => each !== ID)
    const pairs = new Map([[ID, series], ...(others.length ? await readSeries(others) : [])])
    const inputs = await readInputsOfPairs([...new Set(pairs.values())])
    return new Map(
      [...pairs].flatMap(([each, pair]) => {
        const found = inputs.get(pair)
        return found ? [[each, found] as const] : []
      }),
    )
  })

async function readSeries(IDs: number[]): Promise<[number, number][]> {
  const rows = await readAs<{ ID: number; series: number }>(
    SELECT.from(Proposals)
      .columns('ID', 'series')
      .where({ ID: { in: IDs } }),
  )
  return rows.map(({ ID, series }) => [Number(ID), Number(series)])
}

export function toInputs(row: PlanningRow, setting: Setting): PairInputs {
  const asOf = setting.days.of(String(row.location))
  const until = row.phaseOutOn === null ? undefined : daysBetween(asOf, row.phaseOutOn)
  const isBought = row.purchasable && (until === undefined || until > 0)
  const isUsable =
    row.model && isBought && row.ledBy === null && row.engineVersion === ENGINE_VERSION
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
    isBought: Boolean(isBought),
    ledBy: row.ledBy,
    input: model && proposalInput(row, model, setting, until),
  }
}

const subjectOf = (row: PlanningRow) => ({
  sku: String(row.sku),
  location: String(row.location),
  supplier: row.supplier,
  skuGroup: row.skuGroup,
})

/** @param until days after which there is no demand */
function proposalInput(row: PlanningRow, model: ForecastModel, setting: Setting, until?: Days) {
  const pair = subjectOf(row)
  const receipts = setting.receipts.of(pair)
  const customerOrders = setting.customerOrders.of(pair)
  const reservations = setting.reservations.of(pair)
  const approvedElsewhere = setting.approvedElsewhere(pair)
  const onOrder = receipts.reduce((sum, { quantity }) => sum + quantity, 0)
  const { planning, target, costs, reviewPeriodDays, rules } = effectivePlanning(
    setting.policies.of(pair),
    row,
    (planned) => setting.leadTimes.of(pair, planned),
    setting.priceBreaks.of(pair),
  )
  return (openProposals: number, outgoing = 0, lastOrder?: string): ProposalInput => ({
    asOf: setting.days.of(pair.location),
    staleSince: setting.staleData?.since ?? null,
    daysSinceOrder: lastOrder ? daysBetween(lastOrder, toDate(model.asOf)) : null,
    forecast: demandOf(
      model,
      until,
      setting.overrides.of({ ...pair, group: pair.skuGroup }, model),
    ),
    position: {
      ...{ onHand: toNumber(row.onHand), onOrder, receipts },
      openProposals: openProposals + approvedElsewhere,
      ...{ backorders: toNumber(row.backorders), inInspection: toNumber(row.inInspection) },
      ...{ customerOrders, reservations, reserved: outgoing },
    },
    planning: {
      ...planning,
      ...{ supplier: pair.supplier, unitCost: toNumber(row.unitCost) },
      phaseOutOn: row.phaseOutOn,
    },
    policy: {
      ...{ reviewPeriodDays, target, costs, orderLineCost: settings().orderLineCost },
      priceBreakCoverDays: settings().priceBreakCoverDays,
      supplierRequired: setting.supplierRequired,
    },
    rules,
  })
}
