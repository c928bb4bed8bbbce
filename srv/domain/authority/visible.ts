// Which proposals somebody sees, through whichever door.
import { Exceptions, PairPlanning, Proposals, readAs, Skus } from '../../base/database/entities.ts'
import { Refusal } from '../../base/errors.ts'
import { capacitiesOf } from './rights.ts'
import type { User } from './people.ts'
import {
  expression,
  isOneOf,
  isWithin,
  joined,
  type Predicate,
  predicateOf,
  type RowRestriction,
  restrictionOf,
} from './rows.ts'

/** The objects of events that are restricted by row, by the prefix of their ids. */
const NUMBERED = { prop_: Proposals, exc_: Exceptions }
type Numbered = (typeof NUMBERED)[keyof typeof NUMBERED]

/** The restrictions of the user and of each person for whom the user is deputy; null if one of them sees all rows. */
export async function boundsOf(user: User): Promise<RowRestriction[] | null> {
  // Most people see all rows: for them nothing is read.
  if (!restrictionOf(user)) return null
  const bounds = (await capacitiesOf(user)).map(({ person }) => person.rows)
  return bounds.includes(null) ? null : (bounds as RowRestriction[])
}

/**
 * A condition on whatever has a `sku` and a `location`; null where the user sees all rows.
 * @param source its column with the number of the source, unless that is `source_ID`
 */
export async function visibleTo(user: User, source?: string): Promise<Predicate | null> {
  const bounds = await boundsOf(user)
  if (!bounds) return null
  return joined(
    bounds.map((rows) => predicateOf(rows, source)),
    'or',
  )
}

/** The ids of those proposals, or rows of another entity, that the user sees. */
async function visibleIDs(
  user: User,
  ids: number[],
  entity: Numbered = Proposals,
): Promise<Set<number>> {
  const predicate = await visibleTo(user)
  if (!predicate || !ids.length) return new Set(ids)
  const rows = await readAs<{ ID: number }>(
    SELECT.from(entity)
      .columns('ID')
      .where({ ID: { in: ids } })
      .where(predicate),
  )
  return new Set(rows.map(({ ID }) => ID))
}

/** The events without those about proposals or exceptions that the user does not see. */
export async function visibleEvents<T extends { object: string }>(user: User, events: T[]) {
  let kept = events
  for (const [prefix, entity] of Object.entries(NUMBERED)) {
    const numberOf = ({ object }: T) =>
      object.startsWith(prefix) ? Number(object.slice(prefix.length)) : null
    const ids = kept.flatMap((event) => numberOf(event) ?? [])
    const visible = await visibleIDs(user, ids, entity)
    kept = kept.filter((event) => {
      const ID = numberOf(event)
      return ID === null || visible.has(ID)
    })
  }
  return kept
}

interface Pair {
  sku: string
  location: string
}

/** Which of these pairs the user sees, also where nothing is proposed for them. */
export async function visiblePairs(user: User, pairs: Pair[]): Promise<boolean[]> {
  const bounds = await boundsOf(user)
  if (!bounds) return pairs.map(() => true)
  const groups = bounds.some(({ groups }) => groups) ? await groupsOf(pairs) : null
  return pairs.map((pair) =>
    bounds.some(
      (rows) =>
        (rows.locations?.includes(pair.location) ?? true) &&
        (!rows.groups || isOfGroups(rows.groups, groups?.get(keyOf(pair)))),
    ),
  )
}

const keyOf = ({ sku, location }: Pair) => `${sku.length}:${sku}${location}`

/** @param found the groups of the SKU in every source that has the pair, since the answer may come from any of them */
const isOfGroups = (groups: string[], found: (string | null)[] = []) =>
  found.length > 0 && found.every((group) => group !== null && groups.includes(group))

async function groupsOf(pairs: Pair[]): Promise<Map<string, (string | null)[]>> {
  const rows = await readAs<Pair & { skuGroup: string | null }>(
    SELECT.from(PairPlanning)
      .columns('sku', 'location', 'skuGroup')
      .where({
        sku: { in: [...new Set(pairs.map(({ sku }) => sku))] },
        location: { in: [...new Set(pairs.map(({ location }) => location))] },
      }),
  )
  const byPair = Map.groupBy(rows, keyOf)
  return new Map(
    [...byPair].map(([key, found]) => [key, found.map(({ skuGroup }) => skuGroup ?? null)]),
  )
}

export const noSuchProposal = (ID: number) =>
  new Refusal('proposal_not_found', `There is no proposal prop_${ID}.`)

// The ordering rules and planned events that a restricted user may read and change: those that concern no other rows.

interface Named {
  skuGroup?: string | null
  sku?: string | null
  location?: string | null
}

/** A condition on restock.Policies, where an empty name means any; null for all rules. */
export const visiblePolicies = (user: User) => visibleByNames(user, ['supplier', 'sku'])

/** A condition on restock.PlannedEvents and restock.ForecastOverrides; null for all. */
export const visiblePlannedEvents = (user: User) => visibleByNames(user, ['sku'])

/** A condition on restock.HolidayCalendars, which name only locations; null for all. */
export function visibleHolidayCalendars(user: User): Predicate | null {
  const { locations } = restrictionOf(user) ?? {}
  return locations ? isEmptyOr('location', isOneOf('location', locations)) : null
}

function visibleByNames(user: User, ofPairs: string[]): Predicate | null {
  const rows = restrictionOf(user)
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
  const rows = restrictionOf(user)
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

/** Whether every source with this SKU has it in one of these groups. */
async function isOf(groups: string[], sku: string | null | undefined) {
  if (!sku) return false
  const rows = await readAs<{ skuGroup: string | null }>(
    SELECT.from(Skus).columns('skuGroup').where({ sku }),
  )
  return rows.length > 0 && rows.every(({ skuGroup }) => groups.includes(skuGroup ?? ''))
}
