// The queries of the apps, as CAP's handlers get them.
export interface Query {
  SELECT?: { from?: Query & { ref?: unknown[] }; where?: unknown[] }
}

/** Rows are restricted in the innermost query, before they are aggregated. */
export const innermostQuery = (query: Query): Query =>
  query.SELECT?.from?.SELECT ? innermostQuery(query.SELECT.from) : query

export function addCondition({ SELECT }: Query, condition: object) {
  if (!SELECT) return
  SELECT.where = SELECT.where ? [{ xpr: SELECT.where }, 'and', condition] : [condition]
}
