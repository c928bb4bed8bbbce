// Pairs whose proposal must be recalculated, because one of its inputs has changed.
import { preparedUpdate } from '../cap/prepared.ts'
import type { LocalDays } from '../time/days.ts'
import { Proposals, readAs, Series, Sources } from './entities.ts'
import { digestOf } from './records/target.ts'
import { inChunks, oneOf } from './rows.ts'

/** A pair, or all pairs of a SKU where no location is named. */
export interface MarkedPair {
  sku: string
  location?: string
}

/** Marks pairs of a source, in the transaction of what has changed about them. */
export async function markForProposal(source: number, pairs: Iterable<MarkedPair>) {
  const byLocation = Map.groupBy(pairs, ({ location }) => location || null)
  for (const [location, those] of byLocation) {
    const skus = [...new Set(those.map(({ sku }) => sku))]
    for (const chunk of inChunks(skus)) {
      await UPDATE.entity(Series)
        .set({ dueForProposal: true })
        .where({
          source_ID: source,
          sku: { in: chunk },
          ...(location !== null && { location }),
        })
    }
  }
}

/** Marks one pair, and locks it until the transaction ends. */
export const markSeries = (series: number) => MARK.write(series)

const MARK = preparedUpdate((ID: number) =>
  UPDATE.entity(Series).set({ dueForProposal: true }).where({ ID }),
)

/** Marks the pair of a proposal, and locks it until the transaction ends. */
export const markSeriesOf = (proposal: number) => MARK_OF.write(proposal)

const MARK_OF = preparedUpdate((ID: number) =>
  UPDATE.entity(Series)
    .set({ dueForProposal: true })
    .where({ ID: SELECT.from(Proposals).columns('series').where({ ID }) } as never),
)

/**
 * Removes the marks, in the transaction of the calculation and before it reads proposals.
 * @returns those that were marked
 */
export async function takeMarks(series: number[]): Promise<number[]> {
  const marked = { ID: oneOf(series), dueForProposal: true }
  const rows = await readAs<{ ID: number }>(SELECT.from(Series).columns('ID').where(marked))
  await UPDATE.entity(Series).set({ dueForProposal: false }).where(marked)
  return rows.map(({ ID }) => ID)
}

/** Marks pairs again that are calculated later, in the transaction that has removed their marks. */
export async function markAgain(series: number[]) {
  if (series.length)
    await UPDATE.entity(Series)
      .set({ dueForProposal: true })
      .where({ ID: oneOf(series) })
}

/** The marked pairs of a source, in order. */
export async function markedSeries(source: number): Promise<number[]> {
  const rows = await readAs<{ ID: number }>(
    SELECT.from(Series)
      .columns('ID')
      .where({ source_ID: source, dueForProposal: true })
      .orderBy('ID'),
  )
  return rows.map(({ ID }) => ID)
}

/**
 * Whether every pair of a source was calculated on the present day of its location, so that only marked ones need it again.
 * @param staleSince the day of its data where they are too old to order by, which concerns all pairs
 */
export async function isProposedToday(
  source: number,
  days: LocalDays,
  staleSince: string | null,
): Promise<boolean> {
  const row = await SELECT.one
    .from(Sources)
    .columns('proposedOn', 'proposedDays', 'staleSince')
    .where({ ID: source })
  const isToday = row?.proposedOn === days.usual && row.proposedDays === otherDays(days)
  return isToday && row.staleSince === staleSince
}

/** @param day of the data that all pairs were calculated from, where they are too old to order by */
export const setStaleSince = (source: number, day: string | null) =>
  UPDATE.entity(Sources).set({ staleSince: day }).where({ ID: source })

/** @param days on which all pairs of a source were calculated */
export const setProposedOn = (source: number, days: LocalDays) =>
  UPDATE.entity(Sources)
    .set({ proposedOn: days.usual, proposedDays: otherDays(days) })
    .where({ ID: source })

/** The locations whose day is not the usual one, and that day, as a short text; null for none. */
const otherDays = ({ others }: LocalDays): string | null =>
  others.size ? String(digestOf(JSON.stringify([...others].sort()))) : null

/** Lets the next run of every source, or of one, calculate all pairs, e.g. after a rule has changed. */
export const markAllForProposal = (source?: number) =>
  UPDATE.entity(Sources)
    .set({ proposedOn: null })
    .where({ proposedOn: { '!=': null }, ...(source !== undefined && { ID: source }) })

// The unique key that allows one open proposal for each pair and supplier, or for each pair and giving location.

/** A separator within a code becomes a control character, so that no two pairs have the same key. */
const escaped = (code: string) => code.replaceAll('|', '\u001f')

export const joinOpenKey = (source: number, ...codes: string[]): string =>
  [source, ...codes.map(escaped)].join('|')

/** The key of the same pair when its SKU has another code. */
export const replaceSkuInKey = (key: string, sku: string): string =>
  key.split('|').with(1, escaped(sku)).join('|')
