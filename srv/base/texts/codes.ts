import type { Reason } from '#cds-models/ProposalsService'
import { innermostQuery, type Query } from '../odata/query-limits.ts'

/** Why a buyer does not want an order; the same behind every door. */
export const REASON_CODES = [
  'not_needed',
  'too_much',
  'too_early',
  'wrong_supplier',
  'price',
  'discontinued',
  'other',
] as const satisfies readonly Reason[]

/** Without the leading zeros with which SAP stores codes of digits: 23 for 000000000000000023. */
export const plainCode = (code: string) =>
  /^\d+$/.test(code) ? code.replace(/^0+(?=\d)/, '') : code

/** `23 (Green tea)`; the code alone where it has no name. */
export const codeAndName = (code: string, name: string | null | undefined) =>
  name ? `${plainCode(code)} (${name})` : plainCode(code)

/** Columns of codes with their names are made for each row; the database has the code alone. */
const CODES: Record<string, string> = { skuText: 'sku', supplierText: 'supplier' }

interface Ordered {
  SELECT?: { orderBy?: { ref?: string[] }[] }
}

/** A column of codes with their names is sorted by the code. */
export function sortByCode({ query }: { query: Query }) {
  for (const order of (innermostQuery(query) as Ordered).SELECT?.orderBy ?? []) {
    const code = CODES[order.ref?.[0] ?? '']
    if (code) order.ref = [code]
  }
}
