// Whose planning is read: all products in a whole read, else those that something has changed of that it is composed
// of, and those whose turn it is, because most of its lists say nothing of their changes.
import { names } from '../../rows/names.ts'
import { firstFrom, readChanges, readWhole } from '../changes.ts'
import type { InfoRecordRow, ProductRow, SupplyPlanningRow } from '../entities.ts'
import type { Scope } from '../scope.ts'
import { firstTurn, MOST_PRODUCTS, nextTurn, readProducts, readTurn, scopeOf } from '../scope.ts'
import { PRODUCT } from '../services.ts'
import { CHANGED_PRODUCTS } from '../skus.ts'
import type { System } from '../system.ts'
import type { State } from './cursor.ts'
import { CHANGED_INFO_RECORDS, INFO_RECORDS } from './info-records.ts'

interface Supplies {
  supplies: SupplyPlanningRow[]
  /** Of the next read, but for the rows that turn out to be bad. */
  state: Omit<State, 'bad'>
}

/** The products to be read, and their rows; null where all are read: much has changed, or no range can be told. */
export async function readSome(
  system: System,
  before: State,
  blocked: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<(Supplies & { scope: Scope }) | null> {
  if (!before.turn) return null
  const { named, products, infoRecords } = await readChanged(system, before, blocked, signal)
  if (named.size > MOST_PRODUCTS) return null
  const read = await readTurn<SupplyPlanningRow>(system, SUPPLY_PLANNING, before.turn, signal)
  if (!read) return null
  const { rows, range } = read
  const scope = scopeOf(range, named)
  const others = await readProducts<SupplyPlanningRow>(
    system,
    SUPPLY_PLANNING,
    'Product',
    scope.products,
    signal,
  )
  const turn = nextTurn(before.turn, range)
  const state = { products, infoRecords, turn, blocked: [...blocked].sort() }
  return { scope, supplies: [...rows, ...others], state }
}

export async function readAll(
  system: System,
  blocked: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Supplies> {
  const whole = await readWhole<SupplyPlanningRow>(system, SUPPLY_PLANNING, signal)
  const { rows: supplies, began } = whole
  const [products, infoRecords] = await Promise.all([
    firstFrom(system, CHANGED_PRODUCTS, began, signal),
    firstFrom(system, CHANGED_INFO_RECORDS, began, signal),
  ])
  const turn = firstTurn(supplies, SUPPLY_PLANNING)
  return { supplies, state: { products, infoRecords, turn, blocked: [...blocked].sort() } }
}

/** The products that something has changed of, and from when the next read looks. */
async function readChanged(
  system: System,
  before: State,
  blocked: ReadonlySet<string>,
  signal: AbortSignal,
) {
  const [products, infoRecords, ofSuppliers] = await Promise.all([
    readChanges<ProductRow>(system, CHANGED_PRODUCTS, before.products, signal),
    readChanges<InfoRecordRow>(system, CHANGED_INFO_RECORDS, before.infoRecords, signal),
    productsOf(system, suppliersOf(difference(before.blocked, blocked)), signal),
  ])
  const named = new Set([
    ...products.rows.map(({ Product }) => Product),
    ...infoRecords.rows.flatMap(({ Material }) => Material || []),
    ...ofSuppliers,
    ...Object.keys(before.bad),
  ])
  return { named, products: products.from, infoRecords: infoRecords.from }
}

/** What one of the two has and the other has not. */
function difference(before: readonly string[], now: ReadonlySet<string>): string[] {
  const then = new Set(before)
  return [...before.filter((each) => !now.has(each)), ...[...now].filter((each) => !then.has(each))]
}

const suppliersOf = (blocked: readonly string[]) =>
  new Set(blocked.map((each) => each.split('/')[0]!))

/** The products that the suppliers' info records are for. */
async function productsOf(
  system: System,
  suppliers: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string[]> {
  const rows = await system.allOf<InfoRecordRow>(INFO_RECORDS, 'Supplier', suppliers, signal)
  return rows.flatMap(({ Material }) => Material || [])
}

export const SUPPLY_PLANNING = {
  service: PRODUCT,
  set: 'A_ProductSupplyPlanning',
  key: ['Product', 'Plant'],
  select: names(
    `Product Plant ProcurementType PlannedDeliveryDurationInDays GoodsReceiptDuration
     MinimumLotSizeQuantity LotSizeRoundingQuantity EffectiveOutDate FollowUpProduct`,
  ),
}
