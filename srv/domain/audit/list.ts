import cds from '@sap/cds'
import { rowsOf, visibleEvents } from '../authority/index.ts'
import { actionOf, type Entry, objectOf, readTrails } from './chain.ts'
import { readHead } from './seal.ts'

/** What an entry is about that is of one location. */
const OF_ROWS = /^(prop|exc)_/

interface Page {
  /** The sequence number of the last entry seen. */
  after?: string | null
  limit: number
}

/**
 * The sealed entries that the present user sees, oldest first. What is sealed meanwhile comes later: one trail would show
 * it, another not yet.
 */
export async function listTrail({ after, limit }: Page) {
  const { user } = cds.context!
  const from = Number(after ?? 0)
  const to = (await readHead())?.seq ?? 0
  const entries = await readTrails((entity) =>
    SELECT.from(entity).where`seq > ${from} and seq <= ${to}`.orderBy('seq').limit(limit + 1),
  )
  const sorted = entries.sort((a, b) => a.seq - b.seq)
  const page = sorted.slice(0, limit)
  const named = page.map((entry) => ({ entry, object: objectOf(entry) }))
  // Rules and limits name what others see, so whoever is bound to rows sees of administration their own acts alone.
  const isShown = ({ entry, object }: (typeof named)[number]) =>
    OF_ROWS.test(object) || entry.row.actor === user.id
  const visible = await visibleEvents(user, rowsOf(user) ? named.filter(isShown) : named)
  return {
    data: visible.map(({ entry }) => toListed(entry)),
    next: sorted.length > limit ? String(page.at(-1)!.seq) : null,
  }
}

/** An entry as it is told. */
export type ListedEntry = ReturnType<typeof toListed>

const toListed = (entry: Entry) => {
  const { row, seq, at, previousHash, hash } = entry
  return {
    seq,
    at,
    actor: String(row.actor),
    onBehalfOf: (row.onBehalfOf as string | undefined) ?? null,
    via: (row.via as string | null) ?? null,
    action: actionOf(entry),
    object: objectOf(entry),
    detail: ((row.detail ?? row.comment) as string | null) ?? null,
    quantity: row.quantity == null ? null : Number(row.quantity),
    previousHash: previousHash!,
    hash: hash!,
  }
}
