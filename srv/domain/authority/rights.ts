// The rights by which a person decides, and how far they reach.
import cds from '@sap/cds'
import { Refusal } from '../../base/errors.ts'
import { mayApprove } from '../../base/roles.ts'
import { capacitiesOf } from './delegations.ts'
import { type Limit, readRoleLimits, readUserLimit, storedLimit } from './limits.ts'
import { isApprover, readCached, type Person } from './people.ts'
import type { RowRestriction } from './rows.ts'

export interface Right {
  /** The absent person whose right it is; null for the own one. */
  inNameOf: string | null
  roles: string[]
  /** The limits of all roles, one of which must suffice; null for no limit. */
  limits: Limit[] | null
  /** The locations where the right holds; null for everywhere. */
  locations: string[] | null
  /** What the holder of the right is restricted to; null for nothing. */
  rows: RowRestriction | null
}

/** Who decides, through which door, and with which rights: the own one first. */
export interface Decider {
  id: string
  /** `ui`, `api`, `task_center`, `my_inbox` or `system`. */
  door: string
  /** The API key that the call came with; null for none. */
  key: string | null
  /** The limit of that key; null for none. */
  keyLimit: Limit | null
  rights: Right[]
}

/** What the attributes of a user say about the call. */
interface CallAttributes {
  via?: string
  key?: string
  maxOrderValue?: string | null
  maxOrderCurrency?: string | null
}

/**
 * The present user as somebody who decides. Read once for a decision, or for all of one call.
 * @throws Refusal insufficient_scope for somebody without an approving role, administrators included
 */
export const currentDecider = () => readCached('decider', readDecider)

async function readDecider(): Promise<Decider> {
  const user = cds.context?.user
  if (!user || !mayApprove()) {
    throw new Refusal('insufficient_scope', 'Only buyers and approvers decide about proposals.')
  }
  const { via = 'system', key = null, ...call } = user.attr as CallAttributes
  const { maxOrderValue = null, maxOrderCurrency: currency } = call
  const roleLimits = await readRoleLimits()
  const rights: Right[] = []
  for (const { person, inNameOf } of await capacitiesOf(user)) {
    if (isApprover(person)) rights.push({ ...(await rightOf(person, roleLimits)), inNameOf })
  }
  return { id: user.id, door: via, key, keyLimit: storedLimit({ maxOrderValue, currency }), rights }
}

/** The rights of these people in their own name, in the same order. */
export async function readRights(people: Person[]) {
  const roleLimits = await readRoleLimits()
  return Promise.all(people.map((person) => rightOf(person, roleLimits)))
}

/** A person's own limit replaces the limits of their roles. */
async function rightOf({ id, roles, rows }: Person, roleLimits: Map<string, Limit | null>) {
  const own = await readUserLimit(id)
  const held = own?.maxOrderValue == null ? ofRoles(roles, roleLimits) : [storedLimit(own)]
  const limits = held.includes(null) ? null : (held as Limit[])
  return { roles, limits, locations: own?.locations ?? null, rows }
}

const ofRoles = (roles: string[], roleLimits: Map<string, Limit | null>) =>
  [...roleLimits].filter(([role]) => roles.includes(role)).map(([, limit]) => limit)
