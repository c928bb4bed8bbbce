// The pairs of product and plant whose stock the ERP manages, with or without stock.
import { firstFrom, readChanges, readWhole } from '../changes.ts'
import type { ProductPlantRow, ProductRow } from '../entities.ts'
import {
  covers,
  firstTurn,
  MOST_PRODUCTS,
  nextTurn,
  type Range,
  readProducts,
  readTurn,
  scopeOf,
  type Turn,
} from '../scope.ts'
import { PRODUCT } from '../services.ts'
import { CHANGED_PRODUCTS } from '../skus.ts'
import type { System } from '../system.ts'

const PRODUCT_PLANTS = {
  service: PRODUCT,
  set: 'A_ProductPlant',
  key: ['Product', 'Plant'],
  select: ['Product', 'Plant'],
}

export interface Pair {
  sku: string
  location: string
}

export interface Pairs {
  keys: Pair[]
  /** The range of products whose turn it was; null where all were read. */
  range: Range | null
  /** Products whose pairs were read again besides. */
  changed: ReadonlySet<string>
  next: PairState
}

/** Of the cursor. */
export interface PairState {
  /** Products changed at or after this instant have their pairs read again. */
  from: number
  turn: Turn | null
}

/**
 * All pairs, and from where the next read goes on. Later reads ask for the pairs of changed products and of the range whose
 * turn it is; the others are as they are stored.
 */
export async function readPairs(
  system: System,
  state: PairState | null,
  before: readonly Pair[],
  signal: AbortSignal,
): Promise<Pairs> {
  if (!state?.turn || !before.length) return readAllPairs(system, signal)
  const changes = await readChanges<ProductRow>(system, CHANGED_PRODUCTS, state.from, signal)
  const changed = new Set(changes.rows.map(({ Product }) => Product))
  if (changed.size > MOST_PRODUCTS) return readAllPairs(system, signal)
  const read = await readTurn<ProductPlantRow>(system, PRODUCT_PLANTS, state.turn, signal)
  if (!read) return readAllPairs(system, signal)
  const { rows, range } = read
  const scope = scopeOf(range, changed)
  const { products } = scope
  const named = await readProducts<ProductPlantRow>(
    system,
    PRODUCT_PLANTS,
    'Product',
    products,
    signal,
  )
  const others = before.filter(({ sku }) => !covers(scope, sku))
  return {
    keys: [...others, ...[...rows, ...named].map(toPair)],
    range,
    changed,
    next: { from: changes.from, turn: nextTurn(state.turn, range) },
  }
}

async function readAllPairs(system: System, signal: AbortSignal): Promise<Pairs> {
  const { rows, began } = await readWhole<ProductPlantRow>(system, PRODUCT_PLANTS, signal)
  const from = await firstFrom(system, CHANGED_PRODUCTS, began, signal)
  return {
    keys: rows.map(toPair),
    range: null,
    changed: new Set(),
    next: { from, turn: firstTurn(rows, PRODUCT_PLANTS) },
  }
}

const toPair = ({ Product, Plant }: ProductPlantRow): Pair => ({ sku: Product, location: Plant })
