import { hash, randomBytes } from 'node:crypto'
import cds from '@sap/cds'
import type { Request, Response } from 'express'
import * as oauth from 'openid-client'
import { runDetached } from '../../base/cap/context.ts'
import { readAs, Sessions } from '../../base/database/entities.ts'
import { openText, sealText } from '../../base/database/secrets/vault.ts'
import { clearCookie, cookieOf, setCookie } from '../../base/http/page.ts'
import { settings } from '../../base/settings/config.ts'
import { rememberPerson } from '../../domain/authority/index.ts'
import { provider, readClaims, type SignedIn, signedIn, toUser } from './provider.ts'

const COOKIE = 'restock'
const VALUE = /^[\w-]{43}$/
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Roles are read again after this share of their validity, so that the provider may be away for the rest. */
const READ_AGAIN = 1 / 4
/** The least time between two tries, longer than the wait for the provider. */
const TRY_MS = MINUTE_MS

interface Session {
  person: SignedIn
  /** Needed for the sign-out at the provider. */
  idToken: string
  /** The provider's id of the person; absent in sessions of former versions. */
  subject?: string
  /** Absent if the provider issues none. */
  refreshToken?: string
}

interface SessionRow {
  ID: string
  user: string
  sealed: string
  createdAt: string
  seenAt: string
  expiresAt: string
  /** When the roles were last read; null for the sign-in. */
  readAt: string | null
  /** Until when other calls must not read the roles. */
  askedUntil: string | null
}

const at = (ms: number) => new Date(ms).toISOString()
const idOf = (value: string) => hash('sha256', value)
const contextOf = (ID: string) => `restock session ${ID}`
const seal = (ID: string, session: Session) => sealText(contextOf(ID), JSON.stringify(session))

/**
 * Begins a session and gives the browser its cookie. Sessions that have ended are deleted.
 * @param providerSession the provider's name of its own session
 */
export async function beginSession(res: Response, session: Session, providerSession?: unknown) {
  const [value, now] = [randomBytes(32).toString('base64url'), Date.now()]
  const ID = idOf(value)
  const maxAge = settings().identity.sessionHours * HOUR_MS
  await DELETE.from(Sessions).where({ expiresAt: { '<=': at(now) } })
  await INSERT.into(Sessions).entries({
    ...{ ID, user: session.person.id, sealed: seal(ID, session) },
    ...{ createdAt: at(now), seenAt: at(now), readAt: at(now), expiresAt: at(now + maxAge) },
    subject: session.subject === undefined ? null : idOf(session.subject),
    providerSession: typeof providerSession === 'string' ? idOf(providerSession) : null,
  })
  setCookie(res, COOKIE, value, maxAge)
}

const sessionId = (req: Request) => {
  const value = cookieOf(req, COOKIE)
  return value && VALUE.test(value) ? idOf(value) : undefined
}

/** A session, and whether its roles are to be read again by this call. */
interface Found {
  ID: string
  session: Session
  isDue: boolean
}

/** @param isUsed whether a person did something, which keeps the session from ending */
export async function findSession(req: Request, isUsed = true): Promise<Found | undefined> {
  const ID = sessionId(req)
  if (!ID) return undefined
  const row = await readAs<SessionRow>(SELECT.one.from(Sessions).where({ ID }))
  const now = Date.now()
  const { idleMinutes, rolesMinutes } = settings().identity
  if (!row || Date.parse(row.expiresAt) <= now) return undefined
  const seenBefore = now - Date.parse(row.seenAt)
  const readBefore = now - Date.parse(row.readAt ?? row.createdAt)
  if (seenBefore > idleMinutes * MINUTE_MS || readBefore > rolesMinutes * MINUTE_MS)
    return undefined
  if (isUsed && seenBefore > MINUTE_MS)
    await noted(
      UPDATE.entity(Sessions)
        .set({ seenAt: at(now) })
        .where({ ID }),
    )
  const session = unseal(row)
  if (!session) return undefined
  const isOld = readBefore > rolesMinutes * MINUTE_MS * READ_AGAIN
  return { ID, session, isDue: isOld && Boolean(session.refreshToken) && (await mayAsk(row, now)) }
}

/** Admits one of several calls on all instances, since a provider may accept a refresh token only once. */
async function mayAsk({ ID, askedUntil }: SessionRow, now: number): Promise<boolean> {
  if (askedUntil && Date.parse(askedUntil) > now) return false
  const asked = await noted(
    UPDATE.entity(Sessions)
      .set({ askedUntil: at(now + TRY_MS) })
      .where({ ID, askedUntil }),
  )
  return asked === 1
}

/** A failed note about a session, e.g. on a full disk, must not keep people from reading. */
const noted = async (change: PromiseLike<unknown>): Promise<unknown> => {
  try {
    return await change
  } catch (error) {
    cds.log('auth').warn('a session could not be noted:', (error as Error).message)
    return 0
  }
}

/** Stores the renewed roles, unless the session has ended meanwhile. */
const renewSession = (ID: string, session: Session) =>
  UPDATE.entity(Sessions)
    .set({ sealed: seal(ID, session), readAt: at(Date.now()), askedUntil: null })
    .where({ ID })

/** A session that another encryption key sealed has ended. */
function unseal({ ID, sealed }: Pick<SessionRow, 'ID' | 'sealed'>): Session | undefined {
  try {
    const text = openText(contextOf(ID), sealed)
    return text === null ? undefined : (JSON.parse(text) as Session)
  } catch {
    return undefined
  }
}

/** @returns the session that has ended, if there was one */
export async function endSession(req: Request, res: Response): Promise<Session | undefined> {
  const found = await findSession(req, false)
  const ID = sessionId(req)
  if (ID) await dropSession(ID)
  clearCookie(res, COOKIE)
  return found?.session
}

const dropSession = (ID: string) => DELETE.from(Sessions).where({ ID })

/**
 * Ends what began in a session of the provider, on all instances; all of the person where none is named, or where it was not
 * known at the sign-in.
 * @returns how many
 */
export async function endSessionsOf(subject?: string, providerSession?: string): Promise<number> {
  const [person, session] = [subject, providerSession].map((name) => name && idOf(name))
  const ended: unknown[] = []
  if (session) ended.push(await DELETE.from(Sessions).where({ providerSession: session }))
  if (person)
    ended.push(
      await DELETE.from(Sessions).where({
        subject: person,
        ...(session && { providerSession: null }),
      }),
    )
  return ended.reduce<number>((sum, count) => sum + Number(count), 0)
}

// Reads the roles again during a session, by its refresh token, so that roles removed at the provider end here too.

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
