// Search in codes and names: names are in the master data, so they are searched by a subquery.
import type { Request } from '@sap/cds'
import { addCondition, innermostQuery, type Query } from '../cap/query.ts'

const SEARCHED: [column: string, entity: string][] = [
  ['sku', 'restock.Skus'],
  ['location', 'restock.Locations'],
  ['supplier', 'restock.Suppliers'],
]

const containsText = (column: string, text: string) => ({
  func: 'contains',
  args: [{ func: 'tolower', args: [{ ref: [column] }] }, { val: text }],
})

/** Rows with the text in the code or the name of SKU, location or supplier. */
function searchCondition(text: string) {
  const either = SEARCHED.flatMap(([column, entity]) => {
    const named = {
      SELECT: {
        from: { ref: [entity] },
        columns: [{ ref: [column] }],
        where: [containsText('name', text)],
      },
    }
    return [containsText(column, text), 'or', { ref: [column] }, 'in', named, 'or']
  })
  return { xpr: either.slice(0, -1) }
}

/** Replaces CAP's search, which covers the proposals' own columns only. */
export function searchByNames({ query }: Request) {
  const inner = innermostQuery(query) as { SELECT?: { search?: { val?: unknown }[] } }
  const terms = inner.SELECT?.search
  if (!terms) return
  delete inner.SELECT!.search
  for (const { val } of terms) {
    if (val !== undefined) addCondition(inner as Query, searchCondition(String(val).toLowerCase()))
  }
}
