// Sessions of browsers: a random value in a cookie, all else in the database, so that any instance can end one.
import { hash, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { settings } from '../config.ts'
import { readAs, Sessions } from '../store/entities.ts'
import { openText, sealText } from '../store/secrets/vault.ts'
import type { SignedIn } from './claims.ts'
import { clearCookie, cookieOf, setCookie } from '../cookies.ts'

const COOKIE = 'restock'
const VALUE = /^[\w-]{43}$/
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

export interface Session {
  person: SignedIn
  /** For the sign-out at the provider. */
  idToken: string
}

interface Row {
  ID: string
  user: string
  sealed: string
  seenAt: string
  expiresAt: string
}

const at = (ms: number) => new Date(ms).toISOString()
const idOf = (value: string) => hash('sha256', value)
const place = (ID: string) => `restock session ${ID}`

/** Begins a session and gives the browser its cookie. Sessions that have ended are deleted. */
export async function beginSession(res: Response, session: Session) {
  const [value, now] = [randomBytes(32).toString('base64url'), Date.now()]
  const ID = idOf(value)
  const maxAge = settings().identity.sessionHours * HOUR_MS
  await DELETE.from(Sessions).where({ expiresAt: { '<=': at(now) } })
  await INSERT.into(Sessions).entries({
    ...{ ID, user: session.person.id, sealed: sealText(place(ID), JSON.stringify(session)) },
    ...{ createdAt: at(now), seenAt: at(now), expiresAt: at(now + maxAge) },
  })
  setCookie(res, COOKIE, value, maxAge)
}

const sessionId = (req: Request) => {
  const value = cookieOf(req, COOKIE)
  return value && VALUE.test(value) ? idOf(value) : undefined
}

/** @param isUsed whether a person did something, which keeps the session from ending */
export async function findSession(req: Request, isUsed = true): Promise<Session | undefined> {
  const ID = sessionId(req)
  if (!ID) return undefined
  const row = await readAs<Row>(SELECT.one.from(Sessions).where({ ID }))
  const [now, idleMs] = [Date.now(), settings().identity.idleMinutes * MINUTE_MS]
  if (!row || Date.parse(row.expiresAt) <= now) return undefined
  const seenBefore = now - Date.parse(row.seenAt)
  if (seenBefore > idleMs) return undefined
  if (isUsed && seenBefore > MINUTE_MS)
    await UPDATE.entity(Sessions)
      .set({ seenAt: at(now) })
      .where({ ID })
  return unseal(row)
}

/** A session that another encryption key sealed has ended. */
function unseal({ ID, sealed }: Row): Session | undefined {
  try {
    const text = openText(place(ID), sealed)
    return text === null ? undefined : (JSON.parse(text) as Session)
  } catch {
    return undefined
  }
}

/** @returns the session that has ended, if there was one */
export async function endSession(req: Request, res: Response): Promise<Session | undefined> {
  const session = await findSession(req, false)
  const ID = sessionId(req)
  if (ID) await DELETE.from(Sessions).where({ ID })
  clearCookie(res, COOKIE)
  return session
}
