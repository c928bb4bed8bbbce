// The capacities in which a user sees and decides: as themselves, and as deputy of absent people.
import { currentDelegations, deputizedBy } from './delegations.ts'
import { findPerson, type Person, rolesOf, type User } from './people.ts'
import { rowsOf } from './rows.ts'

export interface Capacity {
  person: Person
  /** The absent person's id; null for oneself. */
  inNameOf: string | null
}

/** The user's own capacity comes first. Delegations are not transitive. */
export async function capacitiesOf(user: User): Promise<Capacity[]> {
  const own = { id: user.id, roles: rolesOf(user), rows: rowsOf(user) }
  return [{ person: own, inNameOf: null }, ...(await deputyOf(user.id))]
}

/** People who currently delegate to this user, without those who are no longer known. */
export async function deputyOf(user: string): Promise<Capacity[]> {
  const capacities: Capacity[] = []
  for (const inNameOf of await deputizedBy(user)) {
    const person = await findPerson(inNameOf)
    if (person) capacities.push({ person, inNameOf })
  }
  return capacities
}

export interface Deputy {
  /** The deputy. */
  id: string
  absent: Person
}

/** All current deputies. */
export async function listDeputies(): Promise<Deputy[]> {
  const deputies: Deputy[] = []
  for (const { fromUser, toUser } of await currentDelegations()) {
    const absent = await findPerson(fromUser)
    if (absent) deputies.push({ id: toUser, absent })
  }
  return deputies
}
