// Rows: a user whose attributes name locations or groups of SKUs sees those alone.
import cds, { type Request } from '@sap/cds'

/** The element that each attribute bounds, by entity. */
const BOUNDED: Record<string, Record<string, string>> = {
  'BuyerService.Proposals': { locations: 'location', groups: 'skuGroup' },
  'BuyerService.Blocked': { locations: 'location', groups: 'skuGroup' },
  'BuyerService.Decisions': { locations: 'location' },
  'BuyerService.Locations': { locations: 'location' },
}

interface Query {
  SELECT?: { from: Query }
}

/** The innermost query: where rows are added up, they are bounded before. */
const innermost = (query: Query): Query =>
  query.SELECT?.from?.SELECT ? innermost(query.SELECT.from) : query

export function ownRowsOnly({ query, target, user }: Request) {
  for (const [attribute, element] of Object.entries(BOUNDED[target?.name ?? ''] ?? {})) {
    const values = (user.attr as Record<string, unknown>)[attribute]
    if (values === undefined || values === null) continue
    const inner = innermost(query as Query)
    const own = cds.ql.SELECT.from('x').where({ [element]: { in: [values].flat().map(String) } })
    const { SELECT } = inner as unknown as { SELECT: { where?: unknown[] } }
    const condition = { xpr: (own as unknown as { SELECT: { where: unknown[] } }).SELECT.where }
    SELECT.where = SELECT.where ? [{ xpr: SELECT.where }, 'and', condition] : [condition]
  }
}
