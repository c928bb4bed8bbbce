import { createHmac, timingSafeEqual } from 'node:crypto'
import cds from '@sap/cds'
import type { RequestHandler } from 'express'
import { signIn } from '../../../base/cap/authentication.ts'
import { runDetached } from '../../../base/cap/context.ts'
import { beforePlugins } from '../../../base/cap/facade.ts'
import { prepareV2 } from '../../../base/odata/odata-bodies.ts'
import { readFeed } from '../feed/feed.ts'

/** Must be called before the service starts, and before the V2 adapter, which is a plugin. */
export const mountMyInbox = () =>
  beforePlugins((app) => {
    prepareV2(app, 'TASKPROCESSING')
    app.use('/odata/v4/TASKPROCESSING', csrf())
  })

// Tokens against forged requests, as SAP Gateway has them: fetched by a read, needed by every write.

const HEADER = 'X-CSRF-Token'
const HELD_MS = 8 * 3_600_000

let secret: string | undefined

/** The secret is the same on every instance. */
const secretOf = async () => (secret ??= (await runDetached('tasks', readFeed))!.secret)

const sign = (key: string, user: string, until: string) =>
  createHmac('sha256', key).update(`${until} ${user}`).digest('base64url')

/** A token for this user, valid for eight hours. A page that forges requests cannot read it. */
async function tokenFor(user: string) {
  const until = (Date.now() + HELD_MS).toString(36)
  return `${until}.${sign(await secretOf(), user, until)}`
}

async function isValid(token: string, user: string) {
  const [until = '', signature = ''] = token.split('.')
  if (!(parseInt(until, 36) > Date.now())) return false
  const expected = Buffer.from(sign(await secretOf(), user, until))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const READING = ['GET', 'HEAD', 'OPTIONS']

/** To be used before the service, with its own authentication. */
function csrf(): RequestHandler[] {
  const check: RequestHandler = async (req, res, next) => {
    const user = cds.context?.user?.id ?? ''
    const given = req.get(HEADER) ?? ''
    if (READING.includes(req.method)) {
      if (given.toLowerCase() === 'fetch') res.setHeader(HEADER, await tokenFor(user))
      return next()
    }
    if (await isValid(given, user)) return next()
    res.setHeader(HEADER, 'Required')
    const message = 'CSRF token validation failed: fetch one by a read with X-CSRF-Token: Fetch.'
    res.status(403).json({ error: { code: '403', message } })
  }
  return [signIn(), check]
}
