// Orders of products that the ERP no longer has: without them units cannot be converted, and nobody has to mend that.
import type { QuarantinedRow } from '../../errors.ts'
import { BadValue } from '../../rows/values.ts'
import { readProducts } from '../scope.ts'
import { PRODUCT } from '../services.ts'
import type { System } from '../system.ts'

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
  const gone = await goneOf(system, skus, signal)
  return quarantined.map((row) => {
    const sku = skuOf(row)
    if (sku === null || !gone.has(sku)) return row
    const { code, target, message } = goneProduct(sku)
    return { ...row, code, target, message }
  })
}

/** Those of the products that the ERP no longer has. */
export async function goneOf(
  system: System,
  products: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const rows = await readProducts<{ Product: string }>(system, NAMES, 'Product', products, signal)
  const known = new Set(rows.map(({ Product }) => Product))
  return new Set([...products].filter((product) => !known.has(product)))
}

/** What is wrong with an order of such a product. */
export const goneProduct = (sku: string) =>
  new BadValue('Material', `${sku} is no longer in the catalogue`, 'product_gone')
