// Whether planners knew better: what forecasts and their overrides said, and what was then wanted.
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
import { ForecastOverrideCases, readAs } from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import { insertRows } from '../../base/database/native/insert.ts'
import { forecastsOf, loadOverrides } from '../overrides/stored.ts'
import { isKnown, locationsOf, wantedIn } from './wanted.ts'

/** Pairs of an override that are measured: those with the most demand. */
const MOST = 1_000
/** Days after which a case is let go whose demand never came. */
const PATIENCE = 56

interface Case {
  override: number
  series: number
  source: number
  firstDay: string
  lastDay: string
  statistical: number
  adjusted: number
}

/** Keeps what forecasts and overrides say, of those whose days the forecasts reach, once. @param only of one override */
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

/** Null where the forecast does not reach it yet, and where another override counts on one of its days. */
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

/** Measures those whose days are over. @param asOf up to when demand is known */
export async function scoreOverridden(
  source: number,
  asOf: string,
  contexts: Map<string, LocationContext>,
) {
  const day = toEpochDay(asOf)
  const of = { source, demand: null }
  const due = await readAs<Case>(
    SELECT.from(ForecastOverrideCases)
      .columns('override', 'series', 'source', 'firstDay', 'lastDay', 'statistical', 'adjusted')
      .where({ ...of, lastDay: { '<': asOf } }),
  )
  if (!due.length) return
  const locations = await locationsOf(due)
  const contextOf = ({ series }: Case) => contexts.get(locations.get(series) ?? '')
  for (const rows of Map.groupBy(due, ({ firstDay, lastDay }) => firstDay + lastDay).values()) {
    const window = { from: toEpochDay(rows[0]!.firstDay), to: toEpochDay(rows[0]!.lastDay) + 1 }
    const known = rows.filter((row) => isKnown(contextOf(row), window.to, day))
    const wanted = await wantedIn(source, window, known, contextOf)
    await cds.tx(() => saveDemand(known, wanted))
  }
  const late = { '<': toDate(day - PATIENCE) }
  await DELETE.from(ForecastOverrideCases).where({ ...of, lastDay: late })
}

/** A pair that ran out of stock says nothing: it is let go. */
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
