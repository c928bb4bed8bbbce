// In which capacities somebody sees and decides: as themselves, and as deputy of whoever is absent.
import { currentDelegations, deputizedBy } from './delegations.ts'
import { findPerson, type Person, rolesOf, type User } from './people.ts'
import { rowsOf } from './rows.ts'

export interface Capacity {
  person: Person
  /** The absent person's id; null for oneself. */
  inNameOf: string | null
}

/** Oneself first. A delegation is not passed on. */
export async function capacitiesOf(user: User): Promise<Capacity[]> {
  const own = { id: user.id, roles: rolesOf(user), rows: rowsOf(user) }
  return [{ person: own, inNameOf: null }, ...(await deputyOf(user.id))]
}

/** Those who have delegated to this user at this moment, as far as they are still known. */
export async function deputyOf(user: string): Promise<Capacity[]> {
  const capacities: Capacity[] = []
  for (const inNameOf of await deputizedBy(user)) {
    const person = await findPerson(inNameOf)
    if (person) capacities.push({ person, inNameOf })
  }
  return capacities
}

export interface Deputy {
  /** The user who stands in. */
  id: string
  absent: Person
}

/** Everybody who is somebody's deputy at this moment. */
export async function listDeputies(): Promise<Deputy[]> {
  const deputies: Deputy[] = []
  for (const { fromUser, toUser } of await currentDelegations()) {
    const absent = await findPerson(fromUser)
    if (absent) deputies.push({ id: toUser, absent })
  }
  return deputies
}
