// Windows that all instances share, told in portions: what anybody may send costs no statement of its own.
import { SharedCount } from '../../store/shared-counts.ts'
import type { Counter } from './counter.ts'

/** Exact for one instance; each further one may let a tenth more through. */
export const inSteps = (name: string, points: number): Pick<Counter, 'take'> => {
  const count = new SharedCount(name, points, true)
  return {
    async take(who) {
      const res = await count.add(who)
      const refused = res.consumedPoints > points
      if (refused) await count.add(who, -1)
      const endsAt = Date.now() + res.msBeforeNext
      return { remaining: Math.max(0, res.remainingPoints), endsAt, refused }
    },
  }
}
