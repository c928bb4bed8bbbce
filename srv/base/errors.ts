// Every error code that a caller can meet, with its HTTP status. Codes are contract, messages are not.
import type { MessageArgs } from './texts/texts.ts'

export const STATUS = {
  invalid_request: 400,
  invalid_parameter: 400,
  invalid_cursor: 400,
  batch_too_large: 400,
  webhook_target_refused: 400,
  invalid_api_key: 401,
  expired_api_key: 401,
  insufficient_scope: 403,
  approval_limit_exceeded: 403,
  four_eyes_required: 403,
  key_not_confirmed: 403,
  not_found: 404,
  proposal_not_found: 404,
  forecast_not_found: 404,
  source_not_found: 404,
  method_not_allowed: 405,
  proposal_already_decided: 409,
  proposal_stale: 409,
  already_handed_over: 409,
  sync_in_progress: 409,
  sync_already_finished: 409,
  source_not_connected: 409,
  request_in_progress: 409,
  version_mismatch: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  quantity_not_orderable: 422,
  line_not_importable: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  source_unavailable: 503,
  forecast_not_ready: 503,
  database_unavailable: 503,
  disk_full: 507,
} as const

export type ErrorCode = keyof typeof STATUS

export interface ErrorDetail {
  code: string
  message: string
  target: string | null
}

export interface ErrorOptions {
  /** The parameter or field at fault. */
  target?: string
  details?: ErrorDetail[]
  /** Seconds after which the same call may succeed. */
  retryAfter?: number
  /** The message as a sentence of _i18n, for doors that speak other languages. */
  sentence?: { key: string; args: MessageArgs }
  /** Further named members of the answer, JSON in snake_case: `current_status`, `sync_id`, `fresh`. */
  members?: Record<string, unknown>
}

/** An expected refusal, told to the caller as it is; every other error becomes `internal_error`. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly status: number
  readonly options: ErrorOptions
  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message)
    this.code = code
    this.status = STATUS[code]
    this.options = options
  }
}

/** @param rule what the parameter or field of this name must be */
export const invalidParameter = (target: string, rule: string) =>
  new Refusal('invalid_parameter', `${target}: ${rule}`, { target })

/** A refusal as OData has it, in other words, and with more members where it needs some. */
export const toODataError = ({ code, status }: Refusal, text: string, more: object = {}) =>
  Object.assign(new Error(text), { status, statusCode: status, code, ...more })

/** Whether an error is a refusal; by its name, for a module may be loaded twice. */
export const isRefusal = (error: unknown): error is Refusal =>
  (error as Refusal | undefined)?.name === 'Refusal'
