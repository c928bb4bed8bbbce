import type { Credentials } from './adapter.ts'
import { Fatal } from './errors.ts'

/** A user of an ERP that logs on by itself, with a session or a database's own protocol. */
export interface User {
  name: string
  password: string
  /** To be handed back as `refused` where the ERP refuses this user. */
  header: string
}

/**
 * The user in credentials of the plan `basic`.
 * @param refused the header of the user that the ERP has just refused
 * @throws Fatal `reconsent_required` where it was refused, or there is none
 */
export async function readUser(
  credentials: Credentials | null | undefined,
  refused?: string,
): Promise<User> {
  const header = await credentials?.authorization(refused)
  const [, encoded] = /^Basic (.+)$/.exec(header ?? '') ?? []
  if (!header || !encoded) {
    throw new Fatal('reconsent_required', 'This source needs a user and a password.')
  }
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const at = text.indexOf(':')
  return { name: text.slice(0, at), password: text.slice(at + 1), header }
}
