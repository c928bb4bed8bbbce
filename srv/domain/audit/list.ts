import { rowsOf, type User, visibleEvents } from '../authority/index.ts'
import { actionOf, objectOf, toEntry, TRAILS } from './entries.ts'
import { readHead } from './head.ts'

/** What an entry is about that is of one location. */
const OF_ROWS = /^(prop|exc)_/

export interface Page {
  /** The sequence number of the last entry seen. */
  after?: string | null
  limit: number
}

/** Sealed entries, oldest first. What is sealed meanwhile comes later: one trail would show it, another not yet. */
export async function listTrail({ after, limit }: Page, user: User) {
  const from = Number(after ?? 0)
  const to = (await readHead())?.seq ?? 0
  const entries = []
  for (const trail of TRAILS) {
    const rows = await SELECT.from(trail.entity).where`seq > ${from} and seq <= ${to}`
      .orderBy('seq')
      .limit(limit + 1)
    entries.push(...rows.map((row) => toEntry(trail, row)))
  }
  const sorted = entries.sort((a, b) => a.seq - b.seq)
  const page = sorted.slice(0, limit)
  const named = page.map((entry) => ({ entry, object: objectOf(entry) }))
  // Rules and limits name what others see, so whoever is bound to rows sees of administration their own acts alone.
  const isShown = ({ entry, object }: (typeof named)[number]) =>
    OF_ROWS.test(object) || entry.row.actor === user.id
  const visible = await visibleEvents(user, rowsOf(user) ? named.filter(isShown) : named)
  return {
    data: visible.map(({ entry, object }) => ({
      seq: entry.seq,
      at: entry.at,
      actor: String(entry.row.actor),
      onBehalfOf: (entry.row.onBehalfOf as string | undefined) ?? null,
      via: (entry.row.via as string | null) ?? null,
      action: actionOf(entry),
      object,
      detail: ((entry.row.detail ?? entry.row.comment) as string | null) ?? null,
      quantity: entry.row.quantity == null ? null : Number(entry.row.quantity),
      previousHash: entry.previousHash,
      hash: entry.hash,
    })),
    next: sorted.length > limit ? String(page.at(-1)!.seq) : null,
  }
}
