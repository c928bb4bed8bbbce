import type { PairPlanning } from '#cds-models/restock'
import {
  type AbcClass,
  type Days,
  type ForecastModel,
  type OverrideBook,
  parseModel,
  predictDemand,
  READABLE_ENGINES,
  toDate,
} from '../../../../engine/index.ts'
import {
  daysBetween,
  type ProposalInput,
  propose,
  redistribute,
} from '../../../../engine/proposal/index.ts'
import { Proposals, readAs, type Row, Series } from '../../../base/database/entities.ts'
import { selectRows } from '../../../base/database/native/bulk.ts'
import { oneOf, toNumber } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import { effectivePlanning } from '../policy/planning.ts'
import { initialStatus } from '../stored/flow.ts'
import { readAhead } from '../stored/read-ahead.ts'
import type { Proposal } from '../to-proposal.ts'
import { demandOf, readSourceInputs, type SourceInputs } from './source-inputs.ts'
import { readOtherSupply } from './supply.ts'

/** The inputs to the calculation of one pair, apart from its other proposals. */
export interface PairInputs {
  series: number
  source: number
  sku: string
  location: string
  supplier: string | null
  skuGroup: string | null
  /** Null without a unit cost. */
  abcClass: AbcClass | null
  /** Decimal string, in `currency`. */
  unitCost: string | null
  currency: string | null
  /** The first day of its forecast; null without one. */
  forecastAsOf: string | null
  /** The confidence of its forecast for a horizon; null without one. */
  confidence: ((horizonDays: number) => string) | null
  isBought: boolean
  /** The source that leads the pair; null if this one does. */
  ledBy: number | null
  /**
   * The input of the engine. `outgoing` are units given to other locations; `lastOrder` is the day of the data that the last
   * order was calculated from. Null without a forecast, if the pair is not bought (any more), and if another source leads it.
   */
  input: InputOf | null
  /** Of a SKU that is phased out: nothing of it is ordered, yet what is on order and on hand stays to be looked at. */
  ended: InputOf | null
}

type InputOf = (openProposals: number, outgoing?: number, lastOrder?: string) => ProposalInput

/** Limits a run to the pairs of a changed rule. */
export interface Scope {
  sku?: string
  location?: string
  supplier?: string
  skuGroup?: string
  abcClass?: AbcClass
}

export type PlanningRow = Row<PairPlanning>

/** Reads the pairs of these series. */
export async function readInputs(series: number[]): Promise<PlanningRow[]> {
  return selectRows<PlanningRow>(
    'restock.PairPlanning',
    SELECT.from('restock.PairPlanning')
      .where({ ID: oneOf(series) })
      .orderBy('ID'),
  )
}

/** Overrides that are assumed in addition to the existing ones. */
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
export async function readInputsOfPairs(
  series: number[],
  suppose?: Supposed,
): Promise<Map<number, PairInputs>> {
  const rows = (await SELECT.from('restock.PairPlanning').where({
    ID: { in: series },
  })) as PlanningRow[]
  const inputs = new Map<number, PairInputs>()
  for (const [source, own] of Map.groupBy(rows, (row) => Number(row.source_ID))) {
    const sourceInputs = await readSourceInputs(source, own.map(subjectOf))
    for (const row of own) {
      const { overrides, days } = sourceInputs
      const asOf = days.of(String(row.location))
      const supposed = suppose?.(overrides, { ...subjectOf(row), asOf }) ?? overrides
      inputs.set(Number(row.ID), toInputs(row, { ...sourceInputs, overrides: supposed }))
    }
  }
  return inputs
}

