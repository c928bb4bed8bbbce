// Orders of products that the ERP no longer has: without them units cannot be converted, and nobody has to mend that.
import type { QuarantinedRow } from '../errors.ts'
import { readProducts } from './scope.ts'
import { PRODUCT } from './services.ts'
import type { System } from './system.ts'

const NAMES = { service: PRODUCT, set: 'A_Product', key: ['Product'], select: ['Product'] }

/** Rows whose unit has no conversion say so where their product is gone; the ERP is asked for those products alone. */
export async function nameGoneProducts(
  system: System,
  quarantined: QuarantinedRow[],
  signal: AbortSignal,
): Promise<QuarantinedRow[]> {
  const skuOf = ({ code, sku }: QuarantinedRow) => (code === 'unit_conversion' && sku) || null
  const skus = new Set(quarantined.flatMap((row) => skuOf(row) ?? []))
  if (!skus.size) return quarantined
  const rows = await readProducts<{ Product: string }>(system, NAMES, 'Product', skus, signal)
  const known = new Set(rows.map(({ Product }) => Product))
  return quarantined.map((row) => {
    const sku = skuOf(row)
    if (sku === null || known.has(sku)) return row
    const message = `The product ${sku} is no longer in the catalogue.`
    return { ...row, code: 'product_gone', target: 'Material', message }
  })
}
