export const DAY_MS = 86_400_000

/** The ERP's clock: it starts at a given time, runs at normal speed and can be advanced. */
export class Clock {
  readonly #offset: number
  #advancedDays = 0

  constructor(now?: string | Date) {
    const start = now === undefined ? Date.now() : new Date(now).getTime()
    if (Number.isNaN(start)) throw new RangeError(`now: ${String(now)} is no time`)
    this.#offset = start - Date.now()
  }

  /** Milliseconds since 1970. */
  now(): number {
    return Date.now() + this.#offset + this.#advancedDays * DAY_MS
  }

  /** Days since 1970, UTC. */
  today(): number {
    return Math.floor(this.now() / DAY_MS)
  }

  advance(days: number): void {
    this.#advancedDays += days
  }
}
