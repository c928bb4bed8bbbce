export type FaultKind =
  /** Answers `status`, with `retryAfter` as its header. */
  | 'status'
  /** Breaks the connection in the middle of the body. */
  | 'reset'
  /** Breaks the connection before the answer. */
  | 'drop'
  /** Ends the answer in the middle of the JSON without breaking the connection. */
  | 'truncate'
  /** A logon page with status 200. */
  | 'html'
  /** 302 to `to`. */
  | 'redirect'
  /** The rows of the previous page again. */
  | 'repeat'
  /** No rows and no next-link. */
  | 'empty'
  /** A next-link to the same page. */
  | 'loop'
  /** A next-link to another origin, `to`. */
  | 'foreign'
  /** A delay of `delayMs` before the answer. */
  | 'slow'
  /** No answer, but the connection stays open. */
  | 'hang'

export interface Fault {
  /** Regular expression for the decoded `GET /sap/…?…`; default: all data requests. */
  match?: string
  kind: FaultKind
  /** Number of matching requests before the first fault. */
  skip?: number
  /** Number of faults; null: unlimited. Default 1, with `every` unlimited. */
  times?: number | null
  /** Only every n-th matching request. */
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

  /** The fault for a request, which is counted. */
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
