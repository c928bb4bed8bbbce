import cds from '@sap/cds'

/** Somebody who can be named in a decision. */
export interface KnownUser {
  id: string
  roles: string[]
}

export const APPROVING_ROLES = ['Buyer', 'ApproverHigh']

/** A user by name: in development the mocked ones of the configuration. */
export function findUser(id: string): KnownUser | undefined {
  const users = (cds.env.requires.auth as { users?: Record<string, unknown> })?.users ?? {}
  const user = Object.hasOwn(users, id) ? users[id] : undefined
  if (!user || typeof user !== 'object') return undefined
  const roles = (user as { roles?: unknown }).roles
  return { id, roles: Array.isArray(roles) ? roles.map(String) : [] }
}
