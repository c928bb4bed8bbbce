import type { Throttle } from './behaviour.ts'

/** Counts data requests and refuses those above the limits. */
export class Gate {
  running = 0
  /** Most concurrent requests so far. */
  peak = 0
  #second = 0
  #started = 0

  /** @returns whether the request is refused; `leave` must be called in both cases */
  enter(throttle: Throttle | null): boolean {
    this.running++
    this.peak = Math.max(this.peak, this.running)
    const second = Math.floor(Date.now() / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#started = 0
    }
    this.#started++
    if (!throttle) return false
    const { concurrent = Infinity, perSecond = Infinity } = throttle
    return this.running > concurrent || this.#started > perSecond
  }

  leave(): void {
    this.running--
  }
}

/** The Retry-After header of a refusal; null for none. */
export function retryAfter(throttle: Throttle, now: number): string | null {
  const seconds = throttle.seconds ?? 1
  switch (throttle.retryAfter ?? 'seconds') {
    case 'none':
      return null
    case 'seconds':
      return String(seconds)
    case 'date':
      return new Date(now + seconds * 1000).toUTCString()
  }
}
