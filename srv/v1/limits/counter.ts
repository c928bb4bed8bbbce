import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { WINDOW_SECONDS } from '../../store/rate-windows.ts'

/** Where somebody stands in a window. */
export interface Count {
  remaining: number
  /** Epoch milliseconds at which the window ends. */
  endsAt: number
  refused: boolean
}

/** Counts calls in fixed windows that open with a first call; what is refused is not counted. */
export interface Counter {
  take(who: string): Promise<Count>
  /** Uncounts a call that was counted in this window. */
  giveBack(who: string, counted: Count): Promise<void>
  /** Where somebody stands, without a call; null where no window is open. */
  look(who: string): Promise<Count | null>
}

/** @param points calls in a window */
export type NewCounter = (name: string, points: number) => Counter

const toCount = (res: RateLimiterRes, refused: boolean): Count => ({
  remaining: Math.max(0, res.remainingPoints),
  endsAt: Date.now() + res.msBeforeNext,
  refused,
})

/** Exact for one instance. */
export const inMemory: NewCounter = (name, points) => {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW_SECONDS })
  return {
    async take(who) {
      // Counts as `consume` does, which would throw beyond the limit.
      const res = await limiter.penalty(who)
      const refused = res.consumedPoints > points
      if (refused) await limiter.reward(who)
      return toCount(res, refused)
    },
    async giveBack(who) {
      await limiter.reward(who)
    },
    async look(who) {
      const res = await limiter.get(who)
      return res && toCount(res, false)
    },
  }
}
