import type { SupplierOrderTerms } from '#cds-models/ProposalsService'
import type { ServiceRow } from '../../store/service-row.ts'
import { SupplierTermsBook } from '../inputs/supplier-terms.ts'
import { PolicyBook } from '../policy/book.ts'

export interface SupplierTermsQuery {
  source: number
  suppliers: string[]
}

/**
 * What these suppliers ask of an order, by rule or by the ERP.
 * @param locations those that the user sees alone; null for all
 */
export async function supplierTermsOf(
  { source, suppliers }: SupplierTermsQuery,
  locations: string[] | null,
): Promise<ServiceRow<SupplierOrderTerms>[]> {
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
