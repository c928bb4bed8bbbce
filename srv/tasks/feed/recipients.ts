// The recipients of a task in Task Center, where they differ from its audience. Task Center knows groups and
// users, but neither restrictions by row nor deputies: in these cases people are named instead of their group.
import { isAmong, type Person } from '../../authority/index.ts'
import { groupOf, type TaskBasis } from '../settings.ts'

export interface Recipients {
  groups: string[]
  /** Our user ids. */
  users: string[]
}

/** The properties of a row that a person's access may be restricted by. */
export interface Place {
  location: string
  skuGroup: string | null
}

/** The most users and groups that a task may name. */
export const MOST_RECIPIENTS = 100

/**
 * @param audience who may decide
 * @param places of all lines: a task is shown to people who see all of them
 * @returns null where it is just the audience
 */
export function recipientsOf(
  audience: Recipients,
  places: Place[],
  { approvers, deputies }: Pick<TaskBasis, 'approvers' | 'deputies'>,
): Recipients | null {
  if (!approvers.length && !deputies.length) return null
  const isSeenBy = ({ rows }: Person) => places.every((place) => isAmong(rows, place))
  const isIn = ({ roles }: Person, group: string) => roles.some((role) => groupOf(role) === group)
  const isAsked = (person: Person) =>
    audience.users.includes(person.id) || audience.groups.some((group) => isIn(person, group))
  const blind = approvers.filter((person) => !isSeenBy(person))
  const isWhole = (group: string) => !blind.some((person) => isIn(person, group))
  const groups = audience.groups.filter(isWhole)
  const users = new Set(audience.users.filter((id) => !blind.some((person) => person.id === id)))
  for (const person of approvers) {
    const isOfSplitGroup = audience.groups.some((group) => !isWhole(group) && isIn(person, group))
    if (isOfSplitGroup && isSeenBy(person)) users.add(person.id)
  }
  for (const { id, absent } of deputies) if (isAsked(absent) && isSeenBy(absent)) users.add(id)
  const isSame = groups.length === audience.groups.length && users.size === audience.users.length
  return isSame ? null : { groups, users: [...users].sort().slice(0, MOST_RECIPIENTS) }
}
