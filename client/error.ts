import type { ApiError } from './types.ts'

/** A code of the API, or of a call that the API did not answer. */
export type ErrorCode =
  | ApiError['code']
  /** There is no connection, or it broke. */
  | 'unreachable'
  /** No answer came in time. */
  | 'timed_out'
  /** Something else answered: another server, or a proxy. */
  | 'unexpected_answer'

interface Outcome {
  code: ErrorCode
  status?: number
  /** The answer as it came. */
  text?: string
  retryAfter?: number | null
  requestId?: string | null
  error?: ApiError
  cause?: unknown
}

/** Why a call has no result. Compare `code`: it is part of the API, the message is not. */
export class RestockError extends Error {
  override name = 'RestockError'
  readonly code: ErrorCode
  /** HTTP status; null where nothing answered. */
  readonly status: number | null
  /** The parameter or field at fault. */
  readonly target: string | null
  /** One by one, where there are several faults. */
  readonly details: NonNullable<ApiError['details']>
  /** Names the call in the log of the service. */
  readonly requestId: string | null
  /** Seconds after which the call may be tried again; null where the answer does not say. */
  readonly retryAfter: number | null
  /** The error as the API sent it; null where something else, or nothing, answered. */
  readonly error: ApiError | null
  /** The body of the answer as it came. */
  readonly text: string

  constructor(message: string, { code, status, error, cause, ...answer }: Outcome) {
    super(message, { cause })
    this.code = code
    this.status = status ?? null
    this.error = error ?? null
    this.target = error?.target ?? null
    this.details = error?.details ?? []
    this.requestId = error?.request_id ?? answer.requestId ?? null
    this.retryAfter = answer.retryAfter ?? null
    this.text = answer.text ?? ''
  }
}
