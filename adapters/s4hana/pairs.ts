// The pairs of product and plant whose stock the ERP manages, with or without stock.
import type { Cursor } from '../adapter.ts'
import { type Known, stateIn } from '../rows/pages.ts'
import { firstFrom, readChanges, readWhole } from './changes.ts'
import type { ProductPlantRow, ProductRow } from './entities.ts'
import {
  covers,
  firstTurn,
  MOST_PRODUCTS,
  nextTurn,
  readProducts,
  readTurn,
  scopeOf,
  type Turn,
} from './scope.ts'
import { PRODUCT } from './services.ts'
import { CHANGED_PRODUCTS } from './skus.ts'
import type { System } from './system.ts'

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
  cursor: Cursor
}

/** The cursor. */
interface State {
  /** Products changed at or after this instant have their pairs read again. */
  from: number
  turn: Turn
}

/**
 * All pairs and the cursor of the next read. Later reads ask for the pairs of changed products and of the range whose
 * turn it is; the others are as they are stored.
 */
export async function readPairs(
  system: System,
  { since, stored }: Known,
  signal: AbortSignal,
): Promise<Pairs> {
  const state = stored ? stateIn<State>(since, isState) : null
  if (!state) return readAllPairs(system, signal)
  const [changes, before] = await Promise.all([
    readChanges<ProductRow>(system, CHANGED_PRODUCTS, state.from, signal),
    stored!(),
  ])
  const changed = new Set(changes.rows.map(({ Product }) => Product))
  if (!before.length || changed.size > MOST_PRODUCTS) return readAllPairs(system, signal)
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
  const others = before
    .map(({ sku, location }): Pair => ({ sku: sku!, location: location! }))
    .filter(({ sku }) => !covers(scope, sku))
  return {
    keys: [...others, ...[...rows, ...named].map(toPair)],
    cursor: cursorOf({ from: changes.from, turn: nextTurn(state.turn, range) }),
  }
}

async function readAllPairs(system: System, signal: AbortSignal): Promise<Pairs> {
  const { rows, began } = await readWhole<ProductPlantRow>(system, PRODUCT_PLANTS, signal)
  const from = await firstFrom(system, CHANGED_PRODUCTS, began, signal)
  return {
    keys: rows.map(toPair),
    cursor: cursorOf({ from, turn: firstTurn(rows, PRODUCT_PLANTS) }),
  }
}

const isState = ({ from, turn }: Partial<State>) => typeof from === 'number' && Boolean(turn)
const cursorOf = (state: Omit<State, 'turn'> & { turn: Turn | null }): Cursor =>
  JSON.stringify(state)
const toPair = ({ Product, Plant }: ProductPlantRow): Pair => ({ sku: Product, location: Plant })
