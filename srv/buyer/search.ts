// Search in codes and names alike: names stand in the master data, which is searched by itself.
import type { Request } from '@sap/cds'
import { innermost, type Query, withCondition } from './rows.ts'

const NAMED: [column: string, entity: string][] = [
  ['sku', 'restock.Skus'],
  ['location', 'restock.Locations'],
  ['supplier', 'restock.Suppliers'],
]

const holds = (column: string, text: string) => ({
  func: 'contains',
  args: [{ func: 'tolower', args: [{ ref: [column] }] }, { val: text }],
})

/** Rows that hold the text in the code or the name of SKU, location or supplier. */
function condition(text: string) {
  const either = NAMED.flatMap(([column, entity]) => {
    const named = {
      SELECT: {
        from: { ref: [entity] },
        columns: [{ ref: [column] }],
        where: [holds('name', text)],
      },
    }
    return [holds(column, text), 'or', { ref: [column] }, 'in', named, 'or']
  })
  return { xpr: either.slice(0, -1) }
}

/** Takes the place of CAP's search, which would look into the proposals' own columns alone. */
export function searchByNames({ query }: Request) {
  const inner = innermost(query) as { SELECT?: { search?: { val?: unknown }[] } }
  const terms = inner.SELECT?.search
  if (!terms) return
  delete inner.SELECT!.search
  for (const { val } of terms) {
    if (val !== undefined) withCondition(inner as Query, condition(String(val).toLowerCase()))
  }
}
