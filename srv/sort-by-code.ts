import { innermostQuery, type Query } from './cap/query.ts'

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
