// The three ways in which reading an ERP can fail; the runner decides what follows from each.

/** Reading cannot continue: missing rights, a missing file or a missing column. */
export class Fatal extends Error {
  override name = 'Fatal'
  readonly code: string
  readonly target: string | undefined
  /** @param code stable and snake_case, shown among a sync's issues; @param target the file or field */
  constructor(code: string, message: string, target?: string) {
    super(message)
    this.code = code
    this.target = target
  }
}

/** Whether a list is not there for this account: it may not read it, or the ERP has none. */
export const isUnreadable = (error: unknown): error is Fatal =>
  error instanceof Fatal && (error.code === 'forbidden' || error.code === 'not_found')

/** Whether the ERP does not take the request: it has not what is asked for, a field for one. */
export const isRefused = (error: unknown): error is Fatal =>
  error instanceof Fatal && error.code === 'request_refused'

/** Whether a list is not there for this account, or has not all that is asked of it. */
export const isNotThere = (error: unknown): error is Fatal =>
  isUnreadable(error) || isRefused(error)

/** Whether a file is not whole yet: what was read of it before stands. */
export const isAwaited = (error: unknown): boolean =>
  error instanceof Fatal && error.code === 'file_awaited'

/** The same request may succeed later; `afterMs` is the wait that the ERP asked for, if any. */
export class Retriable extends Error {
  override name = 'Retriable'
  readonly afterMs: number | undefined
  constructor(message: string, afterMs?: number) {
    super(message)
    this.afterMs = afterMs
  }
}

/** There is no way to the ERP at present: whatever else is asked of it would fail too. */
export class Unreachable extends Retriable {
  readonly reason: string
  /** @param reason such as `ECONNREFUSED` */
  constructor(message: string, reason: string) {
    super(message)
    this.reason = reason
  }
}

/** What kept a connection from being made, in words; the code alone says little to who reads it. */
const WAYS: Record<string, string | undefined> = {
  ECONNREFUSED: 'nothing listens at this address and port',
  ENOTFOUND: 'no server has this name',
  EAI_AGAIN: 'the name could not be looked up',
  EHOSTUNREACH: 'no way leads to this server',
  ENETUNREACH: 'no way leads to this network',
  EHOSTDOWN: 'this server is down',
  ETIMEDOUT: 'no answer in time',
  ERR_CONNECT_TIMEOUT: 'no connection in time',
}

/** @param code of the system, such as `ECONNREFUSED`; empty where there is none */
export const whyUnreachable = (code: string): string => WAYS[code] ?? (code || 'connection lost')

/** One row that cannot be stored. It is quarantined, and the sync continues. */
export interface QuarantinedRow {
  /** Stable and snake_case, e.g. `invalid_value`, `duplicate_key`. */
  code: string
  /** Location of the row, e.g. `stock.csv:17`. */
  place: string
  /** The invalid field, by its name in the ERP. */
  target: string | null
  /** Names the field and what is allowed. */
  message: string
  /** The row as it was read, cut to 500 characters. */
  excerpt: string
  /** What the row is about; absent or empty where that is not known. */
  sku?: string
  location?: string
}
