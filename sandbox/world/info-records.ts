// At most three info records per SKU: the main supplier's, a second source's, and that of a supplier of long ago, which
// is deleted. Each has data for all plants, for single plants, or both.
import { mix } from './hash.ts'
import { revisionOn, revisionsOf } from './revisions.ts'
import { otherSupplierCode, supplierCode } from './suppliers.ts'
import type { Day } from './days.ts'
import type { World } from './world.ts'

/** Slots of records per SKU: the main supplier, the second source, the former supplier. */
export const INFO_SLOTS = 3
/** Slots of plant data per record: for all plants, and for the SKU's first and second plant. */
export const INFO_ROWS = 3
const FIRST_NUMBER = 5_300_000_000

export interface Info {
  supplier: string
  isRegular: boolean
  isDeleted: boolean
}

const FORMER = 2

export const skuOfInfo = (slot: number): number => Math.floor(slot / INFO_SLOTS)

/** @param slot SKU × INFO_SLOTS + the slot of the record */
export function infoOf(world: World, slot: number): Info | null {
  const sku = skuOfInfo(slot)
  const which = slot % INFO_SLOTS
  const h = mix(world.seed, sku, 111)
  if (which > 0) {
    const exists = which === FORMER ? (h >>> 8) % 5 < 2 : h % 3 === 0
    if (!exists) return null
    const supplier = otherSupplierCode(sku, world.pairs.skus)
    return { supplier, isRegular: false, isDeleted: which === FORMER }
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
  /** Until when the price is valid, milliseconds. */
  validTo: number
}

const NO_END = Date.UTC(9999, 11, 31)
const FORMER_END = Date.UTC(2022, 11, 31)

/** The same for each record and row; a former supplier's are beyond all others. */
function saltOf(record: number): number {
  const which = record % INFO_SLOTS
  return which === FORMER ? 1e8 + record : skuOfInfo(record) * 2 + which
}

/** The price of a row of plant data on a day: 3 % more after each revision. In thousandths of a euro. */
export function priceOn(world: World, slot: number, day: Day): number {
  const g = mix(world.seed, saltOf(Math.floor(slot / INFO_ROWS)), 113, slot % INFO_ROWS)
  const revision = revisionOn(world, skuOfInfo(Math.floor(slot / INFO_ROWS)), day)
  return Math.round((500 + ((g >>> 3) % 50_000) * 10) * (1 + 0.03 * revision))
}

/** @param slot (info slot) × 3 + (0 all plants, 1 first, 2 second plant) */
export function orgPlantOf(world: World, slot: number): OrgPlant {
  const at = Math.floor(slot / INFO_ROWS)
  const row = slot % INFO_ROWS
  const sku = skuOfInfo(at)
  const isFormer = at % INFO_SLOTS === FORMER
  const { pairs, seed } = world
  const own = pairs.pairsOf(sku)
  const h = mix(seed, saltOf(at), 112)
  const g = mix(seed, saltOf(at), 113, row)
  const plant = row === 0 ? undefined : own[row - 1]
  const onlyPlants = h % 20 === 3
  const exists = row === 0 ? !onlyPlants : plant !== undefined && (onlyPlants || g % 3 === 0)
  return {
    isMaintained: exists && infoOf(world, at) !== null,
    plant: row === 0 ? '' : plant === undefined ? '~' : pairs.plantCodes[pairs.plantOf(plant)]!,
    isFlagged: isFormer || g % 97 === 7,
    deliveryDays: g % 12 === 0 ? 0 : 2 + ((g >>> 5) % 27) + revisionsOf(world, sku).revision,
    minimum: (g >>> 10) & 1 ? (1 + ((g >>> 11) % 5)) * 1000 : 0,
    standard: 1000,
    price: priceOn(world, slot, world.clock.today()),
    per: [1, 1, 10, 100][(g >>> 20) & 3]!,
    isPriceInBase: (h >>> 7) % 3 === 0,
    validTo: isFormer ? FORMER_END : NO_END,
  }
}