/** Reads the inputs of the pair of a proposal, ahead for all proposals that the call decides about. */
export const readInputsOf = ({ ID, series }: Pick<Proposal, 'ID' | 'series'>) =>
  readAhead('inputs', ID, async (IDs) => {
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

export function toInputs(row: PlanningRow, sourceInputs: SourceInputs): PairInputs {
  const asOf = sourceInputs.days.of(String(row.location))
  const until = row.phaseOutOn === null ? undefined : daysBetween(asOf, row.phaseOutOn)
  const isBought = row.purchasable && (until === undefined || until > 0)
  const isUsable =
    row.model && row.ledBy === null && row.engineVersion?.startsWith(READABLE_ENGINES)
  const hasEnded = isUsable && row.purchasable && until !== undefined && until <= 0
  const model = isUsable && isBought ? parseModel(row.model!) : null
  return {
    series: Number(row.ID),
    source: Number(row.source_ID),
    sku: String(row.sku),
    location: String(row.location),
    unitCost: row.unitCost === null ? null : String(row.unitCost),
    currency: row.currency,
    ...{ supplier: row.supplier, skuGroup: row.skuGroup, abcClass: abcClassOf(row) },
    forecastAsOf: model && toDate(model.asOf),
    confidence: model && ((horizonDays) => predictDemand(model, horizonDays).confidence),
    isBought: Boolean(isBought),
    ledBy: row.ledBy,
    input: model && proposalInput(row, model, sourceInputs, until),
    ended: hasEnded ? proposalInput(row, parseModel(row.model!), sourceInputs, 0) : null,
  }
}

export const abcClassOf = (row: Pick<PlanningRow, 'abcClass'>) => row.abcClass as AbcClass | null

export const subjectOf = (row: PlanningRow) => ({
  sku: String(row.sku),
  location: String(row.location),
  supplier: row.supplier,
  skuGroup: row.skuGroup,
  abcClass: abcClassOf(row),
})

/** @param until days from now after which there is no demand */
function proposalInput(
  row: PlanningRow,
  model: ForecastModel,
  sourceInputs: SourceInputs,
  until?: Days,
) {
  const pair = subjectOf(row)
  const receipts = sourceInputs.receipts.of(pair)
  const customerOrders = sourceInputs.customerOrders.of(pair)
  const reservations = sourceInputs.reservations.of(pair)
  const batches = sourceInputs.batches.of(pair)
  const approvedElsewhere = sourceInputs.approvedElsewhere(pair)
  const onOrder = receipts.reduce((sum, { quantity }) => sum + quantity, 0)
  const { planning, target, costs, reviewPeriodDays, rules } = effectivePlanning(
    sourceInputs.policies.of(pair),
    row,
    (planned) => sourceInputs.leadTimes.of(pair, planned),
    sourceInputs.priceBreaks.of(pair),
  )
  return (openProposals: number, outgoing = 0, lastOrder?: string): ProposalInput => ({
    asOf: sourceInputs.days.of(pair.location),
    staleSince: sourceInputs.staleData?.since ?? null,
    daysSinceOrder: lastOrder ? daysBetween(lastOrder, toDate(model.asOf)) : null,
    forecast: demandOf(
      model,
      until,
      sourceInputs.overrides.of({ ...pair, group: pair.skuGroup }, model),
    ),
    position: {
      ...{ onHand: toNumber(row.onHand), onOrder, receipts },
      unreadOrders: sourceInputs.unreadOrders.of(pair),
      openProposals: openProposals + approvedElsewhere,
      drafts: sourceInputs.drafts.counted(pair),
      ...{ backorders: toNumber(row.backorders), inInspection: toNumber(row.inInspection) },
      ...{ customerOrders, reservations, reserved: outgoing },
      ...(batches.length > 0 && { batches }),
    },
    planning: {
      ...planning,
      ...{ supplier: pair.supplier, unitCost: toNumber(row.unitCost) },
      phaseOutOn: row.phaseOutOn,
      supplierClosed: sourceInputs.closures.supplier(pair.supplier),
      locationClosed: sourceInputs.closures.location(pair.location),
    },
    policy: {
      ...{ reviewPeriodDays, target, costs, orderLineCost: settings().orderLineCost },
      priceBreakCoverDays: settings().priceBreakCoverDays,
      confirmedWithinDays: settings().confirmedWithinDays,
      supplierRequired: sourceInputs.supplierRequired,
    },
    rules,
  })
}

/** How many units the giving location has to spare and the receiving one needs, by today's numbers. */
export async function transferableQuantity(
  proposal: Proposal,
  receiver: ProposalInput,
): Promise<number> {
  const { source, sku, location, fromLocation } = proposal
  const row = await SELECT.one
    .from(Series)
    .columns('ID')
    .where({ source_ID: source, sku, location: fromLocation })
  const pair = row && (await readPairInputs(row.ID))
  if (!row || !pair?.input) return 0
  const there = {
    ...proposal,
    series: Number(row.ID),
    location: fromLocation!,
    status: initialStatus(),
  }
  const { incoming, outgoing } = await readOtherSupply(there)
  const giver = pair.input(incoming, outgoing)
  const seen = [
    { location: fromLocation!, input: giver, result: propose(giver) },
    { location, input: receiver, result: propose(receiver) },
  ]
  const anything = { surplusDays: 0, minimumQuantity: 1 }
  const found = redistribute(seen, anything).find(({ to }) => to === location)
  return found?.quantity ?? 0
}
