import type { Request } from '@sap/cds'
import { rememberConfiguredApprovers, trustedSince } from '../authority/index.ts'
import { decimalText } from './fields.ts'
import { send } from '../services.ts'
import { keyOf, readOwnRow, type Row } from './rows.ts'

const SERVICE = 'AccessService'

/** OData passes decimals as numbers or as texts. */
interface LimitValues {
  maxOrderValue?: number | string | null
  maxDayValue?: number | string | null
  currency?: string | null
}

interface UserLimit extends LimitValues {
  user: string
  locations?: string[] | null
}

interface RoleLimit extends LimitValues {
  role: string
}

const valuesOf = ({ maxOrderValue, maxDayValue, currency }: LimitValues) => ({
  maxOrderValue: decimalText(maxOrderValue),
  maxDayValue: decimalText(maxDayValue),
  currency: currency ?? null,
})

export async function setUserLimit({ data }: Request<UserLimit>) {
  const { user, locations } = data
  const limit = { user, ...valuesOf(data), locations: locations?.length ? locations : null }
  await send(SERVICE, 'setUserLimit', limit)
  return readOwnRow('UserLimits', { user })
}

export const clearUserLimit = ({ data: { user } }: Request<UserLimit>) =>
  send(SERVICE, 'clearUserLimit', { user })

export async function setRoleLimit({ data }: Request<RoleLimit>) {
  const { role } = data
  await send(SERVICE, 'setRoleLimit', { role, ...valuesOf(data) })
  return readOwnRow('RoleLimits', { role })
}

export const clearRoleLimit = ({ data: { role } }: Request<RoleLimit>) =>
  send(SERVICE, 'clearRoleLimit', { role })

export async function createDelegation({ data }: Request<object>) {
  const { ID } = await send<{ ID: string }>(SERVICE, 'delegate', data)
  return readOwnRow('Delegations', { ID })
}

export const removePerson = (request: Request) =>
  send(SERVICE, 'removePerson', { user: keyOf(request, 'user') })

/** Mocked users are there before they have signed in. */
export async function withoutThoseWhoLeft({ query }: Request) {
  await rememberConfiguredApprovers()
  const approvers = query as unknown as { where: (condition: object) => unknown }
  approvers.where({ seenAt: { '>=': trustedSince() } })
}

/** Joins the locations of a limit by commas. */
export function formatUserLimit(row: Row) {
  if (row.locations) row.locations = (JSON.parse(String(row.locations)) as string[]).join(', ')
}
