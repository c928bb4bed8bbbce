// Measures whether planners knew better, by forecasts, overrides and the demand that came.
import cds from '@sap/cds'
import {
  type DayOverride,
  type ForecastModel,
  type LocationContext,
  MAX_HORIZON_DAYS,
  overriddenDistribution,
  type SelectedOverride,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { runDetached } from '../../base/cap/context.ts'
import { ForecastOverrideCases, readAs, Series } from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import { insertRows } from '../../base/database/native/bulk.ts'
import { forecastsOf, loadOverrides } from '../forecasts/index.ts'
import { PATIENCE, wantedOf } from './wanted.ts'

/** The most pairs of an override that are measured: those with the most demand. */
const MOST = 1_000

interface Case {
  override: number
  series: number
  source: number
  firstDay: string
  lastDay: string
  statistical: number
  adjusted: number
}

/** Stores what forecasts and a new override expect, to be compared with the demand that comes. */
export const keepNewOverride = (ID: number) => runDetached(`ovr_${ID}`, () => keepOverridden(ID))

/**
 * Stores once what forecasts and overrides expect, as soon as the forecasts reach the override's days.
 * @param only limits it to one override
 */
export async function keepOverridden(only?: number) {
  const book = await loadOverrides()
  for (const override of book.all) {
    if (only !== undefined && override.ID !== only) continue
    if (await isKept(override)) continue
    const cases: Case[] = []
    for await (const { model, ...pair } of forecastsOf(override)) {
      const overrides = book.of({ ...pair, group: pair.skuGroup }, model)
      const found = caseOf(override, model, overrides)
      if (found)
        cases.push({ override: override.ID, series: pair.ID, source: pair.source_ID, ...found })
    }
    if (!cases.length) continue
    const kept = cases.sort(byDemand).slice(0, MOST)
    // Another instance may do so at once.
    await cds
      .tx(() => insertRows(ForecastOverrideCases, kept))
      .catch(async (error: unknown) => {
        if (!(await isKept(override))) throw error
      })
  }
}

const isKept = async ({ ID }: SelectedOverride) =>
  Boolean(await SELECT.one.from(ForecastOverrideCases).where({ override: ID }))

const byDemand = (a: Case, b: Case) =>
  Math.max(b.statistical, b.adjusted) - Math.max(a.statistical, a.adjusted) || a.series - b.series

/** @returns null if the forecast does not reach it yet, or another override applies on one of its days */
function caseOf(
  { ID, from, to }: SelectedOverride,
  model: ForecastModel,
  overrides: readonly DayOverride[],
): Pick<Case, 'firstDay' | 'lastDay' | 'statistical' | 'adjusted'> | null {
  const first = Math.max(0, from - model.asOf)
  const end = Math.min(MAX_HORIZON_DAYS, to + 1 - model.asOf)
  const isReached = to < model.asOf + MAX_HORIZON_DAYS || first === 0
  if (!isReached || end <= first) return null
  const own = overrides.filter((override) => override.ID === ID)
  if (own.reduce((days, override) => days + override.to - override.from, 0) !== end - first)
    return null
  const between = (applied: readonly DayOverride[]) =>
    overriddenDistribution(model, applied, end).p50 -
    (first ? overriddenDistribution(model, applied, first).p50 : 0)
  return {
    ...{ firstDay: toDate(model.asOf + first), lastDay: toDate(model.asOf + end - 1) },
    ...{ statistical: between([]), adjusted: between(own) },
  }
}

/** Measures the overrides whose days are over. @param asOf the day up to which demand is known */
export async function scoreOverridden(
  source: number,
  asOf: string,
  contexts: ReadonlyMap<string, LocationContext>,
) {
  const of = { source, demand: null }
  const due = await readAs<Case>(
    SELECT.from(ForecastOverrideCases)
      .columns('override', 'series', 'source', 'firstDay', 'lastDay', 'statistical', 'adjusted')
      .where({ ...of, lastDay: { '<': asOf } }),
  )
  for await (const { rows, wanted } of wantedOf(source, asOf, due, contexts))
    await cds.tx(() => saveDemand(rows, wanted))
  const late = { '<': toDate(toEpochDay(asOf) - PATIENCE) }
  if (due.length) await DELETE.from(ForecastOverrideCases).where({ ...of, lastDay: late })
}

/** Pairs that ran out of stock are not measured, and deleted. */
async function saveDemand(cases: readonly Case[], wanted: Map<number, number>) {
  const gone = cases.filter(({ series }) => !wanted.has(series))
  for (const [override, rows] of Map.groupBy(gone, (row) => row.override))
    for (const chunk of inChunks(rows))
      await DELETE.from(ForecastOverrideCases).where({
        override,
        series: { in: chunk.map(({ series }) => series) },
      })
  const measured = cases.flatMap((row) => {
    const demand = wanted.get(row.series)
    if (demand === undefined) return []
    const [before, after] = [row.statistical, row.adjusted].map((said) => Math.abs(demand - said))
    return [{ ...row, demand, errorBefore: before!, errorAfter: after! }]
  })
  for (const chunk of inChunks(measured)) await UPSERT.into(ForecastOverrideCases).entries(chunk)
}

/** The value of an override, in units, over its measured pairs that the user sees. */
export interface ValueAdded {
  pairs: number
  demand: number
  /** Sums of the medians of the forecasts, and of the adjusted ones. */
  statistical: number
  adjusted: number
  /** The sum of the pairs' absolute errors. */
  errorBefore: number
  errorAfter: number
}

/**
 * The value of each override; null if nothing was measured.
 * @param visible a condition on the series that the user sees; null for all
 */
export async function readValueAdded(IDs: readonly number[], visible: object | null) {
  const query = SELECT.from(ForecastOverrideCases)
    .columns(
      'override',
      'count(*) as pairs',
      ...SUMS.map((name) => `sum(${name}) as ${name}` as const),
    )
    .where({ override: { in: [...IDs] }, demand: { '!=': null } })
    .groupBy('override')
  if (visible)
    void query.where({ series: { in: SELECT.from(Series).columns('ID').where(visible) } })
  const rows = IDs.length ? await readAs<ValueAdded & { override: number }>(query) : []
  const found = new Map(
    rows.map(({ override, ...sums }) => {
      const numbers = Object.entries(sums).map(([name, sum]) => [name, Number(sum)])
      return [override, Object.fromEntries(numbers) as ValueAdded]
    }),
  )
  return (ID: number) => found.get(ID) ?? null
}

const SUMS = ['demand', 'statistical', 'adjusted', 'errorBefore', 'errorAfter'] as const
