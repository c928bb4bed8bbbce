import { WINDOW_SECONDS } from './groups.ts'

const WINDOW_MS = WINDOW_SECONDS * 1000

/** Where somebody stands in a window. */
export interface Count {
  remaining: number
  /** Epoch milliseconds at which the window is whole again. */
  endsAt: number
  refused: boolean
}

/** Counts calls in fixed windows that open with a first call; what is refused is not counted. */
export interface Counter {
  take(who: string): Promise<Count>
  /** Takes back a call that was counted in this window. */
  giveBack(who: string, counted: Count): Promise<void>
  /** Where somebody stands, without a call; null where no window is open. */
  look(who: string): Promise<Count | null>
}

/** @param points calls in a window */
export type NewCounter = (name: string, points: number) => Counter

interface Window {
  calls: number
  /** Epoch milliseconds. */
  endsAt: number
}

/** Exact for one instance. Windows that are over are removed once a minute. */
export const inMemory: NewCounter = (_name, points) => {
  const windows = new Map<string, Window>()
  let sweepAt = 0
  const isOpen = (window: Window | undefined, now: number) => window && window.endsAt > now
  const sweep = (now: number) => {
    for (const [who, window] of windows) if (!isOpen(window, now)) windows.delete(who)
    sweepAt = now + WINDOW_MS
  }
  const open = (who: string, now: number): Window => {
    if (now >= sweepAt) sweep(now)
    const window = { calls: 0, endsAt: now + WINDOW_MS }
    windows.set(who, window)
    return window
  }
  const find = (who: string) => {
    const window = windows.get(who)
    return isOpen(window, Date.now()) ? window : undefined
  }
  return {
    async take(who) {
      const window = find(who) ?? open(who, Date.now())
      const refused = window.calls >= points
      if (!refused) window.calls++
      return { remaining: points - window.calls, endsAt: window.endsAt, refused }
    },
    async giveBack(who, { endsAt }) {
      const window = windows.get(who)
      if (window?.endsAt === endsAt && window.calls > 0) window.calls--
    },
    async look(who) {
      const window = find(who)
      return window
        ? { remaining: points - window.calls, endsAt: window.endsAt, refused: false }
        : null
    },
  }
}
