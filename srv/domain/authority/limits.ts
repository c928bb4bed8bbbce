// Up to which value somebody may approve, as it is stored or configured.
import cds from '@sap/cds'
import { inTransaction } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { type AnyEntity, readAs, RoleLimits, UserLimits } from '../../base/database/entities.ts'
import { toDecimal, toNumber } from '../../base/database/rows.ts'
import { settings } from '../../base/settings/config.ts'
import type { Amount } from '../money/index.ts'
import { CURRENCY, CURRENCY_RULE, LIMIT } from '../../base/input.ts'
import { invalidParameter } from '../../base/errors.ts'
import { APPROVING_ROLES, assertAdmin } from '../../base/roles.ts'
import { assertApprover, assertOther } from './people.ts'

/** Null means no limit. */
export interface Limit {
  /** The most that one line may cost. */
  line: Amount | null
  /** The most that all approvals for one supplier on one day may cost. */
  day: Amount | null
}

/** Without a day's limit of its own, the limit of a line also holds for the day. @returns null for no limit */
export function limitOf(line: Amount | null, day: Amount | null = line): Limit | null {
  if (!line) return null
  const { approvalLimitsPer: per } = settings()
  return {
    line: per === 'supplierAndDay' ? null : line,
    day: per === 'line' ? null : (day ?? line),
  }
}

/** Null as currency means the account's currency. */
interface StoredLimit {
  maxOrderValue: string | null
  maxDayValue?: string | null
  currency?: string | null
}

export function storedLimit({ maxOrderValue, maxDayValue, currency }: StoredLimit): Limit | null {
  const amount = (decimal: string | null | undefined) => {
    const value = toDecimal(decimal, 2)
    return value === null ? null : { value, currency: currency ?? settings().currency }
  }
  return limitOf(amount(maxOrderValue), amount(maxDayValue))
}

/** @param text such as `10000.00` or `10000.00 USD` */
export function configuredAmount(text: string | null): Amount | null {
  if (text === null) return null
  const [value = '', currency = settings().currency] = text.split(' ')
  return { value, currency }
}

// Up to which value people and roles may approve.

interface GivenValues {
  /** Decimal string. For a role null means no limit, for a person that the limits of their roles hold. */
  maxOrderValue?: string | null
  /** The most for one supplier on one day; null means the same value. */
  maxDayValue?: string | null
  /** Null: the account's. */
  currency?: string | null
}

interface UserLimit extends GivenValues {
  user: string
  /** Null for everywhere. */
  locations?: string[] | null
}

interface RoleLimit extends GivenValues {
  role: string
}

/** @throws Refusal insufficient_scope; invalid_parameter, its target the field at fault; four_eyes_required for oneself */
export const setUserLimit = ({ user, locations, ...values }: UserLimit) =>
  inTransaction(async () => {
    assertAdmin()
    assertOther(user, 'user')
    await assertApprover(user, 'user')
    const limit = { ...valuesOf(values), locations: locationsOf(locations) }
    await storeLimit(UserLimits, { user }, await readUserLimit(user), limit)
  })

export const clearUserLimit = (user: string) =>
  inTransaction(async () => {
    assertAdmin()
    assertOther(user, 'user')
    await storeLimit(UserLimits, { user }, await readUserLimit(user), null)
  })

/** @throws Refusal insufficient_scope, invalid_parameter; four_eyes_required for a role that one holds */
export const setRoleLimit = ({ role, ...values }: RoleLimit) =>
  inTransaction(async () => {
    assertRole(role)
    await storeLimit(RoleLimits, { role }, await readRoleLimit(role), valuesOf(values))
  })

export const clearRoleLimit = (role: string) =>
  inTransaction(async () => {
    assertRole(role)
    await storeLimit(RoleLimits, { role }, await readRoleLimit(role), null)
  })

