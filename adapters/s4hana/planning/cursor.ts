import type { Cursor } from '../../adapter.ts'
import { stateIn } from '../../rows/pages.ts'
import type { Turn } from '../scope.ts'
import type { BadRow } from './info-records.ts'

/** What a read knows of the one before. */
export interface State {
  /** Products and info records changed at or after these instants have their planning read again. */
  products: number
  infoRecords: number
  /** Null where no range can be told, so that all is read each time. */
  turn: Turn | null
  /** Blocked suppliers, and `supplier/organisation`. */
  blocked: string[]
  /** Products with rows that could not be used, which are read until they can be: the places of the rows. */
  bad: Record<string, string[]>
}

/** The cursor of the pages of a whole read but its last. */
export const PARTIAL: Cursor = 'partial'

/** More products with bad rows wait for the next whole read. */
const MOST_BAD = 500

export const stateOf = (since: Cursor | null): State | null =>
  stateIn<State>(since, ({ products, bad }) => typeof products === 'number' && Boolean(bad))

export const cursorOf = (state: State): Cursor => JSON.stringify(state)

export function placesByProduct(bad: readonly BadRow[]): State['bad'] {
  const products = [...Map.groupBy(bad, ({ sku }) => sku)].slice(0, MOST_BAD)
  return Object.fromEntries(products.map(([sku, rows]) => [sku, rows.map(({ row }) => row.place)]))
}
