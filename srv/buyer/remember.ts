import type cds from '@sap/cds'
import { LRUCache } from 'lru-cache'
import { rememberUser } from '../store/users.ts'

const HOUR_MS = 3_600_000
const seen = new LRUCache<string, true>({ max: 10_000, ttl: HOUR_MS })

/** Who has signed in can be named by keys and delegations; written once an hour. */
export async function rememberVisitor(user: InstanceType<typeof cds.User>) {
  if (seen.has(user.id)) return
  await rememberUser(user)
  seen.set(user.id, true)
}
