import { hash } from 'node:crypto'
import { readRoleLimits, readUserLimits } from '../authority/index.ts'
import { settings } from '../config.ts'

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

/** What tasks are made by, beside the proposals: when it changes they are made anew. */
export interface Making {
  bySupplier: boolean
  /** The highest value that a role may approve; null for no limit. */
  roles: { role: string; limit: number | null }[]
  /** Of people with a limit of their own. */
  users: Awaited<ReturnType<typeof readUserLimits>>
  secondApproverAbove: number | null
  fingerprint: string
}

/** Bumped where tasks are made in another way. */
const VERSION = 2

export async function making(): Promise<Making> {
  const { grouping, groups, purchasingGroups } = settings().tasks
  const roles = [...(await readRoleLimits())].map(([role, limit]) => ({ role, limit }))
  const above = settings().secondApproverAbove
  const made = {
    bySupplier: grouping === 'supplier',
    roles,
    users: await readUserLimits(),
    secondApproverAbove: numberOrNull(above),
  }
  const all = JSON.stringify([VERSION, made, groups, purchasingGroups])
  return { ...made, fingerprint: hash('sha256', all) }
}

const numberOrNull = (value: unknown) => (value == null ? null : Number(value))
