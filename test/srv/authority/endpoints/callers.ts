// Everybody who may call: nobody, people with one role each, keys with one scope each, Task Center itself.
import { SCOPES } from '../../../../srv/domain/keys/index.ts'
import { ROLES } from '../../../../srv/base/roles.ts'
import { basic } from '../../tasks/inbox.ts'
import { aKey } from '../../v1/api.ts'
import { addUser } from '../two-locations.ts'

export interface Caller {
  name: string
  headers: Record<string, string>
}

const ANONYMOUS: Caller = { name: 'nobody signed in', headers: {} }

/** Each role by itself, though in production some bring others. */
export function addPeople(): Caller[] {
  const people = [
    { name: 'signed in, no role', roles: [] as string[] },
    ...ROLES.map((role) => ({ name: `\`${role}\``, roles: [role] })),
  ]
  const callers = people.map(({ name, roles }) => {
    const id = `only-${roles[0] ?? 'none'}`.toLowerCase()
    addUser(id, roles)
    return { name, headers: { Authorization: basic(id) } }
  })
  return [ANONYMOUS, ...callers]
}

export const TASK_CENTER: Caller = {
  name: 'Task Center itself',
  headers: { Authorization: basic('taskcenter') },
}

export async function addKeys(): Promise<Caller[]> {
  const person = { name: 'no key', headers: { Authorization: basic('only-admin') } }
  const keys: Caller[] = []
  for (const scope of SCOPES) {
    const actsAs = scope === 'proposals:decide' ? 'approver' : null
    const key = await aKey({ scopes: [scope], actsAs })
    keys.push({ name: `\`${scope}\``, headers: { Authorization: `Bearer ${key}` } })
  }
  return [person, ...keys]
}
