import { hash } from 'node:crypto'
import cds from '@sap/cds'
import { readRoleLimits, readUserLimits } from '../authority/index.ts'

/** `cds.restock.tasks`, every part of it optional: docs/guides/task-center.md. */
interface Options {
  applicationId?: string
  applicationInstanceId?: string
  tenantId?: string
  /** `proposal` (one task each) or `supplier` (one for all lines of an order to a supplier). */
  grouping?: 'proposal' | 'supplier'
  /** Group name of the identity service by role. */
  groups?: Record<string, string>
  /** Group name by role, by the purchasing group of the SKU: instead of the above. */
  purchasingGroups?: Record<string, Record<string, string>>
  /** User id by Global User ID, where tokens do not tell. */
  globalUserIds?: Record<string, string>
  /** Address of the object page; `{id}` stands for the proposal's number. */
  uiLink?: string
  /** Mails about open tasks; none where it is absent. */
  mail?: MailOptions
}

/** The mail server's address, with user and password, is in RESTOCK_SMTP_URL. */
export interface MailOptions {
  from: string
  /** Hour of the day in UTC from which on the day's mail is sent; 6 unless said otherwise. */
  hour?: number
  /** Address by user id, where the id is none itself. */
  addresses?: Record<string, string>
  /** `de` or `en`, by user id; `*` for all others. */
  languages?: Record<string, string>
}

export const options = (): Options => cds.env.restock.tasks ?? {}

const NAME = /^[A-Za-z0-9._-]{1,64}$/

/** The part of every URN that names this installation. */
export function instance() {
  const { applicationId, applicationInstanceId, tenantId } = options()
  const parts = {
    applicationId: applicationId ?? 'restock',
    applicationInstanceId: applicationInstanceId ?? 'default',
    tenantId: tenantId ?? 'default',
  }
  for (const [name, value] of Object.entries(parts)) {
    if (!NAME.test(value)) throw new Error(`cds.restock.tasks.${name} must match ${NAME}.`)
  }
  return parts
}

/** A group has the name of its role, unless it is configured. */
export const groupOf = (role: string, purchasingGroup: string | null = null): string => {
  const { groups, purchasingGroups } = options()
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
  const { grouping, groups, purchasingGroups } = options()
  const roles = [...(await readRoleLimits())].map(([role, limit]) => ({ role, limit }))
  const above = cds.env.restock.secondApproverAbove
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
