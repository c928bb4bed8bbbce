/** Why a row is invalid. */
export interface Problem {
  /** Stable and snake_case, e.g. `invalid_value`, `missing_value`. */
  code: string
  /** The invalid field, by its name in the ERP; null where the whole row is invalid. */
  target: string | null
  /** A sentence that names the field and what is allowed. */
  message: string
}

/** Thrown by a mapper for a value that cannot be stored: the row is quarantined, reading continues. */
export class BadValue extends Error implements Problem {
  override name = 'BadValue'
  readonly code: string
  readonly target: string
  /** @param rule completes a sentence that begins with the field, e.g. `must not be negative` */
  constructor(field: string, rule: string, code = 'invalid_value') {
    // The stack is not used, and capturing it takes longer than reading the row.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${field} ${rule}.`)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.target = field
  }
}

/** @throws the error itself if it is no BadValue: reading must stop */
export function problemOf(error: unknown): BadValue {
  if (error instanceof BadValue) return error
  throw error
}
