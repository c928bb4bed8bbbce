import cds from '@sap/cds'
import { ENGINE_VERSION } from '../../../engine/index.ts'
import { ErpForecastScores } from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import type { Score, SeriesScore } from './replay.ts'

const SCORES = 'restock.ForecastScores'
const SUMS = ['cases', 'covered', 'above', 'below', 'bounded', 'p50', 'demand', 'loss'] as const

const SERIES_SCORES = 'restock.ForecastSeriesScores'
const SERIES_SUMS = ['cases', 'p50', 'demand', 'squares', 'error', 'loss', 'naiveLoss'] as const

const keyOf = ({ month, demandClass, confidence }: Score) => `${month} ${demandClass} ${confidence}`

/** Adds to the scores of forecasts that were given, in the caller's transaction. */
export async function addGiven(source: number, scores: Score[]) {
  if (!scores.length) return
  const of = { source_ID: source, kind: 'given' }
  const months = [...new Set(scores.map(({ month }) => month))]
  const stored = (await SELECT.from(SCORES).where({ ...of, month: { in: months } })) as Score[]
  const before = new Map(stored.map((score) => [keyOf(score), score]))
  const entries = scores.map((score) => {
    const sums = SUMS.map((name) => [name, score[name] + (before.get(keyOf(score))?.[name] ?? 0)])
    return { ...of, ...score, ...(Object.fromEntries(sums) as object) }
  })
  await UPSERT.into(SCORES).entries(entries)
}

/** The same of single series. */
export async function addGivenSeries(source: number, scores: SeriesScore[]) {
  if (!scores.length) return
  const of = { source_ID: source, kind: 'given' }
  const series = [...new Set(scores.map((score) => score.series))]
  const stored = (await SELECT.from(SERIES_SCORES).where({
    ...of,
    series: { in: series },
  })) as SeriesScore[]
  const keyOf = ({ series, month }: SeriesScore) => `${series} ${month}`
  const before = new Map(stored.map((score) => [keyOf(score), score]))
  const entries = scores.map((score) => {
    const former = before.get(keyOf(score))
    const sums = SERIES_SUMS.map((name) => [name, score[name] + (former?.[name] ?? 0)])
    return { ...of, ...score, ...(Object.fromEntries(sums) as object) }
  })
  await UPSERT.into(SERIES_SCORES).entries(entries)
}

/** The scores of a new replay take the place of those of the last one. */
export async function replaceReplayed(source: number, scores: Score[], series: SeriesScore[]) {
  const of = { source_ID: source, kind: 'replayed' }
  await cds.tx(async () => {
    await DELETE.from(SCORES).where(of)
    await INSERT.into(SCORES).entries(scores.map((score) => ({ ...of, ...score })))
    await DELETE.from(SERIES_SCORES).where(of)
    for (const chunk of inChunks(series))
      await INSERT.into(SERIES_SCORES).entries(chunk.map((score) => ({ ...of, ...score })))
    await UPSERT.into('restock.ForecastReplays').entries({
      ...{ source_ID: source, engineVersion: ENGINE_VERSION },
    })
  })
}

/** Whether this engine has forecast the source's past already. */
export async function isReplayed(source: number): Promise<boolean> {
  const of = { source_ID: source, engineVersion: ENGINE_VERSION }
  if (!(await SELECT.one.from('restock.ForecastReplays').where(of))) return false
  // Earlier versions kept nothing of single series.
  const replayed = { source_ID: source, kind: 'replayed' }
  const isKept: unknown = await SELECT.one.from(SERIES_SCORES).where(replayed)
  return Boolean(isKept) || !(await SELECT.one.from(SCORES).where(replayed))
}

export async function forgetBefore(source: number, month: string) {
  const old = { source_ID: source, month: { '<': month } }
  await DELETE.from(SCORES).where(old)
  await DELETE.from(SERIES_SCORES).where(old)
  await DELETE.from(ErpForecastScores).where(old)
}
