import { count } from '../text.ts'
import type { components, Restock } from '../../client/index.ts'

type BlockedPair = components['schemas']['BlockedPair']

const PAGE = 200
/** Most calls for counting what is blocked. */
const MOST_CALLS = 10

/** Files of a csv source that name what can be missing. */
const FILES: Record<string, { stream: string; file: string }> = {
  stock: { stream: 'stock', file: 'stock.csv' },
  lead_time: { stream: 'planning', file: 'planning.csv' },
}

/**
 * Why there may be no proposals: what is missing, and which file would name it; empty where nothing is blocked, or the
 * key may not know.
 *
 * @example ' 280 pairs are blocked: 280 without a stock (no stock.csv in src_2); see "restock proposals blocked".'
 */
export async function whyNone(client: Restock): Promise<string> {
  const { pairs, isAll } = await blockedPairs(client).catch(() => ({ pairs: [], isAll: true }))
  if (!pairs.length) return ''
  const distinct = new Set(pairs.map(({ sku, location }) => JSON.stringify([sku, location]))).size
  const byKind = Map.groupBy(pairs, ({ missing }) => missing)
  const files = await missingFiles(client, [...byKind.keys()]).catch(() => [])
  const parts = [...byKind].map(([missing, of]) => `${of.length} ${missing.replaceAll('_', ' ')}`)
  const lacking = files.length ? `; there is no ${files.join(' and no ')}` : ''
  const verb = distinct === 1 ? 'is' : 'are'
  const many = `${isAll ? '' : 'More than '}${count(distinct, 'pair')} ${verb} blocked`
  return ` ${many}, missing: ${parts.join(', ')}${lacking}. See "restock proposals blocked".`
}

async function blockedPairs(client: Restock): Promise<{ pairs: BlockedPair[]; isAll: boolean }> {
  const pairs: BlockedPair[] = []
  let calls = 0
  for await (const page of client.pages('/proposals/blocked', { query: { limit: PAGE } })) {
    pairs.push(...page.data)
    if (++calls === MOST_CALLS && page.next_cursor) return { pairs, isAll: false }
  }
  return { pairs, isAll: true }
}

/** Files that a folder lacks, e.g. `stock.csv in src_2`. */
async function missingFiles(client: Restock, missing: string[]): Promise<string[]> {
  const wanted = missing.flatMap((kind) => FILES[kind] ?? [])
  const found: string[] = []
  for await (const { id, type, streams } of client.list('/sources', { query: { limit: PAGE } })) {
    if (type !== 'csv') continue
    for (const { stream, file } of wanted) {
      const isAbsent = streams?.some((each) => each.stream === stream && each.status === 'absent')
      if (isAbsent) found.push(`${file} in ${id}`)
    }
  }
  return found
}
