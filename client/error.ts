import type { ApiError } from './types.ts'

/** A code of the API, or of a call without an answer of the API. */
export type ErrorCode =
  | ApiError['code']
  /** No connection, or the connection broke. */
  | 'unreachable'
  /** No answer in time. */
  | 'timed_out'
  /** The answer came from another server or a proxy. */
  | 'unexpected_answer'

interface Outcome {
  code: ErrorCode
  status?: number
  /** The unchanged body of the answer. */
  text?: string
  retryAfter?: number | null
  requestId?: string | null
  error?: ApiError
  cause?: unknown
}

/** A failed call. Compare `code`, which is part of the API; the message is not. */
export class RestockError extends Error {
  override name = 'RestockError'
  readonly code: ErrorCode
  /** HTTP status; null without an answer. */
  readonly status: number | null
  /** The invalid parameter or field. */
  readonly target: string | null
  /** The single errors, where there are several. */
  readonly details: NonNullable<ApiError['details']>
  /** Id of the call in the service's log. */
  readonly requestId: string | null
  /** Seconds after which the call may be tried again; null if the answer has no Retry-After. */
  readonly retryAfter: number | null
  /** The error as the API sent it; null if the answer is not the API's, or there is none. */
  readonly error: ApiError | null
  /** The unchanged body of the answer, as text. */
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
