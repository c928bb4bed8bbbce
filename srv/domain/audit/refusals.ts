// Counts refused sign-ins and calls (401, 403), so that an attack of an hour becomes one entry of the trail and not
// thousands.
import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import { networkOf } from '../../base/http/addresses.ts'
import { AuditLog } from '../../base/database/entities.ts'
import { iso } from '../../base/time/days.ts'
import { Worker } from '../../base/work/worker.ts'

/** Equal refusals within this time are counted in one entry. */
const WINDOW_MS = 3_600_000
/** Most different refusals that are listed within the window; all further ones share one entry. */
const MOST = 200

interface Refused {
  status: number
  code: string
  /** The path that the call went to: `/v1`, `/odata/v4/buyer`. */
  door: string
  actor: string
}

interface Counted extends Refused {
  count: number
  since: number
  /** When it was last written: after the first refusal, and at the end of the window. */
  writtenAt: number
}

const refused = new Map<string, Counted>()

/** Notes every answer of 401 or 403, whichever door gives it. */
export const noteRefusals: RequestHandler = (req, res, next) => {
  const [path = ''] = req.originalUrl.split('?')
  res.once('finish', () => {
    const { statusCode: status } = res
    if (status !== 401 && status !== 403) return
    const { refusal: code = '' } = res.locals as { refusal?: string }
    countRefusal({ status, code, door: doorOf(path), actor: actorOf(req, res.locals) })
  })
  next()
}

const DOOR = /^(?:\/odata\/v[24]\/[\w-]{1,50}|\/(?:v1|mcp|docs|apps|auth|oauth|task-provider)\b)/

const doorOf = (path: string) => DOOR.exec(path)?.[0] ?? '/'

/** The signed-in user, or else the caller's network: a /24 or /48 identifies no person. */
function actorOf(req: Request, locals: { key?: { user: { id: string } } }): string {
  const { user } = req as { user?: { id?: string } }
  const id = locals.key?.user.id ?? user?.id
  if (id && id !== 'anonymous') return id
  const network = networkOf(req.ip ?? 'unknown')
  return `from ${network.replace(/:[^:]*::\/64$/, '::/48').replace(/\.\d+$/, '.0/24')}`
}

export function countRefusal(one: Refused, now = Date.now()) {
  const key = Object.values(one).join(' ')
  const isKnown = refused.has(key) || refused.size < MOST
  const kept: Refused = isKnown ? one : { status: one.status, code: '', door: '/', actor: 'others' }
  const at = isKnown ? key : `${one.status} others`
  const counted = refused.get(at) ?? { ...kept, count: 0, since: now, writtenAt: 0 }
  refused.set(at, { ...counted, count: counted.count + 1 })
}

/** Writes new refusals, and those whose window has ended. @returns the number of entries */
export async function writeRefusals({ now = Date.now(), isLast = false } = {}): Promise<number> {
  const due = [...refused].filter(
    ([, { count, writtenAt }]) => count && (isLast || now >= writtenAt + WINDOW_MS),
  )
  if (due.length)
    await INSERT.into(AuditLog).entries(due.map(([, counted]) => toEntry(counted, now)))
  for (const [key, counted] of due) {
    const later = (refused.get(key)?.count ?? 0) - counted.count
    refused.set(key, { ...counted, count: later, since: now, writtenAt: now })
  }
  for (const [key, { count, writtenAt }] of refused) {
    if (!count && now >= writtenAt + WINDOW_MS) refused.delete(key)
  }
  return due.length
}

function toEntry({ status, code, door, actor, count, since }: Counted, now: number) {
  const detail = JSON.stringify({ status, ...(code && { code }), count, since: iso(since) })
  const action = status === 401 ? 'signin.refused' : 'access.refused'
  return {
    ID: randomUUID(),
    at: iso(now),
    actor: actor.slice(0, 255),
    via: 'system',
    action,
    object: door,
    detail,
  }
}

/** Writes the refusals of the last minute. */
export const refusalWorker = new Worker({
  name: 'audit refusals',
  every: 60_000,
  work: () => writeRefusals(),
  drain: () => writeRefusals({ isLast: true }),
})
