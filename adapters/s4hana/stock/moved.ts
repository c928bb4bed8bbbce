// The stock that a later read asks for: of products of which something has moved. Every movement is written down in a
// material document; whether that is so here is held against the range whose turn it is.
import { DISTANCE } from '../../odata/keys.ts'
import type { RecordOf } from '../../records.ts'
import type { Batch, SnapshotPage } from '../../rows/pages.ts'
import { newDocuments, type TakenDocuments } from '../demand/recent-documents.ts'
import type { StockRow } from '../entities.ts'
import { covers, isWithin, readScope, scopeOf } from '../scope.ts'
import type { System } from '../system.ts'
import type { Pair, Pairs } from './pairs.ts'
import { addPair, addToPair, emptyPair, keyOf, STOCK_ROWS } from './rows.ts'

/** What is stored of a pair. */
export type StoredPair = Pair & Partial<Omit<RecordOf<'stock'>, keyof Pair>>

/** Of more products than this share all stock is read. */
const MOST_MOVED = 1 / 3
/** More pairs in the range than these whose stock differs, though no document names them, are no accident. */
const UNEXPLAINED = { pairs: 5, share: 0.02 }

export interface Moved {
  page: SnapshotPage<'stock'>
  documents: TakenDocuments
}

/**
 * @param before the stored pairs
 * @param bad products with rows that could not be used
 * @returns null where all stock has to be read
 */
export async function readMoved(
  system: System,
  taken: TakenDocuments | null | undefined,
  before: readonly StoredPair[],
  bad: readonly string[],
  { keys, range, changed }: Pairs,
  signal: AbortSignal,
): Promise<Moved | null> {
  const since = range && (await newDocuments(system, taken, signal))
  if (!since) return null
  const lines = since.documents.flatMap((document) => document.to_MaterialDocumentItem)
  const moved = new Set(lines.flatMap(({ Material }) => Material || []))
  if (moved.size > new Set(keys.map(({ sku }) => sku)).size * MOST_MOVED) return null
  const stored = new Map(before.map((pair) => [keyOf(pair.sku, pair.location), pair]))
  const added = keys.filter(({ sku, location }) => !stored.has(keyOf(sku, location)))
  const scope = scopeOf(range, [...moved, ...changed, ...added.map(({ sku }) => sku), ...bad])
  const near = DISTANCE.consecutive
  const rows = await readScope<StockRow>(system, STOCK_ROWS, 'Material', scope, signal, near)
  const isRead = ({ sku }: Pair) => covers(scope, sku)
  const batch = stockOf(rows, keys.filter(isRead))
  const inTurn = batch.records.filter(({ sku }) => isWithin(range, sku) && !moved.has(sku))
  const unexplained = inTurn.filter(({ sku, location, ...quantities }) => {
    const pair = stored.get(keyOf(sku, location))
    return pair && isOther(pair, quantities)
  })
  const { pairs, share } = UNEXPLAINED
  if (unexplained.length > Math.max(pairs, inTurn.length * share)) return null
  const kept = keys.filter((pair) => !isRead(pair)).map(({ sku, location }) => ({ sku, location }))
  return {
    page: { ...batch, done: rows.length, total: rows.length, kept },
    documents: since.next,
  }
}

/** The stock of the pairs, and of pairs with rows that are not among them. */
function stockOf(rows: readonly StockRow[], pairs: readonly Pair[]): Batch<'stock'> {
  const all = new Map(
    pairs.map(({ sku, location }) => [keyOf(sku, location), emptyPair(sku, location)]),
  )
  for (const row of rows) {
    const key = keyOf(row.Material, row.Plant)
    const pair = all.get(key) ?? emptyPair(row.Material, row.Plant)
    all.set(key, pair)
    addToPair(pair, row)
  }
  const batch: Batch<'stock'> = { records: [], quarantined: [] }
  for (const pair of all.values()) addPair(batch, pair)
  return batch
}

const QUANTITIES = ['onHand', 'backorders', 'inInspection', 'blocked', 'inTransit'] as const

type Quantities = Partial<Record<(typeof QUANTITIES)[number], unknown>>

const isOther = (stored: Quantities, read: Quantities): boolean =>
  QUANTITIES.some((field) => Number(stored[field] ?? 0) !== Number(read[field] ?? 0))
