// The page of a person who may approve: what they see, their limits, and their deputies.
import type { Request } from '@sap/cds'
import { addCondition, innermostQuery, type ODataRow } from '../../base/odata/query-limits.ts'
import { settings } from '../../base/settings/config.ts'
import { plainCode } from '../../base/texts/codes.ts'
import { writtenSchedule } from '../../base/texts/written.ts'
import { message, writtenAmount, writtenShare } from '../../base/texts/texts.ts'
import * as authority from '../../domain/authority/index.ts'
import { configuredAmount, type Limit, readRoleLimits } from '../../domain/authority/index.ts'
import * as privacy from '../../domain/privacy/index.ts'
import { decimalText, keyOf, pageOf, readOwnRow } from './rows.ts'

const userOf = (request: Request) => keyOf<string>(request, 'user')!

const readUser = (request: Request) => readOwnRow('Approvers', { user: userOf(request) })

/** OData passes decimals as numbers or as texts. */
interface LimitValues {
  maxOrderValue?: number | string | null
  maxDayValue?: number | string | null
  currency?: string | null
}

const valuesOf = ({ maxOrderValue, maxDayValue, currency }: LimitValues) => ({
  maxOrderValue: decimalText(maxOrderValue),
  maxDayValue: decimalText(maxDayValue),
  currency: currency ?? null,
})

interface ShownLimit extends LimitValues {
  /** Joined by commas. */
  locations?: string | null
}

export async function setLimit(request: Request<ShownLimit>) {
  const { data } = request
  const named = (data.locations ?? '').split(',').flatMap((each) => each.trim() || [])
  const locations = named.length ? named : null
  await authority.setUserLimit({ user: userOf(request), ...valuesOf(data), locations })
  return readUser(request)
}

export async function clearLimit(request: Request) {
  await authority.clearUserLimit(userOf(request))
  return readUser(request)
}

export async function addDeputy(request: Request<Omit<authority.NewDelegation, 'fromUser'>>) {
  await authority.createDelegation({ ...request.data, fromUser: userOf(request) })
  return readUser(request)
}

/** Elements that say what somebody sees and may. */
const COMPUTED = [
  'seesLocations',
  'seesGroups',
  'approvesAt',
  'limitText',
  'hasOwnLimit',
  'maxOrderValue',
  'maxDayValue',
  'currency',
  'limitLocations',
]

type Column = '*' | { ref?: string[] }

interface Query {
  SELECT?: { columns?: Column[] }
}

/** Adds these elements if any is requested; value helps request none. */
export async function addRights(result: unknown, { query }: Request) {
  const { columns } = (query as Query).SELECT ?? {}
  const isAsked = (column: Column) => column === '*' || COMPUTED.includes(column.ref?.at(-1) ?? '')
  if (columns && !columns.some(isAsked)) return
  const rows = [result].flat().filter((row) => (row as ODataRow | null)?.user) as ODataRow[]
  if (!rows.length) return
  const people = new Map((await authority.listApprovers()).map((person) => [person.id, person]))
  const known = rows.flatMap((row) => people.get(String(row.user)) ?? [])
  const rights = await authority.readRights(known)
  const byUser = new Map(known.map(({ id }, at) => [id, rights[at]!]))
  for (const row of rows) {
    const user = String(row.user)
    Object.assign(row, await factsOf(people.get(user), byUser.get(user)))
  }
}

type Right = Awaited<ReturnType<typeof authority.readRights>>[number]

async function factsOf(
  person: authority.Person | undefined,
  right: Right | undefined,
): Promise<ODataRow> {
  if (!person || !right) return {}
  const own = await authority.readUserLimit(person.id)
  return {
    seesLocations: listed(right.rows?.locations),
    seesGroups: listed(right.rows?.groups),
    approvesAt: listed(right.locations),
    limitText: right.limits ? right.limits.map(limitText).join(' / ') : limitText(null),
    hasOwnLimit: Boolean(own),
    maxOrderValue: own?.maxOrderValue ?? null,
    maxDayValue: own?.maxDayValue ?? null,
    currency: own?.currency ?? null,
    limitLocations: own?.locations?.join(', ') ?? null,
  }
}

const listed = (codes: string[] | null | undefined) =>
  codes ? codes.map(plainCode).join(', ') || message('user_none') : message('user_all')

interface UserLimit extends LimitValues {
  user: string
  locations?: string[] | null
}

