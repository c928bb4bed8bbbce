// Overrides: what planners expect instead of the forecast.
import {
  READABLE_ENGINES,
  expectedOf,
  type ExpectedTotal,
  type ForecastModel,
  isWithin,
  OverrideBook,
  parseModel,
  type PlannedPair,
  type SelectedOverride,
  toEpochDay,
} from '../../../engine/index.ts'
import { ForecastOverrides, PairPlanning, readAs } from '../../base/database/entities.ts'
import { selectRows } from '../../base/database/native/bulk.ts'
import { inChunks } from '../../base/database/rows.ts'
import { firstDayAnywhere } from '../../base/time/days.ts'
import type { Pair } from './plans.ts'

export interface OverrideRow {
  ID: number
  sku: string
  location: string
  skuGroup: string
  firstDay: string
  lastDay: string
  percent: number | null
  units: number | null
  reason: string
}

export const OVERRIDE_COLUMNS = [
  ...(['ID', 'sku', 'location', 'skuGroup', 'firstDay', 'lastDay'] as const),
  ...(['percent', 'units', 'reason'] as const),
] as const
const PAGE = 1_000

/**
 * Loads the overrides that have not ended.
 * @param pairs limits the result to overrides that concern one of them
 * @param sum computes the total that a number of units is shared out by
 */
export async function loadOverrides(
  pairs?: readonly PlannedPair[],
  sum: (override: SelectedOverride) => Promise<ExpectedTotal> = totalOf,
): Promise<OverrideBook> {
  const rows: OverrideRow[] = []
  const today = await firstDayAnywhere()
  const those = () =>
    SELECT.from(ForecastOverrides)
      .columns(...OVERRIDE_COLUMNS)
      .where({ lastDay: { '>=': today } })
  if (!pairs) rows.push(...(await readAs<OverrideRow>(those())))
  else
    for (const chunk of inChunks(['', ...new Set(pairs.map(({ sku }) => sku))]))
      rows.push(...(await readAs<OverrideRow>(those().where({ sku: { in: chunk } }))))
  const overrides = rows
    .map(toOverride)
    .filter((override) => pairs?.some((pair) => isAbout(override, pair)) ?? true)
  const totals = new Map<number, ExpectedTotal>()
  for (const override of overrides)
    if (override.units !== null && !(override.sku && override.location))
      totals.set(override.ID, await sum(override))
  return new OverrideBook(overrides, totals)
}

const isAbout = (override: SelectedOverride, pair: PlannedPair) =>
  (!override.sku || override.sku === pair.sku) && isWithin(override, pair)

export async function hasOverrides(): Promise<boolean> {
  const query = SELECT.one.from(ForecastOverrides).columns('ID')
  return Boolean(await query.where({ lastDay: { '>=': await firstDayAnywhere() } }))
}

const toOverride = ({ skuGroup, firstDay, lastDay, ...row }: OverrideRow): SelectedOverride => ({
  ...row,
  ...{ group: skuGroup, from: toEpochDay(firstDay), to: toEpochDay(lastDay) },
})

type Selectors = Pick<SelectedOverride, 'sku' | 'location' | 'group'>

/** A condition on restock.PairPlanning: the pairs that are selected, each in the source that leads it. */
export const selected = ({ sku, location, group }: Selectors) => ({
  ...{ ledBy: null },
  ...(sku && { sku }),
  ...(location && { location }),
  ...(group && { skuGroup: group }),
})

/** The total demand that forecasts expect on the days of an override. */
export async function totalOf(override: SelectedOverride): Promise<ExpectedTotal> {
  const expected: number[] = []
  for await (const { model } of forecastsOf(override)) expected.push(expectedOf(model, override))
  // Sorted, so that the sum does not depend on the order in which the pairs are stored.
  const units = expected.sort((a, b) => a - b).reduce((sum, each) => sum + each, 0)
  return { units, pairs: expected.length }
}

interface ForecastOfPair {
  ID: number
  source_ID: number
  sku: string
  location: string
  skuGroup: string | null
  model: ForecastModel
}

/** The forecasts of all selected pairs. */
export async function* forecastsOf(selectors: Selectors): AsyncGenerator<ForecastOfPair> {
  for (let after = 0; ;) {
    const rows = await selectRows<Omit<ForecastOfPair, 'model'> & { model: string }>(
      'restock.PairPlanning',
      SELECT.from(PairPlanning)
        .columns('ID', 'source_ID', 'sku', 'location', 'skuGroup', 'model')
        .where({
          ...selected(selectors),
          engineVersion: { like: `${READABLE_ENGINES}%` },
          ID: { '>': after },
        })
        .orderBy('ID')
        .limit(PAGE),
    )
    for (const { model, ...pair } of rows) yield { ...pair, model: parseModel(model) }
    if (rows.length < PAGE) return
    after = Number(rows.at(-1)!.ID)
  }
}

/** The group of each of these pairs, in the source that leads it. */
export async function groupsOfPairs(pairs: readonly Pair[]) {
  const rows = await readAs<Pair & { skuGroup: string | null }>(
    SELECT.from(PairPlanning)
      .columns('sku', 'location', 'skuGroup')
      .where({
        ledBy: null,
        sku: { in: [...new Set(pairs.map(({ sku }) => sku))] },
        location: { in: [...new Set(pairs.map(({ location }) => location))] },
      }),
  )
  const groups = new Map(rows.map((row) => [keyOf(row), row.skuGroup]))
  return (pair: Pair) => groups.get(keyOf(pair)) ?? null
}

const keyOf = ({ sku, location }: Pair) => JSON.stringify([sku, location])
