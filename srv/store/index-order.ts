import cds from '@sap/cds'

/**
 * Columns to order by along an index. CAP asks PostgreSQL for empty values first, where its indexes
 * have them last: every page would sort the whole table.
 */
export function indexOrder(columns: string[], sort: 'asc' | 'desc' = 'asc'): string[] {
  const nulls = sort === 'asc' ? 'last' : 'first'
  const keys = columns.map((column) => ({
    ...{ ref: [column], sort },
    ...(cds.db.kind === 'postgres' && { nulls }),
  }))
  // The types of CAP know texts only.
  return keys as unknown as string[]
}
