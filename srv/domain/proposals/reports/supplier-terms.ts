import cds from '@sap/cds'
import { addDays, onWeekdays, type Weekday, weekdayOf } from '../../../../engine/proposal/index.ts'
import { rowsOf } from '../../authority/index.ts'
import { type LocalDays, today as dayOfAll } from '../../../base/time/days.ts'
import { ROLES } from '../../../base/roles.ts'
import { assertRole } from '../readers.ts'
import { PolicyBook } from '../policy/book.ts'
import { SupplierTermsBook } from '../terms/supplier-terms.ts'

export interface SupplierTermsQuery {
  source: number
  suppliers: string[]
}

/** What a supplier asks of an order as a whole; null says nothing. */
export interface SupplierOrderTerms {
  supplier: string
  /** Whose order; null: of all that are not named. */
  location: string | null
  /** Of each of those by itself, instead of all of them together. */
  byLocation: boolean
  minimumValue: number | null
  minimumQuantity: number | null
  containerUnits: number | null
  freeFreightFrom: number | null
  freightCost: number | null
}

/** The terms of these suppliers for orders that the user sees. @throws Refusal insufficient_scope */
export async function listSupplierTerms(query: SupplierTermsQuery) {
  assertRole(ROLES)
  return supplierTermsOf(query, rowsOf(cds.context!.user)?.locations ?? null)
}

/**
 * What these suppliers ask of an order, by rule or by the ERP.
 * @param locations those that the user sees alone; null for all
 */
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
    }))
  })
}

export interface OrderPlace {
  supplier: string
  location: string | null
}

export interface OrderDays extends OrderPlace {
  next: string
  after: string
}

/**
 * When orders can go out, by the rules that name no SKU; of suppliers without order days nothing.
 * @param days those of the source that orders; absent: of several
 */
export async function readOrderDays(places: OrderPlace[], days?: LocalDays): Promise<OrderDays[]> {
  if (!places.length) return []
  const book = await PolicyBook.ofOrders()
  return places.flatMap(({ supplier, location }) => {
    const place = { sku: '', skuGroup: '', supplier, location: location ?? '' }
    const { value: weekdays } = book.of(place).decide('orderDays')
    if (!weekdays?.length) return []
    const today = days ? (location ? days.of(location) : days.usual) : dayOfAll()
    const { first, next } = onWeekdays(weekdays as Weekday[], weekdayOf(today))
    return { supplier, location, next: addDays(today, first), after: addDays(today, next) }
  })
}