interface RoleLimit extends LimitValues {
  role: string
}

export async function setUserLimit({ data }: Request<UserLimit>) {
  const { user, locations } = data
  const limit = { user, ...valuesOf(data), locations: locations?.length ? locations : null }
  await authority.setUserLimit(limit)
  return readOwnRow('UserLimits', { user })
}

export const clearUserLimit = ({ data: { user } }: Request<UserLimit>) =>
  authority.clearUserLimit(user)

export async function setRoleLimit({ data }: Request<RoleLimit>) {
  const { role } = data
  await authority.setRoleLimit({ role, ...valuesOf(data) })
  return readOwnRow('RoleLimits', { role })
}

export const clearRoleLimit = ({ data: { role } }: Request<RoleLimit>) =>
  authority.clearRoleLimit(role)

export async function createDelegation({ data }: Request<authority.NewDelegation>) {
  const { ID } = await authority.createDelegation(data)
  return readOwnRow('Delegations', { ID })
}

export async function endDelegation(request: Request) {
  const ID = keyOf<string>(request)!
  await authority.endDelegation(ID)
  return readOwnRow('Delegations', { ID })
}

export const removePerson = (request: Request) => privacy.removePerson(userOf(request))

/** Leaves out people who have left. Mocked users count as present before they have signed in. */
export async function withoutThoseWhoLeft({ query }: Request) {
  await authority.rememberConfiguredApprovers()
  const since = { val: authority.trustedSince() }
  addCondition(innermostQuery(query), { xpr: [{ ref: ['seenAt'] }, '>=', since] })
}

/** Joins the locations of a limit by commas. */
export function formatUserLimit(row: ODataRow) {
  if (row.locations) row.locations = (JSON.parse(String(row.locations)) as string[]).join(', ')
}

// The defaults that apply if neither a rule nor the ERP has a value: the settings in force.

export async function readDefaults(request: Request) {
  const rows = [...orderingDefaults(), ...(await approvalDefaults())]
  return pageOf(
    request,
    rows.map(({ key, value }, at) => ({
      ...{ position: at + 1, name: message(`default_${key}`), value },
    })),
  )
}

interface Default {
  key: string
  value: string
}

const days = (count: number) => message('default_days', { count })

function orderingDefaults(): Default[] {
  const all = settings()
  const { stockoutCostShare, carryingCostSharePerYear, unmetDemand, currency, schedules } = all
  return [
    { key: 'review_period', value: days(all.reviewPeriodDays) },
    { key: 'lead_time', value: message(`default_lead_time_${all.leadTimeSource}`) },
    { key: 'stockout_cost', value: writtenShare(stockoutCostShare) },
    { key: 'carrying_cost', value: writtenShare(carryingCostSharePerYear) },
    { key: 'unmet_demand', value: message(`default_${unmetDemand}`) },
    { key: 'proposal_expiry', value: days(all.proposalExpiryDays) },
    { key: 'stale_data', value: days(all.staleDataAfterDays) },
    { key: 'schedule_full', value: writtenSchedule(schedules.full, all.timeZone) },
    { key: 'schedule_incremental', value: writtenSchedule(schedules.incremental, all.timeZone) },
    { key: 'currency', value: currency },
  ]
}

async function approvalDefaults(): Promise<Default[]> {
  const { secondApproverAbove, userLeftAfterDays } = settings()
  const limits = [...(await readRoleLimits())].map(([role, limit]) => ({
    key: `limit_${role}`,
    value: limitText(limit),
  }))
  const above = configuredAmount(secondApproverAbove)
  const second = above ? amountText(above.value, above.currency) : message('default_off')
  return [
    ...limits,
    { key: 'second_approver', value: second },
    { key: 'user_left', value: days(userLeftAfterDays) },
  ]
}

const amountText = (value: string, currency: string) =>
  `${writtenAmount(Number(value))} ${currency}`

/** `10,000.00 EUR per line, 10,000.00 EUR per supplier and day`. */
function limitText(limit: Limit | null): string {
  if (!limit) return message('limit_unlimited')
  const { line, day } = limit
  const parts = [
    line && message('limit_per_line', { value: amountText(line.value, line.currency) }),
    day && message('limit_per_day', { value: amountText(day.value, day.currency) }),
  ]
  return parts.filter(Boolean).join(', ')
}
