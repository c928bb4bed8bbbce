// Changes of master data as the clock advances.
import { endOf } from './days.ts'
import { mix } from './hash.ts'
import type { Day } from './days.ts'
import type { World } from './world.ts'

export interface Revisions {
  isFlagged: boolean
  isRemoved: boolean
  /** Number of revisions so far. */
  revision: number
  /** Time of the last change, milliseconds. */
  changed: number
}

const CREATED = Date.UTC(2021, 2, 1, 8)
const REVISION_DAYS = 997

export function revisionsOf(world: World, sku: number): Revisions {
  const today = world.clock.today()
  const h = mix(world.seed, sku, 91)
  const day: Day = world.today0 + ((h >>> 8) % 120)
  const ends = day < today
  const days = today - world.today0
  const first = (REVISION_DAYS - (h % REVISION_DAYS)) % REVISION_DAYS
  const revision = days > first ? 1 + Math.floor((days - first - 1) / REVISION_DAYS) : 0
  const revised = world.today0 + first + (revision - 1) * REVISION_DAYS
  const isFlagged = h % 100 === 1 || (h % 60 === 0 && ends)
  let changed = CREATED + (h % 100_000) * 1000
  if (revision > 0) changed = endOf(revised)
  if (h % 60 === 0 && ends) changed = Math.max(changed, endOf(day))
  return {
    isFlagged,
    isRemoved: world.removedSkus.has(sku) || (h % 60 === 2 && ends),
    revision,
    changed,
  }
}

export const isAlive = (world: World, sku: number): boolean => !revisionsOf(world, sku).isRemoved
