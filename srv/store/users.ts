import cds from '@sap/cds'

const { SELECT, UPSERT } = cds.ql

/** Somebody who can be named in a decision. */
export interface KnownUser {
  id: string
  roles: string[]
}

export const APPROVING_ROLES = ['Buyer', 'ApproverHigh']
const ROLES = ['Viewer', ...APPROVING_ROLES, 'Admin', 'Auditor']

/** Roles of somebody who has not signed in for so long are not relied on. */
const TRUSTED_MS = 90 * 86_400_000

/** A user by name: in development a mocked one of the configuration, else one who has signed in. */
export async function findUser(id: string): Promise<KnownUser | undefined> {
  const users = (cds.env.requires.auth as { users?: Record<string, unknown> })?.users
  if (users) return configured(users, id)
  const since = new Date(Date.now() - TRUSTED_MS).toISOString()
  const row = await SELECT.one.from('restock.Users').where({ ID: id, seenAt: { '>=': since } })
  return row && { id, roles: String(row.roles).split(',').filter(Boolean) }
}

function configured(users: Record<string, unknown>, id: string): KnownUser | undefined {
  const user = Object.hasOwn(users, id) ? users[id] : undefined
  if (!user || typeof user !== 'object') return undefined
  const { roles } = user as { roles?: string[] | Record<string, unknown> }
  // CAP turns the configured list into an object as soon as it signs users in.
  return { id, roles: Array.isArray(roles) ? roles : Object.keys(roles ?? {}) }
}

/** Keeps who has signed in and as what, for keys and delegations that name this person later. */
export async function rememberUser(user: InstanceType<typeof cds.User>) {
  const roles = ROLES.filter((role) => user.is(role)).join(',')
  const seenAt = new Date().toISOString()
  await UPSERT.into('restock.Users').entries({ ID: user.id, roles, seenAt })
}

/** Whether a person holds a role that may approve; administrators as such do not. */
export const isApprover = (user: KnownUser | undefined) =>
  Boolean(user?.roles.some((role) => APPROVING_ROLES.includes(role)))
