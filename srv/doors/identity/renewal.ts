// Reads the roles again during a session, by its refresh token, so that roles removed at the provider end here too.
import cds from '@sap/cds'
import * as oauth from 'openid-client'
import { rememberPerson } from '../../domain/authority/index.ts'
import { runDetached } from '../../base/cap/context.ts'
import { readClaims, type SignedIn, signedIn, toUser } from './claims.ts'
import { provider } from './provider.ts'
import { dropSession, type Found, renewSession, type Session } from './sessions.ts'

const LOG = cds.log('auth')

/** Runs beside the call. If the provider does not answer, the next call tries again, until the session ends. */
export function renewIfDue(found: Found | undefined) {
  if (!found?.isDue) return
  void runDetached('session', () => renew(found)).catch((error: Error) =>
    LOG.warn('roles could not be read again:', error.message),
  )
}

async function renew({ ID, session }: Found) {
  const read = await readAgain(session).catch((error: unknown) => {
    // The provider has refused: the token has ended, or the person's session there.
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return null
    throw error
  })
  if (read) await remember(read.person)
  if (read?.person.roles.length) {
    await renewSession(ID, read)
    return
  }
  await dropSession(ID)
  LOG.info(
    'a session has ended:',
    read ? 'its person has no role any more' : 'the provider refused',
  )
}

const remember = (person: SignedIn) => {
  const user = toUser(person)
  cds.context!.user = user
  return rememberPerson(user)
}

/** @returns null if the provider does not say who this is, or names another person */
async function readAgain({ person, subject, refreshToken, ...rest }: Session) {
  const { configuration } = await provider()
  const tokens = await oauth.refreshTokenGrant(configuration, refreshToken!)
  const now = signedIn(await readClaims(tokens, subject))
  if (now?.id !== person.id) return null
  return {
    person: now,
    subject,
    idToken: tokens.id_token ?? rest.idToken,
    refreshToken: tokens.refresh_token ?? refreshToken,
  }
}
