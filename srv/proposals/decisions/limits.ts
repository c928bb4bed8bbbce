import cds from '@sap/cds'
import { Refusal } from '../../errors.ts'
import { APPROVING_ROLES, findUser, isApprover } from '../../store/users.ts'
import { delegationsTo } from './delegation.ts'
import type { Proposal } from '../to-proposal.ts'

const { SELECT } = cds.ql

/** By whose right a person approves, and how far it reaches. */
export interface Authority {
  /** Null for the person's own right. */
  onBehalfOf: string | null
  /** In the account's currency; null for no limit. */
  limit: number | null
  /** Null for everywhere. */
  locations: string[] | null
}

/**
 * The rights by which the present user may approve: the own one first, then those delegated.
 * @throws Refusal insufficient_scope for somebody without an approving role, administrators included
 */
export async function authorities(): Promise<Authority[]> {
  const user = cds.context?.user
  const roles = APPROVING_ROLES.filter((role) => user?.is(role))
  if (!user || !roles.length) {
    throw new Refusal('insufficient_scope', 'Only buyers and approvers decide about proposals.')
  }
  const rights = [await authorityOf(user.id, roles, null)]
  for (const from of await delegationsTo(user.id)) {
    const absent = await findUser(from)
    if (isApprover(absent)) rights.push(await authorityOf(from, absent!.roles, from))
  }
  return rights
}

/** The user's own limit stands instead of that of the roles. */
async function authorityOf(id: string, roles: string[], onBehalfOf: string | null) {
  const own = await SELECT.one.from('restock.UserLimits').where({ user: id })
  const limit = own?.maxOrderValue == null ? await roleLimit(roles) : Number(own.maxOrderValue)
  const locations: string[] | null = own?.locations ? JSON.parse(own.locations) : null
  return { onBehalfOf, limit, locations }
}

/** The highest limit of these roles. */
async function roleLimit(roles: string[]): Promise<number | null> {
  const limits: Record<string, string | null> = { ...cds.env.restock.approvalLimits }
  for (const { role, maxOrderValue } of await SELECT.from('restock.RoleLimits')) {
    limits[role] = maxOrderValue
  }
  const held = roles.filter((role) => APPROVING_ROLES.includes(role) && role in limits)
  if (held.some((role) => limits[role] === null)) return null
  return Math.max(0, ...held.map((role) => Number(limits[role])))
}

/** The limit of the key that the present call came with; null for none. */
export function keyLimit(): number | null {
  const key = (cds.context?.user?.attr as { maxOrderValue?: string | null })?.maxOrderValue
  return key == null ? null : Number(key)
}

/** A value that is not known is over every limit. */
export const isWithin = (limit: number | null, value: string | null) =>
  limit === null || (value !== null && Number(value) <= limit)

export const reaches = ({ locations }: Authority, { location }: Pick<Proposal, 'location'>) =>
  locations === null || locations.includes(location)

export const elsewhere = ({ location }: Pick<Proposal, 'location'>) =>
  new Refusal('approval_limit_exceeded', `You do not decide about location ${location}.`)

/** Whether a second person must agree; a value that is not known always does where this is on. */
export function needsSecondApprover(value: string | null): boolean {
  const above = cds.env.restock.secondApproverAbove
  return above != null && (value === null || Number(value) > Number(above))
}
