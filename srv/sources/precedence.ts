import { writeAuditLog } from '../store/audit.ts'
import { Sources } from '../store/entities.ts'
import { DEFAULT_PRECEDENCE } from '../store/leads.ts'

/** Pairs of a source that another one leads. */
export interface LedPairs {
  source: number
  pairs: number
}

/** How many pairs of each of these sources others lead, as the last sync of either has settled it. */
export async function readLedPairs(sources: number[]): Promise<Map<number, LedPairs[]>> {
  if (!sources.length) return new Map()
  const rows = (await SELECT.from('restock.Series')
    .columns('source_ID as of', 'ledBy as source', 'count(*) as pairs')
    .where({ source_ID: { in: sources }, ledBy: { '!=': null } })
    .groupBy('source_ID', 'ledBy')
    .orderBy('ledBy')) as { of: number; source: number; pairs: unknown }[]
  const counts = rows.map(({ of, source, pairs }) => ({ of, source, pairs: Number(pairs) }))
  const bySource = Map.groupBy(counts, ({ of }) => of)
  return new Map(
    [...bySource].map(([of, led]) => [of, led.map(({ source, pairs }) => ({ source, pairs }))]),
  )
}

/** Stores a changed precedence and its entry in the audit log, in the caller's transaction. */
export async function storePrecedence(ID: number, precedence: number) {
  const row = await SELECT.one.from(Sources).columns('precedence').where({ ID })
  const before = row?.precedence ?? DEFAULT_PRECEDENCE
  if (before === precedence) return
  await UPDATE.entity(Sources).set({ precedence }).where({ ID })
  await writeAuditLog('source.precedence_changed', `src_${ID}`, `${before} → ${precedence}`)
}
