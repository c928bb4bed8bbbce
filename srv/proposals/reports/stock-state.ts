// What the stock is worth, and how often there was any. Both change with a sync alone.
import type { StockReached, StockWorth } from '#cds-models/ProposalsService'
import { addDays } from '../../../engine/proposal/index.ts'
import type { Predicate } from '../../authority/index.ts'
import { PairPlanning, readAs, Stockouts, StockDays, StockWorths } from '../../store/entities.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { today } from '../../store/today.ts'
import { keptUntilSync } from './kept-until-sync.ts'
import { amountOf, within } from './sums.ts'

const WINDOW_DAYS = 28

export const readStockWorth = (visible: Predicate | null) =>
  keptUntilSync('worth', visible, () => sumStock(visible))

async function sumStock(visible: Predicate | null): Promise<ServiceRow<StockWorth>> {
  const query = SELECT.from(StockWorths)
    .columns(
      ...(['currency', 'isCosted', 'count(*) as count'] as const),
      'sum(onHand * unitCost) as value',
    )
    .where({ onHand: { '>': 0 } })
    .groupBy('currency', 'isCosted')
  const groups = await readAs<StockGroup>(within(query, visible) as never)
  const costed = groups.filter(({ isCosted }) => Number(isCosted))
  return {
    value: await amountOf(costed, 'value'),
    withoutCost: groups
      .filter((group) => !costed.includes(group))
      .reduce((sum, { count }) => sum + Number(count), 0),
  }
}

interface StockGroup {
  currency: string | null
  isCosted: number | boolean
  count: number | string
  value: number | string | null
}

export const readStockReached = (visible: Predicate | null) =>
  keptUntilSync('reached', visible, () => countDays(visible))

/** Of pairs that are bought and not phased out, and of another source's none. */
const bought = () => ({ onHand: { '!=': null }, ledBy: null, purchasable: true })

async function countDays(visible: Predicate | null): Promise<ServiceRow<StockReached>> {
  const from = addDays(today(), 1 - WINDOW_DAYS)
  const sum = { pairs: 0, days: 0, pairDays: 0, emptyDays: 0, emptyNow: 0 }
  const daysOf = await readDays(from)
  for (const { source_ID, pairs } of await countPairs(visible)) {
    const days = daysOf.get(source_ID)
    if (!days) continue
    sum.pairs += pairs
    sum.days = Math.max(sum.days, days.length)
    sum.pairDays += pairs * days.length
    for (const spell of await readSpells(source_ID, from, visible)) {
      const { firstDay, lastDay, count } = spell
      const empty = days.filter((day) => day >= firstDay && (lastDay === null || day <= lastDay))
      sum.emptyDays += Number(count) * empty.length
      if (lastDay === null) sum.emptyNow += Number(count)
    }
  }
  const { pairs, days, pairDays, emptyDays, emptyNow } = sum
  const percent = pairDays ? 100 * (1 - emptyDays / pairDays) : null
  return { pairs, days, emptyNow, percent }
}

async function countPairs(visible: Predicate | null) {
  const query = SELECT.from(PairPlanning).columns('source_ID', 'count(*) as pairs').where(bought())
    .where`phaseOutOn is null or phaseOutOn > ${today()}`.groupBy('source_ID')
  const rows = await readAs<{ source_ID: number; pairs: unknown }>(within(query, visible) as never)
  return rows.map(({ source_ID, pairs }) => ({ source_ID, pairs: Number(pairs) }))
}

/** On which the stock was read by a sync: what ERPs report of earlier days is not counted. */
async function readDays(from: string) {
  const rows = await SELECT.from(StockDays)
    .columns('source_ID', 'day')
    .where({ day: { '>=': from }, reported: false })
  return new Map(
    [...Map.groupBy(rows, ({ source_ID }) => source_ID)].map(([source, days]) => [
      source,
      days.map(({ day }) => day),
    ]),
  )
}

interface Spell {
  firstDay: string
  lastDay: string | null
  count: number | string
}

/** Stockouts that reach into the window, those of the same days together. */
async function readSpells(source_ID: number, from: string, visible: Predicate | null) {
  const pairs = SELECT.from(PairPlanning)
    .columns('ID')
    .where({ ...bought(), source_ID }).where`phaseOutOn is null or phaseOutOn > ${today()}`
  return readAs<Spell>(
    SELECT.from(Stockouts)
      .columns('firstDay', 'lastDay', 'count(*) as count')
      .where({ series: { in: within(pairs, visible) } } as never)
      .where`lastDay is null or lastDay >= ${from}`.groupBy('firstDay', 'lastDay') as never,
  )
}
