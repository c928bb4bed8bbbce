// Windows that all instances share, told once a second: what anybody may send costs no statement of its own.
import cds from '@sap/cds'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { runDetached } from '../../cap/context.ts'
import type { Counter } from './counter.ts'
import { WINDOW_SECONDS } from './groups.ts'
import { addCalls, idOf } from './in-database.ts'

const STEP_MS = 1_000

/** Calls in a window from which on it is told: of many callers with a few calls each, nothing is. */
const TOLD_FROM = 30

/** Exact for one instance; several let through what comes within a second more. */
export const inSteps = (name: string, points: number): Pick<Counter, 'take'> => {
  const own = new RateLimiterMemory({ keyPrefix: name, points, duration: WINDOW_SECONDS })
  const untold = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  cds.on('shutdown', () => clearTimeout(timer))

  async function tell() {
    timer = undefined
    const all = [...untold]
    untold.clear()
    for (const [who, calls] of all) {
      const { calls: sum, endsAt } = await addCalls(idOf(name, who), calls)
      const seconds = Math.max(1, Math.ceil((Date.parse(endsAt) - Date.now()) / 1000))
      await own.set(who, Math.min(points, sum + (untold.get(who) ?? 0)), seconds)
    }
  }

  function count(who: string, calls: number) {
    untold.set(who, (untold.get(who) ?? 0) + calls)
    const failed = (error: unknown) => cds.log('v1').warn('limits are not shared:', error)
    timer ??= setTimeout(() => void runDetached('limits', tell).catch(failed), STEP_MS).unref()
  }

  return {
    async take(who) {
      const res = await own.penalty(who)
      const refused = res.consumedPoints > points
      if (refused) await own.reward(who)
      else if (res.consumedPoints === TOLD_FROM) count(who, TOLD_FROM)
      else if (res.consumedPoints > TOLD_FROM) count(who, 1)
      const endsAt = Date.now() + res.msBeforeNext
      return { remaining: Math.max(0, res.remainingPoints), endsAt, refused }
    },
  }
}
