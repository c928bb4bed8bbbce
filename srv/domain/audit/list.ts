import cds from '@sap/cds'
import type { PageQuery } from '../../base/database/rows.ts'
import { restrictionOf, visibleEvents } from '../authority/index.ts'
import { actionOf, type Entry, objectOf, readTrails } from './chain.ts'
import { readHead } from './seal.ts'

/** Objects that belong to one location. */
const OF_ROWS = /^(prop|exc)_/

/**
 * The sealed entries that the present user sees, oldest first. Entries without a place in the chain are not listed yet,
 * so that a page never changes afterwards.
 */
export async function listTrail({ after, limit }: PageQuery) {
  const { user } = cds.context!
  const from = Number(after ?? 0)
  const to = (await readHead())?.seq ?? 0
  const entries = await readTrails((entity) =>
    SELECT.from(entity).where`seq > ${from} and seq <= ${to}`.orderBy('seq').limit(limit + 1),
  )
  const sorted = entries.sort((a, b) => a.seq - b.seq)
  const page = sorted.slice(0, limit)
  const named = page.map((entry) => ({ entry, object: objectOf(entry) }))
  // Rules and limits mention what others see. A user who is restricted to some rows therefore sees only their own
  // administrative changes.
  const isShown = ({ entry, object }: (typeof named)[number]) =>
    OF_ROWS.test(object) || entry.row.actor === user.id
  const visible = await visibleEvents(user, restrictionOf(user) ? named.filter(isShown) : named)
  return {
    data: visible.map(({ entry }) => toListed(entry)),
    next: sorted.length > limit ? String(page.at(-1)!.seq) : null,
  }
}

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
