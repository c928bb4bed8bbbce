// How often doors other than `/v1` may be called: generously, and decisions of people who are signed in never less.
import type { RequestHandler, Response } from 'express'
import cds from '@sap/cds'
import type { RateLimiterRes } from 'rate-limiter-flexible'
import { addressOf } from './addresses.ts'
import { environment, isProduction, settings } from '../settings/config.ts'
import { SharedCount } from './shared-counts.ts'

declare module 'express-serve-static-core' {
  interface Locals {
    /** Seconds that the caller must wait before somebody who is not signed in gets another answer than 429. */
    retryAfter?: number
  }
}

const isOff = () => environment().RESTOCK_RATE_LIMIT === 'off' && !isProduction()

const secondsOf = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000))

function refuse(res: Response, seconds: number) {
  res.setHeader('Retry-After', seconds)
  const message = 'Too many calls. Wait as long as Retry-After says.'
  res.status(429).json({ error: { code: 'rate_limited', message } })
}

/**
 * Counts an address's calls of nobody. Once there are too many, such calls get 429 in the place of 401; who signs in
 * is let through all the same.
 */
export function limitUnknown(): RequestHandler {
  const counter = new SharedCount('unknown', settings().unknownCallsPerMinute)
  return async (req, res, next) => {
    if (isOff()) return next()
    const address = addressOf(req)
    const standing = await counter.look(address)
    if (standing && standing.consumedPoints >= counter.points) {
      const seconds = (res.locals.retryAfter = secondsOf(standing))
      const sendStatus = res.sendStatus.bind(res)
      res.sendStatus = (status) => {
        if (status === 401) refuse(res, seconds)
        else sendStatus(status)
        return res
      }
    }
    res.once('finish', () => void (res.statusCode === 401 && counter.add(address)))
    next()
  }
}

/** For doors that know nobody: each call of an address counts. */
export function limitAddress(name: string): RequestHandler {
  const counter = new SharedCount(name, settings().unknownCallsPerMinute)
  return async (req, res, next) => {
    if (isOff()) return next()
    const standing = await counter.add(addressOf(req))
    if (standing.consumedPoints <= counter.points) return next()
    refuse(res, secondsOf(standing))
  }
}

/** Counts what a person reads; a batch counts by its parts, and is let through where it changes anything. */
export function limitReads(): RequestHandler {
  const counter = new SharedCount('person', settings().readsPerMinute)
  return async (_req, res, next) => {
    const { reads, changes } = res.locals.calls ?? { reads: 0, changes: 0 }
    const person = cds.context?.user?.id
    if (isOff() || !person || !reads) return next()
    const standing = await counter.add(person, reads)
    if (changes || standing.consumedPoints <= counter.points) return next()
    await counter.add(person, -reads)
    refuse(res, secondsOf(standing))
  }
}
