import { hash } from 'node:crypto'
import {
  configuredAmount,
  type Deputy,
  type Limit,
  limitOf,
  listApprovers,
  listDeputies,
  type Person,
  readRoleLimits,
  readUserLimits,
} from '../../domain/authority/index.ts'
import { settings } from '../../base/settings/config.ts'
import type { Rates } from '../../domain/money/index.ts'
import { ratesVersion, readRates } from '../../domain/money/index.ts'

/** The part of every URN that names this installation. */
export function instance() {
  const { applicationId, applicationInstanceId, tenantId } = settings().tasks
  return { applicationId, applicationInstanceId, tenantId }
}

/** A group has the name of its role, unless it is configured. */
export const groupOf = (role: string, purchasingGroup: string | null = null): string => {
  const { groups, purchasingGroups } = settings().tasks
  const own = purchasingGroup === null ? undefined : purchasingGroups?.[purchasingGroup]?.[role]
  return own ?? groups?.[role] ?? role
}

/** All groups that the settings name. */
export function namedGroups(): string[] {
  const { groups = {}, purchasingGroups = {} } = settings().tasks
  return [groups, ...Object.values(purchasingGroups)].flatMap((byRole) => Object.values(byRole))
}

/** The settings that tasks depend on; when they change, all tasks are updated. */
export interface TaskBasis {
  bySupplier: boolean
  /** The highest value that a role may approve; null for no limit. */
  roles: { role: string; limit: Limit | null }[]
  /** The limits of people with a limit of their own. */
  users: Awaited<ReturnType<typeof readUserLimits>>
  secondApproverAbove: Limit | null
  /** All approvers; empty if each of them sees all rows. */
  approvers: Person[]
  /** The current deputies. */
  deputies: Deputy[]
  rates: Rates
  fingerprint: string
}

/** Must be increased when the code makes tasks in another way. */
const VERSION = 5

export async function readTaskBasis(): Promise<TaskBasis> {
  const { grouping, groups, purchasingGroups } = settings().tasks
  const approvers = await listApprovers()
  const basis = {
    bySupplier: grouping === 'supplier',
    roles: [...(await readRoleLimits())].map(([role, limit]) => ({ role, limit })),
    users: await readUserLimits(),
    secondApproverAbove: limitOf(configuredAmount(settings().secondApproverAbove)),
    approvers: approvers.some(({ rows }) => rows) ? approvers : [],
    deputies: await listDeputies(),
  }
  const all = JSON.stringify([VERSION, basis, groups, purchasingGroups, await ratesVersion()])
  return { ...basis, rates: await readRates(), fingerprint: hash('sha256', all) }
}
