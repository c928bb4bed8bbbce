import cds from '@sap/cds'
import { ENGINE_VERSION } from '../../../engine/index.ts'
import type { Score } from './cases.ts'

const SCORES = 'restock.ForecastScores'
const SUMS = ['cases', 'covered', 'above', 'below', 'bounded', 'p50', 'demand', 'loss'] as const

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

/** The scores of a new replay take the place of those of the last one. */
export async function replaceReplayed(source: number, scores: Score[]) {
  const of = { source_ID: source, kind: 'replayed' }
  await cds.tx(async () => {
    await DELETE.from(SCORES).where(of)
    await INSERT.into(SCORES).entries(scores.map((score) => ({ ...of, ...score })))
    await UPSERT.into('restock.ForecastReplays').entries({
      ...{ source_ID: source, engineVersion: ENGINE_VERSION },
    })
  })
}

/** Whether this engine has forecast the source's past already. */
export async function isReplayed(source: number): Promise<boolean> {
  const of = { source_ID: source, engineVersion: ENGINE_VERSION }
  return Boolean(await SELECT.one.from('restock.ForecastReplays').where(of))
}

export const forgetBefore = (source: number, month: string) =>
  DELETE.from(SCORES).where({ source_ID: source, month: { '<': month } })
