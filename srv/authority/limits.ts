// Up to which value people and roles may approve.
import cds from '@sap/cds'
import { settings } from '../config.ts'
import { writeAuditLog } from '../store/audit.ts'
import { type AnyEntity, readAs, RoleLimits, UserLimits } from '../store/entities.ts'
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

/** @throws Refusal invalid_parameter, its target the field at fault; four_eyes_required for oneself */
export async function setUserLimit({ user, maxOrderValue, locations }: UserLimit) {
  assertOther(user, 'user')
  await assertApprover(user, 'user')
  await storeLimit(UserLimits, { user }, await readUserLimit(user), {
    maxOrderValue: moneyOrNull(maxOrderValue, 'maxOrderValue'),
    locations: locationsOf(locations),
  })
}

export async function clearUserLimit({ user }: { user: string }) {
  assertOther(user, 'user')
  await storeLimit(UserLimits, { user }, await readUserLimit(user), null)
}

/** @throws Refusal invalid_parameter; four_eyes_required for a role that one holds */
export async function setRoleLimit({ role, maxOrderValue }: RoleLimit) {
  assertRole(role)
  const limit = { maxOrderValue: moneyOrNull(maxOrderValue, 'maxOrderValue') }
  await storeLimit(RoleLimits, { role }, await readRoleLimit(role), limit)
}

export async function clearRoleLimit({ role }: { role: string }) {
  assertRole(role)
  await storeLimit(RoleLimits, { role }, await readRoleLimit(role), null)
}

/** Stores the limit of a person or role, or clears it, and writes that down. */
async function storeLimit(
  entity: AnyEntity,
  key: { user: string } | { role: string },
  before: object | null,
  limit: { maxOrderValue: string | null; locations?: string | null } | null,
) {
  const [[kind, name]] = Object.entries(key) as [[string, string]]
  if (limit) {
    await UPSERT.into(entity).entries({
      ...{ ...key, ...limit, maxOrderValue: toNumber(limit.maxOrderValue) },
      changedAt: new Date().toISOString(),
      changedBy: cds.context?.user?.id ?? 'system',
    })
    const detail = JSON.stringify({ before, after: { ...key, ...limit } })
    await writeAuditLog('limit.set', `${kind}:${name}`, detail)
  } else if (before) {
    await DELETE.from(entity).where(key)
    await writeAuditLog('limit.cleared', `${kind}:${name}`, JSON.stringify({ before }))
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
