// CAP's own authentication for routes that are no CAP service: mocked users in development, XSUAA or IAS in production.
// `cds.middlewares.auth` is public. Its answer to a wrong password, written to `req.res` by `req._login`, is not:
// tried with @sap/cds 10.1.1, needed until that strategy passes a 401 on.
import cds from '@sap/cds'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { facade } from './facade.ts'

declare module 'express-serve-static-core' {
  interface Locals {
    requestId: string
  }
}

/** Gives `cds.context` a user, or an anonymous one. CAP answers a wrong password by itself. */
export function signIn(): RequestHandler {
  let auth: ReturnType<typeof facade.middlewares.auth> | undefined
  return (req, res, next) => {
    cds.context = new cds.EventContext({ id: res.locals.requestId } as never)
    auth ??= facade.middlewares.auth()
    return auth(req, res, next)
  }
}

/** The same; wrong passwords and anonymous users are passed on to `next` as `refusal()`. */
export function signInOr(refusal: () => Error) {
  const handle = signIn()
  return (req: Request, res: Response, next: NextFunction) => {
    const restore = () => Object.assign(req, { res })
    const refuse = () => {
      restore()
      next(refusal())
    }
    const answer = { set: () => answer, sendStatus: refuse }
    Object.assign(req, { res: answer })
    return handle(req, res, (error?: unknown) => {
      restore()
      if (error === 401 || (!error && isAnonymous())) return next(refusal())
      next(error)
    })
  }
}

/** Whether nobody has signed in. */
export function isAnonymous() {
  const user = cds.context?.user
  return !user || user instanceof cds.User.Anonymous
}
