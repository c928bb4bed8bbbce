// Which products are kept at which warehouses: those with stock, with moves in the history, and with order points.
import type { Exact } from '../rows/decimals.ts'
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

/** The lists that say where products are kept. */
export interface PairLists<Move extends ModelRow, Point extends ModelRow> {
  reader: ModelReader
  /** Moves of the history, the fields that say when they were changed, and the field of their product. */
  moves: ModelQuery
  changed: readonly string[]
  points: ModelQuery
  product: string
  /** From and to which warehouse something was moved; null for what is none. */
  ofMove(row: Move): { product: number | null; from: string | null; to: string | null }
  ofPoint(row: Point): { product: number | null; location: string | null | undefined }
}

/** @param since only pairs with moves that were changed since; null for those of the whole history */
export async function readPairs<Move extends ModelRow, Point extends ModelRow>(
  lists: PairLists<Move, Point>,
  since: number | null,
  signal: AbortSignal,
): Promise<Pairs> {
  const { reader, moves, changed } = lists
  const isNew = since === null ? [] : changedSince(reader, changed, since)
  const query = { ...moves, domain: [...moves.domain, ...isNew] }
  const pairs: Pairs = new Map()
  for await (const { rows } of readPages<Move>(reader, query, signal)) addMoves(pairs, lists, rows)
  addPoints(pairs, lists, await readRows<Point>(reader, lists.points, signal))
  return pairs
}

/** All pairs of some products. */
export async function readPairsOf<Move extends ModelRow, Point extends ModelRow>(
  lists: PairLists<Move, Point>,
  products: readonly number[],
  signal: AbortSignal,
): Promise<Pairs> {
  const { reader, moves, points, product: field } = lists
  const pairs: Pairs = new Map()
  addMoves(pairs, lists, await readRowsOf<Move>(reader, moves, field, products, signal))
  addPoints(pairs, lists, await readRowsOf<Point>(reader, points, field, products, signal))
  return pairs
}

function addMoves<Move extends ModelRow, Point extends ModelRow>(
  pairs: Pairs,
  { ofMove }: PairLists<Move, Point>,
  rows: readonly Move[],
): void {
  for (const row of rows) {
    const { product, from, to } = ofMove(row)
    if (product === null) continue
    if (from) addPair(pairs, product, from)
    if (to && to !== from) addPair(pairs, product, to)
  }
}

function addPoints<Move extends ModelRow, Point extends ModelRow>(
  pairs: Pairs,
  { ofPoint }: PairLists<Move, Point>,
  rows: readonly Point[],
): void {
  for (const row of rows) {
    const { product, location } = ofPoint(row)
    if (product !== null && location) addPair(pairs, product, location)
  }
}
