// At most two info records per SKU: the main supplier's and a second source's. Each has data for all plants,
// for single plants, or both.
import { mix } from './hash.ts'
import { revisionsOf } from './revisions.ts'
import { otherSupplierCode, supplierCode } from './suppliers.ts'
import type { World } from './world.ts'

/** Slots of plant data per record: for all plants, and for the SKU's first and second plant. */
export const INFO_ROWS = 3
const FIRST_NUMBER = 5_300_000_000

export interface Info {
  supplier: string
  isRegular: boolean
  isDeleted: boolean
}

/** @param slot SKU × 2 + (0 for the main supplier, 1 for the second source) */
export function infoOf(world: World, slot: number): Info | null {
  const sku = slot >> 1
  const h = mix(world.seed, sku, 111)
  if (slot % 2 === 1) {
    return h % 3 === 0
      ? { supplier: otherSupplierCode(sku, world.pairs.skus), isRegular: false, isDeleted: false }
      : null
  }
  if (h % 33 === 4) return null
  return { supplier: supplierCode(sku), isRegular: h % 80 !== 6, isDeleted: h % 90 === 8 }
}

export const infoNumber = (slot: number): string => String(FIRST_NUMBER + slot)

export interface OrgPlant {
  isMaintained: boolean
  /** Blank for all plants. */
  plant: string
  isFlagged: boolean
  /** Calendar days; 0 where not maintained. */
  deliveryDays: number
  /** Thousandths of the order unit. */
  minimum: number
  standard: number
  /** Thousandths of a euro for `per` price units. */
  price: number
  per: number
  isPriceInBase: boolean
}

/** @param slot (info slot) × 3 + (0 all plants, 1 first, 2 second plant) */
export function orgPlantOf(world: World, slot: number): OrgPlant {
  const at = Math.floor(slot / INFO_ROWS)
  const row = slot % INFO_ROWS
  const sku = at >> 1
  const { pairs, seed } = world
  const own = pairs.pairsOf(sku)
  const h = mix(seed, at, 112)
  const g = mix(seed, at, 113, row)
  const plant = row === 0 ? undefined : own[row - 1]
  const onlyPlants = h % 20 === 3
  const exists = row === 0 ? !onlyPlants : plant !== undefined && (onlyPlants || g % 3 === 0)
  return {
    isMaintained: exists && infoOf(world, at) !== null,
    plant: row === 0 ? '' : plant === undefined ? '~' : pairs.plantCodes[pairs.plantOf(plant)]!,
    isFlagged: g % 97 === 7,
    deliveryDays: g % 12 === 0 ? 0 : 2 + ((g >>> 5) % 27) + revisionsOf(world, sku).revision,
    minimum: (g >>> 10) & 1 ? (1 + ((g >>> 11) % 5)) * 1000 : 0,
    standard: 1000,
    price: 500 + ((g >>> 3) % 50_000) * 10,
    per: [1, 1, 10, 100][(g >>> 20) & 3]!,
    isPriceInBase: (h >>> 7) % 3 === 0,
  }
}
