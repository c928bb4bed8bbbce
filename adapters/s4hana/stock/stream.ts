// Stock of pairs, by storage location, batch and type.
import type { Cursor } from '../../adapter.ts'
import { Retriable } from '../../errors.ts'
import {
  type Batch,
  type Known,
  type SnapshotPage,
  startWithoutWaiting,
  stateIn,
} from '../../rows/pages.ts'
import { allTaken, type TakenDocuments } from '../demand/recent-documents.ts'
import type { StockRow } from '../entities.ts'
import type { System } from '../system.ts'
import { type PairStock, toStock } from '../to-product.ts'
import { readMoved, type StoredPair } from './moved.ts'
import { type Pairs, type PairState, readPairs } from './pairs.ts'
import { addPair, addToPair, emptyPair, keyOf, STOCK_ROWS } from './rows.ts'

/** Records per page of pairs without stock. */
const PAGE_ROWS = 1_000

/** The cursor. */
interface State extends PairState {
  /** The documents whose products' stock has been read; null where documents cannot be read. */
  documents: TakenDocuments | null
  /** Products with rows that could not be used, which are read until they can be. */
  bad: string[]
}

const isState = ({ from }: Partial<State>) => typeof from === 'number'

/**
 * Pairs with stock first, then pairs without stock, for which the ERP has no stock rows. A later read asks for the stock of
 * products of which something has moved since, and of the range whose turn it is; the others keep theirs.
 */
export async function* readStock(
  system: System,
  signal: AbortSignal,
  { since, stored }: Known,
): AsyncGenerator<SnapshotPage<'stock'>> {
  const state = stored ? stateIn<State>(since, isState) : null
  const before = state ? ((await stored!()) as object[] as StoredPair[]) : []
  const pairs = startWithoutWaiting(readPairs(system, state, before, signal))
  if (!state?.documents) {
    yield* readAllStock(system, pairs, signal)
    return
  }
  const found = await pairs
  const moved = await readMoved(system, state.documents, before, state.bad, found, signal)
  if (!moved) {
    yield* readAllStock(system, pairs, signal)
    return
  }
  const { page, documents } = moved
  yield { ...page, cursor: cursorOf({ ...found.next, documents, bad: productsOf(page) }) }
}

/** All pairs' stock. */
async function* readAllStock(
  system: System,
  pairs: Promise<Pairs>,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'stock'>> {
  // Before the stock is: what moves meanwhile is read once more.
  const documents = await allTaken(system, signal)
  const seen = new Set<string>()
  const bad: string[] = []
  let [done, total]: [number, number | null] = [0, null]
  let pair = null as PairStock | null
  for await (const page of system.pages<StockRow>(STOCK_ROWS, {}, signal)) {
    done += page.rows.length
    total ??= page.total
    const batch: SnapshotPage<'stock'> = { records: [], quarantined: [], done, total }
    for (const row of page.rows) {
      if (pair?.sku !== row.Material || pair.location !== row.Plant) {
        if (pair) finishPair(pair, seen, batch)
        pair = emptyPair(row.Material, row.Plant)
      }
      addToPair(pair, row)
    }
    bad.push(...productsOf(batch))
    yield batch
  }
  const { keys, next } = await pairs
  const last: SnapshotPage<'stock'> = { records: [], quarantined: [], done, total }
  if (pair) finishPair(pair, seen, last)
  bad.push(...productsOf(last))
  yield { ...last, cursor: cursorOf({ ...next, documents, bad }) }
  const without = keys.filter(({ sku, location }) => !seen.has(keyOf(sku, location)))
  for (let at = 0; at < without.length; at += PAGE_ROWS) {
    const records = without
      .slice(at, at + PAGE_ROWS)
      .map(({ sku, location }) => toStock(emptyPair(sku, location)))
    yield { records, quarantined: [], done, total }
  }
}

const cursorOf = (state: State): Cursor => JSON.stringify(state)

const productsOf = ({ quarantined }: Batch<'stock'>): string[] => [
  ...new Set(quarantined.flatMap(({ sku }) => sku ?? [])),
]

function finishPair(pair: PairStock, seen: Set<string>, batch: Batch<'stock'>): void {
  const key = keyOf(pair.sku, pair.location)
  if (seen.has(key)) throw new Retriable('The stock did not come in the order of its key.')
  seen.add(key)
  addPair(batch, pair)
}
