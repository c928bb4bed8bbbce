// By whose right somebody decides, and how far it reaches.
import cds from '@sap/cds'
import { Refusal } from '../errors.ts'
import { capacitiesOf } from './capacities.ts'
import { readRoleLimits, readUserLimit } from './limits.ts'
import { APPROVING_ROLES, isApprover, type Person } from './people.ts'
import type { Rows } from './rows.ts'

export interface Right {
  /** The absent person whose right it is; null for the own one. */
  inNameOf: string | null
  roles: string[]
  /** In the account's currency; null for no limit. */
  limit: number | null
  /** Where it holds; null for everywhere. */
  locations: string[] | null
  /** The rows that whoever has it sees; null for all. */
  rows: Rows | null
}

/** Who decides, through which door, and with which rights: the own one first. */
export interface Decider {
  id: string
  /** `ui`, `api`, `task_center`, `my_inbox` or `system`. */
  door: string
  /** The API key that the call came with; null for none. */
  key: string | null
  /** The limit of that key; null for none. */
  keyLimit: number | null
  rights: Right[]
}

/**
 * The present user as somebody who decides. Read once for a decision.
 * @throws Refusal insufficient_scope for somebody without an approving role, administrators included
 */
export async function currentDecider(): Promise<Decider> {
  const user = cds.context?.user
  if (!user || !APPROVING_ROLES.some((role) => user.is(role))) {
    throw new Refusal('insufficient_scope', 'Only buyers and approvers decide about proposals.')
  }
  const {
    via = 'system',
    key = null,
    maxOrderValue = null,
  } = user.attr as {
    via?: string
    key?: string | null
    maxOrderValue?: string | null
  }
  const roleLimits = await readRoleLimits()
  const rights: Right[] = []
  for (const { person, inNameOf } of await capacitiesOf(user)) {
    if (isApprover(person)) rights.push({ ...(await rightOf(person, roleLimits)), inNameOf })
  }
  const keyLimit = maxOrderValue === null ? null : Number(maxOrderValue)
  return { id: user.id, door: via, key, keyLimit, rights }
}

/** The person's own limit stands instead of that of the roles. */
async function rightOf({ id, roles, rows }: Person, roleLimits: Map<string, number | null>) {
  const own = await readUserLimit(id)
  const limit = own?.maxOrderValue == null ? highest(roles, roleLimits) : Number(own.maxOrderValue)
  return { roles, limit, locations: own?.locations ?? null, rows }
}

function highest(roles: string[], roleLimits: Map<string, number | null>): number | null {
  const held = roles.filter((role) => roleLimits.has(role)).map((role) => roleLimits.get(role)!)
  return held.includes(null as never) ? null : Math.max(0, ...held)
}
