import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import type { RequestHandler, Response } from 'express'
import { isRefusal, Refusal } from '../../base/errors.ts'
import { addressOf } from '../../base/http/addresses.ts'
import { environment, isProduction } from '../../base/settings/config.ts'
import { type VerifiedKey, verifyKey } from '../../domain/keys/index.ts'
import { groupOf as groupOfPath, type Limiter, type Standing } from './limits/limiter.ts'

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** Gives the request its id, and a context for the services that carries it. */
export const withContext: RequestHandler = (req, res, next) => {
  const given = req.headers['x-request-id']
  const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
  res.locals.requestId = id
  res.setHeader('X-Request-Id', id)
  res.setHeader('Cache-Control', 'no-store')
  cds.context = new cds.EventContext({ id } as never)
  next()
}

declare module 'express-serve-static-core' {
  interface Locals {
    key: VerifiedKey
  }
}

/** `RESTOCK_RATE_LIMIT=off` lifts the limits, not in production; counts and headers stay. */
const areLimitsOff = () => environment().RESTOCK_RATE_LIMIT === 'off' && !isProduction()

/** Admits a call with a valid key whose limit is not used up, and counts it, even if it is refused later. */
export function admit(limiter: Limiter, groupOf = groupOfPath): RequestHandler {
  const assertWithin = limitAsserter()
  return async (req, res, next) => {
    try {
      res.locals.key = await verifyKey(req.headers.authorization)
    } catch (error) {
      if (isRefusal(error)) assertWithin(res, await limiter.takeAddress(addressOf(req)))
      throw error
    }
    const { id, user } = res.locals.key
    assertWithin(res, await limiter.takeKey(groupOf(req.path), id, cds.context?.tenant ?? ''))
    cds.context!.user = user
    next()
  }
}

/** Admits a call that needs no key, and counts it for its address. */
export function admitAnyone(limiter: Limiter): RequestHandler {
  const assertWithin = limitAsserter()
  return async (req, res, next) => {
    assertWithin(res, await limiter.takeAddress(addressOf(req)))
    next()
  }
}

function limitAsserter() {
  const isOff = areLimitsOff()
  return (res: Response, standing: Standing) => {
    showStanding(res, standing)
    if (!standing.refused || isOff) return
    throw new Refusal('rate_limited', 'Too many calls. Wait as long as Retry-After says.', {
      retryAfter: standing.msToReset / 1000,
    })
  }
}

function showStanding(res: Response, { limit, remaining, msToReset }: Standing) {
  res.setHeader('X-RateLimit-Limit', limit)
  res.setHeader('X-RateLimit-Remaining', remaining)
  res.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + msToReset) / 1000))
}
