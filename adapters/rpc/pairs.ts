// Which products are kept at which warehouses: those with stock, with moves in the history, and with order points.
import type { Exact } from '../rows/decimals.ts'
import type { Catalogue } from './catalogue.ts'
import type { ModelQuery, ModelReader, ModelRow } from './reader.ts'
import { changedSince, readPages, readRows, readRowsOf } from './reader.ts'

/** The locations of each product, by its number. */
export type Pairs = Map<number, Set<string>>

export function addPair(pairs: Pairs, product: number, location: string): void {
  const own = pairs.get(product)
  if (own) own.add(location)
  else pairs.set(product, new Set([location]))
}

/** Of each product number, by warehouse; without zeros. */
export type Quantities = Map<number, Map<string, Exact>>

/** What streams of products have in common; each is read once. */
export interface ProductReads {
  readonly client: ModelReader
  quantities(signal: AbortSignal): Promise<Quantities>
  catalogue(signal: AbortSignal): Promise<Catalogue>
}

/** The pairs of products with stock. @param products all unless given */
export function addStocked(
  pairs: Pairs,
  quantities: Quantities,
  products: Iterable<number> = quantities.keys(),
): void {
  for (const product of products) {
    for (const location of quantities.get(product)?.keys() ?? []) addPair(pairs, product, location)
  }
}

/** The lists that say where products are kept; each adapter reads its own rows of them. */
export interface PairLists {
  reader: ModelReader
  /** Moves of the history, the fields that say when they were changed, and the field of their product. */
  moves: ModelQuery
  changed: readonly string[]
  points: ModelQuery
  product: string
  /** From and to which warehouse something was moved; null for what is none. */
  ofMove(row: ModelRow): { product: number | null; from: string | null; to: string | null }
  ofPoint(row: ModelRow): { product: number | null; location: string | null | undefined }
}

/** @param since only pairs with moves that were changed since; null for those of the whole history */
export async function readPairs(
  lists: PairLists,
  since: number | null,
  signal: AbortSignal,
): Promise<Pairs> {
  const { reader, moves, changed } = lists
  const isNew = since === null ? [] : changedSince(reader, changed, since)
  const query = { ...moves, domain: [...moves.domain, ...isNew] }
  const pairs: Pairs = new Map()
  for await (const { rows } of readPages(reader, query, signal)) addMoves(pairs, lists, rows)
  addPoints(pairs, lists, await readRows(reader, lists.points, signal))
  return pairs
}

/** All pairs of some products. */
export async function readPairsOf(
  lists: PairLists,
  products: readonly number[],
  signal: AbortSignal,
): Promise<Pairs> {
  const { reader, moves, points, product: field } = lists
  const pairs: Pairs = new Map()
  addMoves(pairs, lists, await readRowsOf(reader, moves, field, products, signal))
  addPoints(pairs, lists, await readRowsOf(reader, points, field, products, signal))
  return pairs
}

function addMoves(pairs: Pairs, { ofMove }: PairLists, rows: readonly ModelRow[]): void {
  for (const row of rows) {
    const { product, from, to } = ofMove(row)
    if (product === null) continue
    if (from) addPair(pairs, product, from)
    if (to && to !== from) addPair(pairs, product, to)
  }
}

function addPoints(pairs: Pairs, { ofPoint }: PairLists, rows: readonly ModelRow[]): void {
  for (const row of rows) {
    const { product, location } = ofPoint(row)
    if (product !== null && location) addPair(pairs, product, location)
  }
}
