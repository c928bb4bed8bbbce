// Rows: whoever is bound to locations or groups of SKUs sees the proposals of these alone.

/** What a person is bound to; null where it does not matter, empty for nothing at all. */
export interface Rows {
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

/** By the attributes of a sign-in. @returns null for all rows */
export function rowsOf(user: object): Rows | null {
  const { attr = {}, authInfo } = user as UserAttributes
  const { locations, sku_groups, groups } = attr
  // The identity service's own `groups` are those of people: there the groups of SKUs have a name of their own.
  const isOfPeople = authInfo?.token?.payload?.groups !== undefined
  const ofSkus = sku_groups ?? (isOfPeople ? null : groups)
  const rows = { locations: listOf(locations), groups: listOf(ofSkus) }
  return rows.locations || rows.groups ? rows : null
}

const listOf = (values: unknown) => (values == null ? null : [values].flat().map(String))

/** Whether a row of this location and group is among them. */
export const isAmong = (
  rows: Rows | null,
  { location, skuGroup }: { location: string; skuGroup: string | null },
) =>
  (rows?.locations?.includes(location) ?? true) &&
  (rows?.groups?.some((group) => group === skuGroup) ?? true)

/**
 * A condition on whatever has a `sku` and a `location`.
 * @param source its column with the number of the source
 */
export function predicateOf({ locations, groups }: Rows, source = 'source_ID'): Predicate {
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

/** By the group that the row's own source has its SKU in: another may use the same code. */
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
