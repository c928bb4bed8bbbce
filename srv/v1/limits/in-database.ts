// Windows that all instances share. Each step is one conditional statement that commits by itself.
import { RateLimits } from '../../store/entities.ts'
import { findWindow, idOf, newWindow, openWindow, type Window } from '../../store/rate-windows.ts'
import type { Count, Counter, NewCounter } from './counter.ts'

const iso = (time: number) => new Date(time).toISOString()

/** Exact for any number of instances whose clocks agree. */
export const inDatabase: NewCounter = (name, points): Counter => {
  const toCount = ({ calls, endsAt }: Window, refused: boolean): Count => ({
    remaining: refused ? 0 : Math.max(0, points - calls),
    endsAt: Date.parse(endsAt),
    refused,
  })
  return {
    async take(who) {
      const ID = idOf(name, who)
      for (;;) {
        const now = Date.now()
        const counted: unknown = await UPDATE.entity(RateLimits)
          .set({ calls: { '+=': 1 } })
          .where({ ID, endsAt: { '>': iso(now) }, calls: { '<': points } })
        const row = await findWindow(ID)
        if (row && counted === 1) return toCount(row, false)
        if (row && Date.parse(row.endsAt) > now) {
          if (row.calls >= points) return toCount(row, true)
          continue
        }
        const opened = newWindow(now, 1)
        if (await openWindow(ID, row, opened)) return toCount(opened, false)
      }
    },
    async giveBack(who, { endsAt }) {
      await UPDATE.entity(RateLimits)
        .set({ calls: { '-=': 1 } })
        .where({ ID: idOf(name, who), endsAt: iso(endsAt), calls: { '>': 0 } })
    },
    async look(who) {
      const row = await findWindow(idOf(name, who))
      return row && Date.parse(row.endsAt) > Date.now() ? toCount(row, false) : null
    },
  }
}
