import cds from '@sap/cds'
import { toEpochDay } from '../../../../engine/index.ts'
import {
  addDays,
  onWeekdays,
  openFrom,
  type Weekday,
  weekdayOf,
} from '../../../../engine/proposal/index.ts'
import { restrictionOf } from '../../authority/index.ts'
import { type LocalDays, today as dayOfAll } from '../../../base/time/days.ts'
import { ROLES } from '../../../base/roles.ts'
import { assertRole } from '../readers.ts'
import { PolicyBook } from '../policy/planning.ts'
import { ClosureBook } from '../terms/closures.ts'
import { SupplierTermsBook } from '../terms/supplier-terms.ts'

interface SupplierTermsQuery {
  source: number
  suppliers: string[]
}

/** The terms of a supplier for a whole order; null means no term. */
export interface SupplierOrderTerms {
  supplier: string
  /** The location of the order; null for the common order of all other locations. */
  location: string | null
  /** Whether each of these locations has an order of its own, instead of a common one. */
  byLocation: boolean
  minimumValue: number | null
  minimumQuantity: number | null
  containerUnits: number | null
  freeFreightFrom: number | null
  freightCost: number | null
  /** Of the order, whatever its lines; 0 where it costs nothing. */
  orderCost: number
}

/** The terms of these suppliers for orders that the user sees. @throws Refusal insufficient_scope */
export async function listSupplierTerms(query: SupplierTermsQuery) {
  assertRole(ROLES)
  return supplierTermsOf(query, restrictionOf(cds.context!.user)?.locations ?? null)
}

/** The terms of these suppliers, by ordering rules or from the ERP. @param locations those that the user sees; null for all */
export async function supplierTermsOf(
  { source, suppliers }: SupplierTermsQuery,
  locations: string[] | null,
): Promise<SupplierOrderTerms[]> {
  const book = await SupplierTermsBook.read(
    source,
    await PolicyBook.ofSuppliers(suppliers),
    suppliers,
  )
  const isVisible = (location: string) => !location || !locations || locations.includes(location)
  return suppliers.flatMap((supplier) => {
    const orders = book.allOf(supplier).filter(({ location }) => isVisible(location))
    return orders.map(({ location, limits }) => ({
      supplier,
      location: location || null,
      byLocation: !location && book.isByLocation(supplier),
      minimumValue: limits.minimumValue ?? null,
      minimumQuantity: limits.minimumQuantity ?? null,
      containerUnits: limits.containerUnits ?? null,
      freeFreightFrom: limits.freeFreight?.from ?? null,
      freightCost: limits.freeFreight?.cost ?? null,
      orderCost: limits.orderCost ?? 0,
    }))
  })
}

/** One order of a supplier. */
type SupplierOrderKey = Pick<SupplierOrderTerms, 'supplier' | 'location'>

interface OrderDays extends SupplierOrderKey {
  next: string
  after: string
}

/**
 * The next two order days of each order, by the ordering rules of whole orders; suppliers without order days are left out.
 * @param days the days of the ordering source; absent for several sources
 */
export async function readOrderDays(
  orders: SupplierOrderKey[],
  days?: LocalDays,
): Promise<OrderDays[]> {
  if (!orders.length) return []
  const book = await PolicyBook.ofOrders()
  const closures = await ClosureBook.read(null, days?.usual ?? dayOfAll())
  return orders.flatMap(({ supplier, location }) => {
    const subject = { sku: '', skuGroup: '', supplier, location: location ?? '' }
    const { value: weekdays } = book.of(subject).decide('orderDays')
    if (!weekdays?.length) return []
    const today = days ? (location ? days.of(location) : days.usual) : dayOfAll()
    const [closed, day] = [closures.supplier(supplier), toEpochDay(today)]
    const { first, next } = onWeekdays(
      weekdays as Weekday[],
      weekdayOf(today),
      (after) => openFrom(closed, day + after) - day,
    )
    return { supplier, location, next: addDays(today, first), after: addDays(today, next) }
  })
}
