// Up to which value people and roles may approve.
import cds from '@sap/cds'
import { settings } from '../config.ts'
import { writeAuditLog } from '../store/audit.ts'
import { readAs, RoleLimits, UserLimits } from '../store/entities.ts'
import { toDecimal, toNumber } from '../store/numbers.ts'
import { assertOther, invalid, assertApprover, moneyOrNull } from './checks.ts'
import { APPROVING_ROLES } from './people.ts'

export interface UserLimit {
  user: string
  /** Decimal string; null: as the roles allow. */
  maxOrderValue: string | null
  /** Null for everywhere. */
  locations: string[] | null
}

export interface RoleLimit {
  role: string
  /** Decimal string; null for no limit. */
  maxOrderValue: string | null
}

const stored = <Limit extends { maxOrderValue: string | null }>(limit: Limit) => ({
  ...limit,
  maxOrderValue: toNumber(limit.maxOrderValue),
  changedAt: new Date().toISOString(),
  changedBy: cds.context?.user?.id ?? 'system',
})

/** @throws Refusal invalid_parameter, its target the field at fault; four_eyes_required for oneself */
export async function setUserLimit({ user, maxOrderValue, locations }: UserLimit) {
  assertOther(user, 'user')
  await assertApprover(user, 'user')
  const limit = {
    user,
    maxOrderValue: moneyOrNull(maxOrderValue, 'maxOrderValue'),
    locations: locationsOf(locations),
  }
  const before = (await readUserLimit(user)) ?? null
  await UPSERT.into(UserLimits).entries(stored(limit))
  await writeAuditLog('limit.set', `user:${user}`, JSON.stringify({ before, after: limit }))
}

export async function clearUserLimit(user: string) {
  assertOther(user, 'user')
  const before = await readUserLimit(user)
  if (!before) return
  await DELETE.from(UserLimits).where({ user })
  await writeAuditLog('limit.cleared', `user:${user}`, JSON.stringify({ before }))
}

/** @throws Refusal invalid_parameter; four_eyes_required for a role that one holds */
export async function setRoleLimit({ role, maxOrderValue }: RoleLimit) {
  assertRole(role)
  const limit = { role, maxOrderValue: moneyOrNull(maxOrderValue, 'maxOrderValue') }
  const before = (await readRoleLimit(role)) ?? null
  await UPSERT.into(RoleLimits).entries(stored(limit))
  await writeAuditLog('limit.set', `role:${role}`, JSON.stringify({ before, after: limit }))
}

export async function clearRoleLimit(role: string) {
  assertRole(role)
  const before = await readRoleLimit(role)
  if (!before) return
  await DELETE.from(RoleLimits).where({ role })
  await writeAuditLog('limit.cleared', `role:${role}`, JSON.stringify({ before }))
}

export async function listLimits(): Promise<{ users: UserLimit[]; roles: RoleLimit[] }> {
  const users = await readAs<LimitRow>(SELECT.from(UserLimits).orderBy('user'))
  const roles = await readAs<RoleLimit>(SELECT.from(RoleLimits).orderBy('role'))
  return {
    users: users.map((row) => ({ user: row.user, ...toLimit(row) })),
    roles: roles.map(({ role, maxOrderValue }) => ({
      role,
      maxOrderValue: toDecimal(maxOrderValue, 2),
    })),
  }
}

interface LimitRow {
  user: string
  maxOrderValue: string | null
  /** JSON */
  locations: string | null
}

const toLimit = ({ maxOrderValue, locations }: LimitRow) => ({
  maxOrderValue: toDecimal(maxOrderValue, 2),
  locations: locations ? (JSON.parse(locations) as string[]) : null,
})

/** A person's own limit; undefined where there is none. */
export async function readUserLimit(user: string) {
  const row = await readAs<LimitRow>(SELECT.one.from(UserLimits).where({ user }))
  return row && toLimit(row)
}

/** Those whose own limit stands instead of that of their roles. */
export async function readUserLimits() {
  const rows = await readAs<LimitRow>(
    SELECT.from(UserLimits)
      .where({ maxOrderValue: { '!=': null } })
      .orderBy('user'),
  )
  return rows.map((row) => {
    const { maxOrderValue, locations } = toLimit(row)
    return { user: row.user, limit: Number(maxOrderValue), locations }
  })
}

/** Up to which value each approving role may approve: as set, else as configured; null for no limit. */
export async function readRoleLimits(): Promise<Map<string, number | null>> {
  const limits: Record<string, unknown> = { ...settings().approvalLimits }
  const rows = await readAs<RoleLimit>(SELECT.from(RoleLimits))
  for (const { role, maxOrderValue } of rows) limits[role] = maxOrderValue
  return new Map(
    APPROVING_ROLES.filter((role) => role in limits).map((role) => [role, toNumber(limits[role])]),
  )
}

const readRoleLimit = (role: string) =>
  readAs<Pick<RoleLimit, 'maxOrderValue'>>(
    SELECT.one.from(RoleLimits).columns('maxOrderValue').where({ role }),
  )

function assertRole(role: string) {
  if (!APPROVING_ROLES.includes(role)) {
    throw invalid('role', `role: must be one of ${APPROVING_ROLES.join(', ')}`)
  }
  const user = cds.context?.user
  if (user?.is(role)) assertOther(user.id, 'role')
}

function locationsOf(locations: string[] | null | undefined): string | null {
  if (locations == null) return null
  const isList = Array.isArray(locations) && locations.every((each) => typeof each === 'string')
  if (!isList || !locations.length) {
    throw invalid('locations', 'locations: must be a list of at least one location, or null')
  }
  return JSON.stringify([...new Set(locations)])
}
