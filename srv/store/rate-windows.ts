// Windows in which calls are counted, in the database. Each step is one conditional statement that commits by itself.
import { RateLimits, readAs } from './entities.ts'

export const WINDOW_SECONDS = 60

export interface Window {
  calls: number
  endsAt: string
}

export const idOf = (name: string, who: string) => `${name}:${who}`.slice(0, 150)

export const findWindow = (ID: string) =>
  readAs<Window>(SELECT.one.from(RateLimits).columns('calls', 'endsAt').where({ ID }))

/** Adds calls to those of the window, which is opened where none is. @returns where the window stands then */
export async function addCalls(ID: string, calls: number): Promise<Window> {
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
