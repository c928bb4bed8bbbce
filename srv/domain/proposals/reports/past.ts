// What a source has read of the past of its pairs, for a pilot: demand, days without stock, receipts, and how each is ordered today.
import {
  type DemandHistory,
  type EpochDay,
  LEARNING_DAYS,
  toDate,
} from '../../../../engine/index.ts'
import type { ProposalInput, ReplenishmentPolicy } from '../../../../engine/proposal/index.ts'
import { EMPTY_HISTORY, loadHistories } from '../../../base/database/demand/histories.ts'
import { loadStockReads } from '../../../base/database/demand/stock-history.ts'
import { CurrentOpenOrders, readAs, Receipts, Series } from '../../../base/database/entities.ts'
import { toNumber, toPage } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import { effectivePlanning, PolicyBook } from '../policy/planning.ts'
import { type PlanningRow, readInputs, subjectOf } from '../terms/pair-inputs.ts'
import { readSourceInputs, type SourceInputs } from '../terms/source-inputs.ts'
import { type OrderTerms, SupplierTermsBook } from '../terms/supplier-terms.ts'
import { pairKey } from '../to-proposal.ts'

/** The first and the last day of each, `YYYY-MM-DD`. */
interface Spell {
  from: string
  to: string
}

export interface PastOrderLine {
  document: string
  orderedOn: string | null
  /** Null for what has not come yet. */
  receivedOn: string | null
  quantity: number
}

export interface PastPair {
  sku: string
  location: string
  skuGroup: string | null
  /** Decimal string, in `currency`. */
  unitCost: string | null
  currency: string | null
  onHand: number | null
  planning: Omit<ProposalInput['planning'], 'unitCost'>
  target: ReplenishmentPolicy['target']
  stockoutCostShare: number
  carryingCostSharePerYear: number
  unmetDemand: 'backordered' | 'lost'
  orderLineCost: number
  /** What its supplier asks of a whole order; null: nothing. */
  supplierOrder: Pick<OrderTerms, 'location' | 'limits'> | null
  /** Days with demand, ascending, with what was wanted of each and whether a promotion ran. */
  days: string[]
  quantities: number[]
  promotions: boolean[] | null
  /** Days on which stock was read or reported, and those of them without stock. */
  stockKnown: Spell[]
  stockouts: Spell[]
  orderLines: PastOrderLine[]
}

/** A page of the pairs of a source, in the order of their numbers; those that another source leads are left out. */
export async function pastOfSource(
  source: number,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ data: PastPair[]; next: string | null }> {
  const series = await readAs<{ ID: number }>(
    SELECT.from(Series)
      .columns('ID')
      .where({ source_ID: source, ledBy: null, ID: { '>': Number(after ?? 0) } })
      .orderBy('ID')
      .limit(limit + 1),
  )
  const { data, next } = toPage(series, limit, ({ ID }) => String(ID))
  if (!data.length) return { data: [], next: null }
  const rows = await readInputs(data.map(({ ID }) => Number(ID)))
  const subjects = rows.map(subjectOf)
  const inputs = await readSourceInputs(source, subjects)
  const suppliers = [...new Set(subjects.flatMap(({ supplier }) => supplier ?? []))]
  const terms = await SupplierTermsBook.read(
    source,
    await PolicyBook.ofSuppliers(suppliers),
    suppliers,
  )
  const reads = await loadStockReads(source)
  const histories = new Map<number, DemandHistory>()
  for (const [asOf, own] of Map.groupBy(rows, ({ location }) => inputs.days.of(String(location))))
    for (const [ID, history] of await loadHistories(
      own.map(({ ID }) => Number(ID)),
      asOf,
      { historyDays: LEARNING_DAYS, reads },
    ))
      histories.set(ID, history)
  const lines = await readLines(source, subjects)
  return {
    data: rows.map((row) =>
      toPast(
        row,
        inputs,
        terms,
        histories.get(Number(row.ID)) ?? EMPTY_HISTORY,
        lines.get(pairKey(subjectOf(row))) ?? [],
      ),
    ),
    next,
  }
}

function toPast(
  row: PlanningRow,
  inputs: SourceInputs,
  terms: SupplierTermsBook,
  { days, quantities, promo, stock }: DemandHistory,
  orderLines: PastOrderLine[],
): PastPair {
  const pair = subjectOf(row)
  const { planning, target, costs, reviewPeriodDays } = effectivePlanning(
    inputs.policies.of(pair),
    row,
    (planned) => inputs.leadTimes.of(pair, planned),
    inputs.priceBreaks.of(pair),
  )
  return {
    ...{ sku: pair.sku, location: pair.location, skuGroup: pair.skuGroup },
    unitCost: row.unitCost === null ? null : String(row.unitCost),
    currency: row.currency,
    onHand: toNumber(row.onHand),
    planning: { ...planning, reviewPeriodDays, supplier: pair.supplier },
    target,
    stockoutCostShare: costs.stockoutRate,
    carryingCostSharePerYear: costs.carryingRate,
    unmetDemand: costs.unmetDemand ?? 'backordered',
    orderLineCost: settings().orderLineCost,
    supplierOrder: pair.supplier ? terms.of(pair.supplier, pair.location) : null,
    days: Array.from(days, (day) => toDate(day)),
    quantities: [...quantities],
    promotions: promo ? Array.from(promo, Boolean) : null,
    stockKnown: spellsOf(stock?.seen ?? []),
    stockouts: Array.from({ length: (stock?.empty.length ?? 0) / 2 }, (_, i) => ({
      from: toDate(stock!.empty[2 * i]!),
      to: toDate(stock!.empty[2 * i + 1]!),
    })),
    orderLines,
  }
}

/** Consecutive days as their first and last one. */
function spellsOf(days: Iterable<EpochDay>): Spell[] {
  const spells: [EpochDay, EpochDay][] = []
  for (const day of days) {
    const last = spells.at(-1)
    if (last && last[1] === day - 1) last[1] = day
    else spells.push([day, day])
  }
  return spells.map(([from, to]) => ({ from: toDate(from), to: toDate(to) }))
}

/** What came of orders, and what is still to come, by pair. */
async function readLines(source: number, pairs: { sku: string; location: string }[]) {
  const where = { source_ID: source, sku: { in: [...new Set(pairs.map(({ sku }) => sku))] } }
  const columns = ['document', 'sku', 'location', 'orderedOn', 'quantity']
  type Row = {
    document: string
    sku: string
    location: string
    orderedOn: string | null
    receivedOn?: string
    quantity: unknown
  }
  const received = await readAs<Row>(
    SELECT.from(Receipts)
      .columns(...columns, 'receivedOn')
      .where(where)
      .orderBy('receivedOn', 'document', 'receipt'),
  )
  const open = await readAs<Row>(
    SELECT.from(CurrentOpenOrders)
      .columns(...columns)
      .where(where)
      .orderBy('document', 'line'),
  )
  const lines = new Map<string, PastOrderLine[]>()
  for (const { document, orderedOn, receivedOn = null, quantity, ...pair } of [
    ...received,
    ...open,
  ]) {
    const own = lines.get(pairKey(pair)) ?? []
    lines.set(pairKey(pair), own)
    own.push({ document, orderedOn, receivedOn, quantity: Number(quantity) })
  }
  return lines
}