/** Stores or clears the limit of a person or role, and audits the change. */
async function storeLimit(
  entity: AnyEntity,
  key: { user: string } | { role: string },
  before: object | null,
  limit: (LimitValues & { locations?: string | null }) | null,
) {
  const [[kind, name]] = Object.entries(key) as [[string, string]]
  if (limit) {
    await UPSERT.into(entity).entries({
      ...key,
      ...limit,
      maxOrderValue: toNumber(limit.maxOrderValue),
      maxDayValue: toNumber(limit.maxDayValue),
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

interface LimitValues {
  maxOrderValue: string | null
  maxDayValue: string | null
  currency: string | null
}

/** @throws Refusal invalid_parameter */
const valuesOf = ({ maxOrderValue, maxDayValue, currency }: GivenValues) => ({
  maxOrderValue: moneyOrNull(maxOrderValue, 'maxOrderValue'),
  maxDayValue: moneyOrNull(maxDayValue, 'maxDayValue'),
  currency: currencyOrNull(currency),
})

function moneyOrNull(value: string | null | undefined, target: string): string | null {
  if (value === null || value === undefined) return null
  if (LIMIT.test(value)) return value
  throw invalidParameter(target, 'must be a decimal string such as "500.00", or null')
}

function currencyOrNull(code: string | null | undefined): string | null {
  if (!code) return null
  if (CURRENCY.test(code)) return code
  throw invalidParameter('currency', `${CURRENCY_RULE}, or null`)
}

interface LimitRow extends LimitValues {
  user: string
  /** JSON */
  locations: string | null
}

const toUserLimit = ({ maxOrderValue, maxDayValue, currency, locations }: LimitRow) => ({
  maxOrderValue: toDecimal(maxOrderValue, 2),
  maxDayValue: toDecimal(maxDayValue, 2),
  currency,
  locations: locations ? (JSON.parse(locations) as string[]) : null,
})

/** A person's own limit; undefined where there is none. */
export async function readUserLimit(user: string) {
  const row = await readAs<LimitRow>(SELECT.one.from(UserLimits).where({ user }))
  return row && toUserLimit(row)
}

/** The people with limits of their own, which replace those of their roles. */
export async function readUserLimits() {
  const rows = await readAs<LimitRow>(
    SELECT.from(UserLimits)
      .where({ maxOrderValue: { '!=': null } })
      .orderBy('user'),
  )
  return rows.map((row) => ({
    user: row.user,
    limit: storedLimit(row),
    locations: toUserLimit(row).locations,
  }))
}

/** The limit of each approving role: the stored one, or else the configured one; null for no limit. */
export async function readRoleLimits(): Promise<Map<string, Limit | null>> {
  const { approvalLimits, approvalDayLimits } = settings()
  const limits = new Map<string, Limit | null>()
  for (const role of ['Buyer', 'ApproverHigh'] as const) {
    const day = configuredAmount(approvalDayLimits[role])
    limits.set(role, limitOf(configuredAmount(approvalLimits[role]), day))
  }
  const rows = await readAs<LimitValues & { role: string }>(SELECT.from(RoleLimits))
  for (const row of rows) if (limits.has(row.role)) limits.set(row.role, storedLimit(row))
  return limits
}

const readRoleLimit = (role: string) =>
  readAs<LimitValues>(
    SELECT.one.from(RoleLimits).columns('maxOrderValue', 'maxDayValue', 'currency').where({ role }),
  )

function assertRole(role: string) {
  assertAdmin()
  if (!APPROVING_ROLES.includes(role)) {
    throw invalidParameter('role', `must be one of ${APPROVING_ROLES.join(', ')}`)
  }
  const user = cds.context?.user
  if (user?.is(role)) assertOther(user.id, 'role')
}

function locationsOf(locations: string[] | null | undefined): string | null {
  if (locations == null) return null
  const isList = Array.isArray(locations) && locations.every((each) => typeof each === 'string')
  if (!isList || !locations.length) {
    throw invalidParameter('locations', 'must be a list of at least one location, or null')
  }
  return JSON.stringify([...new Set(locations)])
}
