export type FaultKind =
  /** Answers `status`, with `retryAfter` as its header. */
  | 'status'
  /** Tears the connection in mid-body. */
  | 'reset'
  /** Tears the connection before an answer. */
  | 'drop'
  /** Ends the answer properly in the middle of its JSON. */
  | 'truncate'
  /** A logon page with status 200. */
  | 'html'
  /** 302 to `to`. */
  | 'redirect'
  /** The rows of the page before, once more. */
  | 'repeat'
  /** No rows, and no link to more. */
  | 'empty'
  /** A next-link to the very same page. */
  | 'loop'
  /** A next-link into `to`, another origin. */
  | 'foreign'
  /** `delayMs` before the answer. */
  | 'slow'
  /** No answer at all while the connection stands. */
  | 'hang'

export interface Fault {
  /** Regular expression on `GET /sap/…?…`, decoded; all data requests where it is missing. */
  match?: string
  kind: FaultKind
  /** Matching requests that pass before the first one is hit. */
  skip?: number
  /** How many are hit; null: all. One, or with `every` all, where it is missing. */
  times?: number | null
  /** Only every n-th of them. */
  every?: number
  status?: number
  retryAfter?: string
  delayMs?: number
  to?: string
}

interface PendingFault extends Fault {
  seen: number
  hit: number
}

export class Faults {
  readonly #armed: PendingFault[] = []

  add(fault: Fault): void {
    this.#armed.push({ ...fault, seen: 0, hit: 0 })
  }

  clear(): void {
    this.#armed.length = 0
  }

  list(): PendingFault[] {
    return this.#armed
  }

  /** The fault that a request meets; counts it. */
  take(request: string): Fault | null {
    for (const fault of this.#armed) {
      if (!new RegExp(fault.match ?? ' /sap/opu/').test(request)) continue
      fault.seen++
      const after = fault.seen - (fault.skip ?? 0)
      const every = fault.every ?? 1
      const times = fault.times === undefined ? (fault.every ? null : 1) : fault.times
      if (after < 1 || after % every !== 0 || (times !== null && fault.hit >= times)) continue
      fault.hit++
      return fault
    }
    return null
  }
}
