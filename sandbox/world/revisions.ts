// Changes of master data: each SKU is revised now and then, in its past and as the clock advances.
import { endOf } from './days.ts'
import { mix } from './hash.ts'
import type { Day } from './days.ts'
import type { World } from './world.ts'

export interface Revisions {
  isFlagged: boolean
  isRemoved: boolean
  /** Number of revisions since the sandbox's start. */
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
  const revision = revisionOn(world, sku, today)
  const revised = firstRevision(world, sku) + (revision - 1) * REVISION_DAYS
  const isFlagged = h % 100 === 1 || (h % 60 === 0 && ends)
  let changed = Math.max(CREATED + (h % 100_000) * 1000, endOf(revised))
  if (h % 60 === 0 && ends) changed = Math.max(changed, endOf(day))
  return {
    isFlagged,
    isRemoved: world.removedSkus.has(sku) || (h % 60 === 2 && ends),
    revision,
    changed,
  }
}

/** Number of revisions between the sandbox's start and a day; negative in the past. */
export function revisionOn(world: World, sku: number, day: Day): number {
  return 1 + Math.floor((day - firstRevision(world, sku) - 1) / REVISION_DAYS)
}

/** The day of the first revision from the sandbox's start on. */
function firstRevision(world: World, sku: number): Day {
  const h = mix(world.seed, sku, 91)
  return world.today0 + ((REVISION_DAYS - (h % REVISION_DAYS)) % REVISION_DAYS)
}

export const isAlive = (world: World, sku: number): boolean => !revisionsOf(world, sku).isRemoved
