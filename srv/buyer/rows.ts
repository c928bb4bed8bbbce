// Rows: a user whose attributes name locations or groups of SKUs sees those alone.
import cds, { type Request } from '@sap/cds'

const { SELECT } = cds.ql

type Bound = (values: string[]) => object[]

const byColumn =
  (column: string): Bound =>
  (values) =>
    [{ ref: [column] }, 'in', { list: values.map((val) => ({ val })) }] as object[]

/** A proposal’s group is that of its SKU. */
const byGroup: Bound = (values) => [
  { ref: ['sku'] },
  'in' as unknown as object,
  SELECT.from('restock.Skus')
    .columns('sku')
    .where({ skuGroup: { in: values } }),
]

/** What each attribute of a user bounds, by entity. */
const BOUNDED: Record<string, Record<string, Bound>> = {
  'BuyerService.Proposals': { locations: byColumn('location'), groups: byGroup },
  'BuyerService.Blocked': { locations: byColumn('location'), groups: byColumn('skuGroup') },
  'BuyerService.Decisions': { locations: byColumn('location') },
  'BuyerService.Locations': { locations: byColumn('location') },
}

export interface Query {
  SELECT?: { from?: Query; where?: unknown[] }
}

/** The innermost query: where rows are added up, they are bounded before. */
export const innermost = (query: Query): Query =>
  query.SELECT?.from?.SELECT ? innermost(query.SELECT.from) : query

export function withCondition({ SELECT }: Query, condition: object) {
  if (!SELECT) return
  SELECT.where = SELECT.where ? [{ xpr: SELECT.where }, 'and', condition] : [condition]
}

export function ownRowsOnly({ query, target, user }: Request) {
  for (const [attribute, bound] of Object.entries(BOUNDED[target?.name ?? ''] ?? {})) {
    const values = (user.attr as Record<string, unknown>)[attribute]
    if (values === undefined || values === null) continue
    withCondition(innermost(query as Query), { xpr: bound([values].flat().map(String)) })
  }
}
