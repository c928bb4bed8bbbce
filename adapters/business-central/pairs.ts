// Which items are, or were, at which locations: Business Central has no list of it.
import { type Known, type SnapshotPage, stateIn } from '../rows/pages.ts'
import type { RecordKind } from '../records.ts'
import { LEDGER_OVERLAP, ledgerQuery, sinceHistory } from './ledger.ts'
import type { System } from './system.ts'

export interface Pair {
  sku: string
  location: string
}

export interface Pairs {
  /** By {@link pairKey}. */
  pairs: Map<string, Pair>
  /** To be stored as the read's cursor. */
  cursor: string
}

interface State {
  /** The newest ledger entry that was seen. */
  entry: number
}

export const pairKey = (sku: string, location: string) => `${sku}\n${location}`

/** Of the last year at most: what has not moved for longer, and is not in stock, needs no plan. */
const MOST_DAYS = 365

/** The pairs that are stored, and those of newer ledger entries; in a full read those of all entries of a year. */
export function readPairs(system: System, known: Known, signal: AbortSignal): Promise<Pairs> {
  const state = stateIn<State>(known.since, ({ entry }) => typeof entry === 'number')
  if (state && known.stored) return readNewer(system, state, known.stored, signal)
  // Stock and planning of one sync share the read.
  return system.once.get('pairs', () => readEntries(system, null, new Map(), signal))
}

async function readNewer(
  system: System,
  { entry }: State,
  stored: NonNullable<Known['stored']>,
  signal: AbortSignal,
): Promise<Pairs> {
  const pairs = new Map<string, Pair>()
  for (const { sku, location } of await stored()) {
    pairs.set(pairKey(sku!, location!), { sku: sku!, location: location! })
  }
  return readEntries(system, entry, pairs, signal)
}

async function readEntries(
  system: System,
  after: number | null,
  pairs: Map<string, Pair>,
  signal: AbortSignal,
): Promise<Pairs> {
  const { history_days: days, blank_location: blank } = system.options
  const filter = after === null ? sinceHistory(Math.min(days, MOST_DAYS)) : null
  const start = after === null ? null : String(Math.max(0, after - LEDGER_OVERLAP))
  const query = await ledgerQuery(system, ['itemNo', 'locationCode'], filter, signal)
  let entry = after ?? 0
  for await (const { rows, last } of system.pages<{ itemNo: string; locationCode: string }>(
    query,
    start,
    signal,
  )) {
    for (const { itemNo, locationCode } of rows) {
      const location = locationCode || blank
      const key = pairKey(itemNo, location)
      if (itemNo && !pairs.has(key)) pairs.set(key, { sku: itemNo, location })
    }
    entry = Math.max(entry, Number(last ?? 0))
  }
  return { pairs, cursor: JSON.stringify({ entry }) }
}

/** Records of a page without rows of the ERP. */
export const PAGE_PAIRS = 1_000

/** Pages of what is made of these pairs. */
export function* pagesOfPairs<K extends RecordKind>(
  pairs: Pair[],
  { done, cursor }: Pick<SnapshotPage<K>, 'done' | 'cursor'>,
  add: (batch: SnapshotPage<K>, pair: Pair) => void,
): Generator<SnapshotPage<K>> {
  for (let at = 0; at < pairs.length; at += PAGE_PAIRS) {
    const page: SnapshotPage<K> = { records: [], quarantined: [], done, total: null, cursor }
    for (const pair of pairs.slice(at, at + PAGE_PAIRS)) add(page, pair)
    yield page
  }
}
