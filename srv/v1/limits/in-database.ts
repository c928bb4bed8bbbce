// Windows that all instances share. Each step is one conditional statement that commits by itself.
import { RateLimits, readAs } from '../../store/entities.ts'
import type { Count, Counter, NewCounter } from './counter.ts'
import { WINDOW_SECONDS } from './groups.ts'

const HOUR_MS = 3_600_000

export interface Row {
  calls: number
  endsAt: string
}

const iso = (time: number) => new Date(time).toISOString()
const find = (ID: string) =>
  readAs<Row>(SELECT.one.from(RateLimits).columns('calls', 'endsAt').where({ ID }))

/** Exact for any number of instances whose clocks agree. */
export const inDatabase: NewCounter = (name, points): Counter => {
  const toCount = ({ calls, endsAt }: Row, refused: boolean): Count => ({
    remaining: refused ? 0 : Math.max(0, points - calls),
    endsAt: Date.parse(endsAt),
    refused,
  })
  return {
    async take(who) {
      const ID = idOf(name, who)
      await sweep()
      for (;;) {
        const now = Date.now()
        const counted: unknown = await UPDATE.entity(RateLimits)
          .set({ calls: { '+=': 1 } })
          .where({ ID, endsAt: { '>': iso(now) }, calls: { '<': points } })
        const row = await find(ID)
        if (row && counted === 1) return toCount(row, false)
        if (row && Date.parse(row.endsAt) > now) {
          if (row.calls >= points) return toCount(row, true)
          continue
        }
        const opened: Row = { calls: 1, endsAt: iso(now + WINDOW_SECONDS * 1000) }
        if (await open(ID, row, opened)) return toCount(opened, false)
      }
    },
    async giveBack(who, { endsAt }) {
      await UPDATE.entity(RateLimits)
        .set({ calls: { '-=': 1 } })
        .where({ ID: idOf(name, who), endsAt: iso(endsAt), calls: { '>': 0 } })
    },
    async look(who) {
      const row = await find(idOf(name, who))
      return row && Date.parse(row.endsAt) > Date.now() ? toCount(row, false) : null
    },
  }
}

/** Adds calls to those of the window, which is opened where none is. @returns where the window stands then */
export async function addCalls(ID: string, calls: number): Promise<Row> {
  for (;;) {
    const now = Date.now()
    await UPDATE.entity(RateLimits)
      .set({ calls: { '+=': calls } })
      .where({ ID, endsAt: { '>': iso(now) } })
    const row = await find(ID)
    if (row && Date.parse(row.endsAt) > now) return row
    const opened: Row = { calls, endsAt: iso(now + WINDOW_SECONDS * 1000) }
    if (await open(ID, row, opened)) return opened
  }
}

export const idOf = (name: string, who: string) => `${name}:${who}`.slice(0, 150)

/** Opens a window in place of the one that is over. @returns false where another call did so meanwhile */
async function open(ID: string, over: Row | null, row: Row): Promise<boolean> {
  if (over) {
    const { endsAt } = over
    const moved: unknown = await UPDATE.entity(RateLimits).set(row).where({ ID, endsAt })
    return moved === 1
  }
  try {
    await INSERT.into(RateLimits).entries({ ID, ...row })
    return true
  } catch (error) {
    if (await find(ID)) return false
    throw error
  }
}

let sweptAt = Date.now()

/** Once an hour and instance: removes windows that are over. */
async function sweep() {
  const now = Date.now()
  if (now - sweptAt < HOUR_MS) return
  sweptAt = now
  await DELETE.from(RateLimits).where({ endsAt: { '<': iso(now - HOUR_MS) } })
}
