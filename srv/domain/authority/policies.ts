// Which ordering rules and planned events somebody who sees some rows alone may read and change: those of no other rows.
import { Refusal } from '../../base/errors.ts'
import { PairPlanning, readAs, Skus } from '../../base/database/entities.ts'
import type { User } from './people.ts'
import {
  expression,
  isOneOf,
  isWithin,
  joined,
  predicateOf,
  type Predicate,
  rowsOf,
} from './rows.ts'

interface Named {
  skuGroup?: string | null
  sku?: string | null
  location?: string | null
}

/** A condition on restock.Policies, where a name that does not matter is empty; null for all rules. */
export const visiblePolicies = (user: User) => visibleByNames(user, ['supplier', 'sku'])

/** The same on restock.PlannedEvents and restock.ForecastOverrides. */
export const visiblePlannedEvents = (user: User) => visibleByNames(user, ['sku'])

/** The same on restock.HolidayCalendars, which name locations alone. */
export function visibleHolidayCalendars(user: User): Predicate | null {
  const { locations } = rowsOf(user) ?? {}
  return locations ? isEmptyOr('location', isOneOf('location', locations)) : null
}

function visibleByNames(user: User, ofPairs: string[]): Predicate | null {
  const rows = rowsOf(user)
  if (!rows) return null
  const { locations, groups } = rows
  const pairs = (column: string) =>
    SELECT.from(PairPlanning).columns(column).where(predicateOf(rows))
  return joined(
    [
      ...ofPairs.map((column) => isEmptyOr(column, isWithin(column, pairs(column)))),
      ...(locations ? [isEmptyOr('location', isOneOf('location', locations))] : []),
      ...(groups ? [isEmptyOr('skuGroup', isOneOf('skuGroup', groups))] : []),
    ],
    'and',
  )
}

const isEmptyOr = (column: string, or: Predicate): Predicate => ({
  xpr: [joined([expression({ ref: [column] }, '=', { val: '' }), or], 'or')],
})

/** A rule must be about the person's own rows alone. @throws Refusal insufficient_scope */
export async function assertMaySetPolicy(user: User, { location, skuGroup, sku }: Named) {
  const rows = rowsOf(user)
  if (!rows) return
  const { locations, groups } = rows
  const isHere = !locations || locations.includes(location ?? '')
  const isOurs = !groups || groups.includes(skuGroup ?? '') || (await isOf(groups, sku))
  if (isHere && isOurs) return
  throw new Refusal(
    'insufficient_scope',
    'You see some locations or groups alone: a rule of yours must name one of them.',
  )
}

/** Whether all who know the SKU have it in one of these groups. */
async function isOf(groups: string[], sku: string | null | undefined) {
  if (!sku) return false
  const rows = await readAs<{ skuGroup: string | null }>(
    SELECT.from(Skus).columns('skuGroup').where({ sku }),
  )
  return rows.length > 0 && rows.every(({ skuGroup }) => groups.includes(skuGroup ?? ''))
}
