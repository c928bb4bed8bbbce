import type { OrderUnitRow } from '../entities.ts'
import { readProducts } from '../scope.ts'
import { PRODUCT } from '../services.ts'
import type { System } from '../system.ts'
import { readConversions, NO_CONVERSION } from '../units.ts'
import type { Conversion } from '../units.ts'

const ORDER_UNITS = {
  service: PRODUCT,
  set: 'A_Product',
  key: ['Product'],
  select: ['Product', 'PurchaseOrderQuantityUnit'],
  filter: "PurchaseOrderQuantityUnit ne ''",
}

/** The conversion of each product's order unit to base units; null where the ERP has none. */
export async function readOrderUnitConversions(
  system: System,
  skus: readonly string[],
  signal: AbortSignal,
): Promise<(sku: string) => Conversion | null> {
  const asked = new Set(skus)
  const rows = await readProducts<OrderUnitRow>(system, ORDER_UNITS, 'Product', asked, signal)
  const wanted = rows
    .filter((row) => row.PurchaseOrderQuantityUnit)
    .map((row) => ({ sku: row.Product, unit: row.PurchaseOrderQuantityUnit! }))
  const units = new Map(wanted.map((each) => [each.sku, each]))
  const conversions = await readConversions(system, wanted, signal)
  return (sku) => {
    const unit = units.get(sku)
    return unit ? conversions(unit) : NO_CONVERSION
  }
}
