// The orders whose lines a later read asks for: those that something is known to have changed of, and some in turn, since
// not every change is told.
import { firstFrom, readChanges } from '../changes.ts'
import {
  allTaken,
  newDocuments,
  type RecentDocument,
  type TakenDocuments,
} from '../demand/recent-documents.ts'
import type { EntityQuery } from '../../odata/reader.ts'
import { isNotThere } from '../../errors.ts'
import type { System } from '../system.ts'

/** What a read knows of the one before. */
export interface OrdersState {
  /** Orders changed at or after this instant. */
  changes: number
  documents: TakenDocuments
  /** Orders with rows that could not be used, which are read until they can be. */
  bad: string[]
  /** The orders after this one have the next turn. */
  turn: string
}

/** Of a cursor. */
export const isOrdersState = ({ changes, documents, turn }: Partial<OrdersState>): boolean =>
  typeof changes === 'number' && Boolean(documents) && turn !== undefined

/** Orders that have a turn in each read … */
const LEAST_ORDERS = 700
/** … or as many that all are through within so many reads. */
const TURNS = 24

export interface OrderChanges {
  /** By their headers. */
  orders: ReadonlySet<string>
  documents: RecentDocument[]
  next: Pick<OrdersState, 'changes' | 'documents'>
}

/**
 * What has changed since.
 * @param headers a list of orders with `LastChangeDateTime`
 * @returns null where that cannot be told
 */
export const orderChanges = (
  system: System,
  headers: EntityQuery,
  before: OrdersState,
  signal: AbortSignal,
): Promise<OrderChanges | null> =>
  orNull(async () => {
    const [since, changes] = await Promise.all([
      newDocuments(system, before.documents, signal),
      readChanges<object>(system, headers, before.changes, signal),
    ])
    if (!since) return null
    const field = headers.key[0]!
    const orders = changes.rows.map((row) => String((row as Record<string, unknown>)[field]))
    const next = { changes: changes.from, documents: since.next }
    return { orders: new Set(orders), documents: since.documents, next }
  })

/**
 * From where the read looks that follows a whole one; it must be called first.
 * @returns null where changes cannot be told
 */
export const firstState = (
  system: System,
  headers: EntityQuery,
  signal: AbortSignal,
): Promise<Pick<OrdersState, 'changes' | 'documents'> | null> =>
  orNull(async () => {
    const began = (await system.probe(headers, signal)).getTime()
    const documents = await allTaken(system, signal)
    return documents && { documents, changes: await firstFrom(system, headers, began, signal) }
  })

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isNotThere(error)) return null
    throw error
  }
}

/** The orders whose turn it is, and the last of them; '' where the next turn begins anew. */
export function ordersInTurn(numbers: Iterable<string>, after: string): [Set<string>, string] {
  const orders = [...new Set(numbers)].sort()
  const first = orders.findIndex((order) => order > after)
  const start = Math.max(first, 0)
  const end = start + Math.max(LEAST_ORDERS, Math.ceil(orders.length / TURNS))
  const inTurn = orders.slice(start, end)
  return [new Set(inTurn), end < orders.length ? (inTurn.at(-1) ?? '') : '']
}
