// Who calls: Task Center itself (a technical user), or a person through it.
import type { RequestHandler, Response } from 'express'
import cds from '@sap/cds'
import { signInOr } from '../../../base/cap/authentication.ts'
import { isProduction } from '../../../base/settings/config.ts'
import { type Person, personOf, rememberUser } from '../person.ts'
import { TaskRefusal } from '../refusal.ts'

/** The scope of the technical user, and in development its name and password. */
const SCOPE = 'TaskCenter'
const DEVELOPMENT_USER = 'taskcenter'

export type Caller = { technical: true } | { technical: false; person: Person }

declare module 'express-serve-static-core' {
  interface Locals {
    caller: Caller
  }
}

const unauthorized = () =>
  new TaskRefusal(401, 'unauthorized', 'A valid token is needed; its user must be known here.')

const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

/** CAP's own authentication, as configured: mocked users in development, XSUAA or IAS in production. */
export function authenticate(): RequestHandler {
  const signedIn = signInOr(unauthorized)
  return (req, res, next) => {
    const isMocked = !isProduction() && authKind() === 'mocked'
    if (isMocked && req.headers.authorization === basic(DEVELOPMENT_USER, DEVELOPMENT_USER)) {
      res.locals.caller = { technical: true }
      return next()
    }
    if (!req.headers.authorization) return next(unauthorized())
    signedIn(req, res, (error?: unknown) => {
      if (error) return next(error)
      identify(res).then(() => next(), next)
    })
  }
}

const authKind = () => (cds.env.requires.auth as { kind?: string } | undefined)?.kind

async function identify(res: Response) {
  const user = cds.context!.user
  if (user.is('system-user')) {
    if (!user.is(SCOPE)) throw new TaskRefusal(403, 'forbidden', `The scope ${SCOPE} is needed.`)
    res.locals.caller = { technical: true }
    return
  }
  await rememberUser(user)
  res.locals.caller = { technical: false, person: personOf(user) }
}

/** Admits only Task Center. */
export const technicalOnly: RequestHandler = (_req, res, next) => {
  if (res.locals.caller.technical) return next()
  next(new TaskRefusal(403, 'forbidden', 'Only the technical user of Task Center reads this.'))
}

/** The calling person. @throws TaskRefusal 403 for Task Center itself */
export function personIn(res: Response): Person {
  const { caller } = res.locals
  if (!caller.technical) return caller.person
  throw new TaskRefusal(403, 'forbidden', 'This needs the user who works on the task.')
}
