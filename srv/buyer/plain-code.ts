import { innermostQuery, type Query } from './restrict-rows.ts'

/** Without the leading zeros with which SAP stores codes of digits: 23 for 000000000000000023. */
export const plainCode = (code: string) => code.replace(/^0+(?=\d+$)/, '')

interface Ordered {
  SELECT?: { orderBy?: { ref?: string[] }[] }
}

/** A column of codes with their names is sorted by the code, which is what the database has. */
export function sortByCode({ query }: { query: Query }) {
  for (const order of (innermostQuery(query) as Ordered).SELECT?.orderBy ?? [])
    if (order.ref?.[0] === 'skuText') order.ref = ['sku']
}
