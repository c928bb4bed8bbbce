// Stores the scores of forecasts, added up by class and confidence, and by series.
import cds from '@sap/cds'
import type { ForecastScore } from '#cds-models/restock'
import { ENGINE_VERSION } from '../../../engine/index.ts'
import { ErpForecastScores } from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import type { Replayed, Score, SeriesScore } from './replay.ts'

interface Sums<Row> {
  entity: string
  /** Elements of the key; rows are looked up by the first one. */
  keys: readonly (keyof Row & string)[]
  sums: readonly (keyof Row & string)[]
}

const BY_CLASS: Sums<Score> = {
  entity: 'restock.ForecastScores',
  keys: ['month', 'demandClass', 'confidence'],
  sums: ['cases', 'covered', 'above', 'below', 'bounded', 'p50', 'demand', 'loss'],
}

const BY_SERIES: Sums<SeriesScore> = {
  entity: 'restock.ForecastSeriesScores',
  keys: ['series', 'month'],
  sums: ['cases', 'p50', 'demand', 'squares', 'error', 'loss', 'naiveLoss'],
}

/** Adds to the scores of forecasts that were given, in the caller's transaction. */
export async function addGiven(source: number, scores: Score[], series: SeriesScore[]) {
  const of = { source_ID: source, kind: 'given' }
  await addTo(BY_CLASS, of, scores)
  await addTo(BY_SERIES, of, series)
}

async function addTo<Row extends object>(
  { entity, keys, sums }: Sums<Row>,
  of: object,
  scores: Row[],
) {
  if (!scores.length) return
  const keyOf = (score: Row) => keys.map((name) => score[name]).join(' ')
  const [first] = keys
  const looked = { ...of, [first!]: { in: [...new Set(scores.map((score) => score[first!]))] } }
  const stored = (await SELECT.from(entity).where(looked)) as Row[]
  const before = new Map(stored.map((score) => [keyOf(score), score]))
  const entries = scores.map((score) => {
    const former = before.get(keyOf(score))
    const added = sums.map((name) => [name, Number(score[name]) + Number(former?.[name] ?? 0)])
    return { ...of, ...score, ...(Object.fromEntries(added) as Partial<Row>) }
  })
  await UPSERT.into(entity).entries(entries)
}

/** The scores of a new replay take the place of those of the last one. */
export async function replaceReplayed(source: number, { scores, series }: Replayed) {
  const of = { source_ID: source, kind: 'replayed' }
  await cds.tx(async () => {
    await DELETE.from(BY_CLASS.entity).where(of)
    await INSERT.into(BY_CLASS.entity).entries(scores.map((score) => ({ ...of, ...score })))
    await DELETE.from(BY_SERIES.entity).where(of)
    for (const chunk of inChunks(series))
      await INSERT.into(BY_SERIES.entity).entries(chunk.map((score) => ({ ...of, ...score })))
    const replay = { source_ID: source, engineVersion: ENGINE_VERSION }
    await UPSERT.into('restock.ForecastReplays').entries(replay)
  })
}

/** Whether this engine has forecast the source's past already. */
export async function isReplayed(source: number): Promise<boolean> {
  const of = { source_ID: source, engineVersion: ENGINE_VERSION }
  if (!(await SELECT.one.from('restock.ForecastReplays').where(of))) return false
  // A former version stored no scores of single series.
  const replayed = { source_ID: source, kind: 'replayed' }
  const isKept: unknown = await SELECT.one.from(BY_SERIES.entity).where(replayed)
  return Boolean(isKept) || !(await SELECT.one.from(BY_CLASS.entity).where(replayed))
}

export async function forgetBefore(source: number, month: string) {
  const old = { source_ID: source, month: { '<': month } }
  for (const scores of [BY_CLASS.entity, BY_SERIES.entity, ErpForecastScores])
    await DELETE.from(scores).where(old)
}

/** Sums as they are stored. */
export type StoredScore = Omit<ServiceRow<ForecastScore>, 'source'>

const MONTHS = 3

/** Scores of the latest three months: those of given forecasts, or of replayed ones while there are no others. */
export function latestScores<Row extends Pick<StoredScore, 'kind' | 'month'>>(
  scores: readonly Row[],
): Row[] {
  const given = scores.filter(({ kind }) => kind === 'given')
  const shown = given.length ? given : scores
  const last = shown.reduce((month, score) => (score.month > month ? score.month : month), '')
  if (!last) return []
  const from = new Date(`${last}T00:00:00Z`)
  from.setUTCMonth(from.getUTCMonth() - (MONTHS - 1))
  return shown.filter(({ month }) => month >= from.toISOString().slice(0, 10))
}

/** `YYYY-MM-DD`; the generated type would refuse every computed one. */
type Day = `${number}${number}${number}${number}-${number}${number}-${number}${number}`

/** A type of the model as a service answers it: every element is there, null where it has no value. */
type ServiceRow<T> = T extends Day
  ? string
  : T extends string | number | boolean | null
    ? T
    : T extends (infer Item)[]
      ? ServiceRow<Item>[]
      : T extends object
        ? { [Name in keyof T]-?: ServiceRow<Exclude<T[Name], undefined>> }
        : T
