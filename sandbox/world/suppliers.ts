import { BLOCK_SKUS } from './pairs.ts'

/** The SKUs of a supplier are consecutive whole blocks. */
const SKUS_OF_A_SUPPLIER = 8 * BLOCK_SKUS
const FIRST = 100_001

export const supplierCode = (sku: number): string => codeOf(Math.floor(sku / SKUS_OF_A_SUPPLIER))

/** The supplier of the second source. */
export const otherSupplierCode = (sku: number, skus: number): string =>
  codeOf((Math.floor(sku / SKUS_OF_A_SUPPLIER) + 1) % supplierCount(skus))

export const supplierCount = (skus: number): number =>
  Math.max(2, Math.ceil(skus / SKUS_OF_A_SUPPLIER))

export const codeOf = (index: number): string => String(FIRST + index).padStart(10, '0')
