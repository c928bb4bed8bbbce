import {
  type CleanedDays,
  cleanedDays,
  EMPTY_CONTEXT,
  historyDays,
  toEpochDay,
} from '../../engine/index.ts'
import { EMPTY_HISTORY, loadForecastHistories } from '../store/demand/histories.ts'
import { loadStockReads } from '../store/demand/stock-history.ts'
import { Series } from '../store/entities.ts'
import { Plans } from '../store/plans/plans.ts'
import { mergeHistories } from './inherit.ts'
import { loadLearnt, plansOf } from './learn.ts'

/** Days that a forecast of the series on that day does not take as they were. */
export async function cleaningOf(series: number, asOf: string): Promise<CleanedDays> {
  const row = await SELECT.one
    .from(Series)
    .columns('source_ID', 'sku', 'location', 'predecessors', 'takesOverOn')
    .where({ ID: series })
  if (!row) return { outOfStock: [], closed: [], outliers: [] }
  const source = Number(row.source_ID)
  const learnt = await loadLearnt(source, asOf)
  const context = learnt?.contexts.get(String(row.location)) ?? EMPTY_CONTEXT
  const predecessors = row.predecessors ?? []
  const options = { historyDays: historyDays(context), reads: await loadStockReads(source) }
  const found = await loadForecastHistories([series, ...predecessors], asOf, options)
  const [own, ...former] = [series, ...predecessors].map((ID) => found.get(ID) ?? EMPTY_HISTORY)
  const history = former.length ? mergeHistories(own!, former, toEpochDay(row.takesOverOn!)) : own!
  const pair = { sku: String(row.sku), location: String(row.location) }
  const plan = await plansOf(await Plans.load(source, asOf), [pair])
  return cleanedDays({ ...history, ...plan?.[0] }, toEpochDay(asOf), context)
}
