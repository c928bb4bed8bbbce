// How often doors other than `/v1` may be called: generously, and decisions of people who are signed in never less.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler, Response } from 'express'
import cds from '@sap/cds'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { LRUCache } from 'lru-cache'
import { runDetached } from '../cap/context.ts'
import { RateLimits, readAs } from '../database/entities.ts'
import { environment, isProduction, settings } from '../settings/config.ts'
import { addressOf } from './addresses.ts'

declare module 'express-serve-static-core' {
  interface Locals {
    /** Seconds that the caller must wait before somebody who is not signed in gets another answer than 429. */
    retryAfter?: number
  }
}

/** `RESTOCK_RATE_LIMIT=off` lifts the limits, not in production; counts and headers stay. */
export const areLimitsOff = () => environment().RESTOCK_RATE_LIMIT === 'off' && !isProduction()

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
    if (areLimitsOff()) return next()
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
    if (areLimitsOff()) return next()
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
    if (areLimitsOff() || !person || !reads) return next()
    const standing = await counter.add(person, reads)
    if (changes || standing.consumedPoints <= counter.points) return next()
    await counter.add(person, -reads)
    refuse(res, secondsOf(standing))
  }
}

// Windows in which calls are counted, in the database. Each step is one conditional statement that commits by itself.

export const WINDOW_SECONDS = 60

export interface Window {
  calls: number
  endsAt: string
}

export const idOf = (name: string, who: string) => `${name}:${who}`.slice(0, 150)

export const findWindow = (ID: string) =>
  readAs<Window>(SELECT.one.from(RateLimits).columns('calls', 'endsAt').where({ ID }))

/** Adds calls to those of the window, which is opened where none is. @returns where the window stands then */
async function addCalls(ID: string, calls: number): Promise<Window> {
  for (;;) {
    const now = Date.now()
    await UPDATE.entity(RateLimits)
      .set({ calls: { '+=': calls } })
      .where({ ID, endsAt: { '>': new Date(now).toISOString() } })
    const window = await findWindow(ID)
    if (window && Date.parse(window.endsAt) > now) return window
    const opened = newWindow(now, calls)
    if (await openWindow(ID, window, opened)) return opened
  }
}

export const newWindow = (now: number, calls: number): Window => ({
  calls,
  endsAt: new Date(now + WINDOW_SECONDS * 1000).toISOString(),
})

/** Opens a window in place of the one that is over. @returns false where another call did so meanwhile */
export async function openWindow(ID: string, over: Window | null, opened: Window) {
  await sweep()
  if (over) {
    const { endsAt } = over
    const moved: unknown = await UPDATE.entity(RateLimits).set(opened).where({ ID, endsAt })
    return moved === 1
  }
  try {
    await INSERT.into(RateLimits).entries({ ID, ...opened })
    return true
  } catch (error) {
    if (await findWindow(ID)) return false
    throw error
  }
}

const HOUR_MS = 3_600_000
let sweptAt = Date.now()

/** Once an hour and instance: removes windows that are over. */
async function sweep() {
  const now = Date.now()
  if (now - sweptAt < HOUR_MS) return
  sweptAt = now
  await DELETE.from(RateLimits).where({ endsAt: { '<': new Date(now - HOUR_MS).toISOString() } })
}

// Calls in windows, counted in memory and told to the other instances through the database in portions: what anybody may
// send costs no statement of its own, and where the database cannot be written each instance counts by itself.

/** Of a limit: when so many calls are untold they are told. Whoever has twice as many waits for that, for a moment. */
const PORTION = 1 / 20
const WAIT_MS = 1_000
/** After a fault nothing is told for so long. */
const PAUSE_MS = 1_000
/** Callers whose counts an instance keeps: a cache that takes room for as many only once they come. */
export const CALLERS = { maxSize: 100_000, sizeCalculation: () => 1 }

/** Whether instances share their limits: SQLite has one instance, unless `cds.restock.sharedLimits` says otherwise. */
export const areLimitsShared = (): boolean => {
  const { kind } = cds.env.requires.db as { kind: string }
  return settings().sharedLimits ?? kind !== 'sqlite'
}

export class SharedCount {
  /** Calls in a window. */
  readonly points: number
  readonly #name: string
  readonly #isShared: boolean
  readonly #own: RateLimiterMemory
  /** Calls of the window that the others do not know of. */
  readonly #untold = new LRUCache<string, number>(CALLERS)
  readonly #due = new Set<string>()
  #telling: Promise<void> | undefined
  #pausedUntil = 0
  #isFailing = false

  constructor(name: string, points: number, isShared = areLimitsShared()) {
    this.points = points
    this.#name = name
    this.#isShared = isShared
    this.#own = new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW_SECONDS })
  }

  async look(who: string): Promise<RateLimiterRes | null> {
    await this.#catchUp(this.#untold.get(who) ?? 0)
    return this.#own.get(who)
  }

  /** Counts calls, also beyond the limit; fewer than none are uncounted. */
  async add(who: string, calls = 1): Promise<RateLimiterRes> {
    const standing = await (calls < 0
      ? this.#own.reward(who, -calls)
      : this.#own.penalty(who, calls))
    const without = standing.consumedPoints - Math.max(0, calls)
    const isOver = without > this.points
    if (this.#isShared && !isOver) await this.#note(who, calls, standing.isFirstInDuration)
    return standing
  }

  /** What comes once the limit is used up tells nobody anything new. */
  async #note(who: string, calls: number, isFirst: boolean) {
    const untold = (isFirst ? 0 : (this.#untold.get(who) ?? 0)) + calls
    this.#untold.set(who, untold)
    if (untold < this.points * PORTION) return
    this.#due.add(who)
    if (Date.now() < this.#pausedUntil) return
    this.#telling ??= runDetached('limits', () => this.#tell())
      .then(() => void (this.#isFailing = false))
      .catch((error: Error) => this.#pause(error))
      .finally(() => (this.#telling = undefined))
    await this.#catchUp(untold)
  }

  async #catchUp(untold: number) {
    if (!this.#telling || untold < 2 * this.points * PORTION) return
    await Promise.race([this.#telling, sleep(WAIT_MS, undefined, { ref: false })])
  }

  #pause({ message }: Error) {
    this.#pausedUntil = Date.now() + PAUSE_MS
    if (!this.#isFailing) cds.log('limits').warn('each instance counts by itself:', message)
    this.#isFailing = true
  }

  /** Goes on while callers become due anew. What cannot be told stays due. */
  async #tell() {
    for (const who of this.#due) {
      this.#due.delete(who)
      const calls = this.#untold.get(who) ?? 0
      try {
        const { calls: sum, endsAt } = await addCalls(idOf(this.#name, who), calls)
        const since = (this.#untold.get(who) ?? calls) - calls
        this.#untold.set(who, since)
        const seconds = Math.max(1, Math.ceil((Date.parse(endsAt) - Date.now()) / 1000))
        await this.#own.set(who, sum + since, seconds)
      } catch (error) {
        this.#due.add(who)
        throw error
      }
    }
  }
}
