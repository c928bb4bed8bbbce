// Restrictions by row: a person may be restricted to some locations or groups of SKUs, and then sees nothing else.

/** Null does not restrict; an empty list permits nothing. */
export interface RowRestriction {
  locations: string[] | null
  /** Groups of SKUs. */
  groups: string[] | null
}

/** A condition of a query, in CQN. */
export interface Predicate {
  xpr: object[]
}

interface UserAttributes {
  attr?: { locations?: unknown; sku_groups?: unknown; groups?: unknown }
  authInfo?: { token?: { payload?: { groups?: unknown } } }
}

/** Reads the restriction from the attributes of a sign-in. @returns null for all rows */
export function restrictionOf(user: object): RowRestriction | null {
  const { attr = {}, authInfo } = user as UserAttributes
  const { locations, sku_groups, groups } = attr
  // SAP's identity service sends its own `groups`, which are groups of people. In that case the attribute `sku_groups`
  // names the groups of SKUs.
  const isOfPeople = authInfo?.token?.payload?.groups !== undefined
  const ofSkus = sku_groups ?? (isOfPeople ? null : groups)
  const rows = { locations: listOf(locations), groups: listOf(ofSkus) }
  return rows.locations || rows.groups ? rows : null
}

const listOf = (values: unknown) => (values == null ? null : [values].flat().map(String))

export const permitsRow = (
  rows: RowRestriction | null,
  { location, skuGroup }: { location: string; skuGroup: string | null },
) =>
  (rows?.locations?.includes(location) ?? true) &&
  (rows?.groups?.some((group) => group === skuGroup) ?? true)

/**
 * A condition on whatever has a `sku` and a `location`.
 * @param source its column with the number of the source
 */
export function predicateOf(
  { locations, groups }: RowRestriction,
  source = 'source_ID',
): Predicate {
  const bounds = [
    ...(locations ? [isOneOf('location', locations)] : []),
    ...(groups ? [isOfGroups(groups, source)] : []),
  ]
  return joined(bounds, 'and')
}

/** @param predicates at least one */
export const joined = (predicates: Predicate[], by: 'and' | 'or'): Predicate =>
  expression(...predicates.flatMap((each, at) => (at ? [by, each] : [each])))

export const isOneOf = (column: string, values: readonly (string | number)[]): Predicate =>
  values.length
    ? expression({ ref: [column] }, 'in', { list: values.map((val) => ({ val })) })
    : expression({ val: 1 }, '=', { val: 0 })

export const isWithin = (column: string, query: object): Predicate =>
  expression({ ref: [column] }, 'in', query)

/** By the SKU's group in the row's own source: another source may use the same code for another product. */
const isOfGroups = (groups: string[], source: string) =>
  groups.length
    ? expression(
        { list: [{ ref: [source] }, { ref: ['sku'] }] },
        'in',
        SELECT.from('restock.Skus')
          .columns('source_ID', 'sku')
          .where({ skuGroup: { in: groups } }),
      )
    : isOneOf('sku', [])

/** CQN writes operators as plain texts among the operands. */
export const expression = (...tokens: (object | string)[]): Predicate => ({
  xpr: tokens as object[],
})
