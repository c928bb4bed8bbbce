/** What is wrong with a row. */
export interface Problem {
  /** Stable and snake_case, e.g. `invalid_value`, `missing_value`. */
  code: string
  /** The field at fault as the ERP calls it; null where it is the row as a whole. */
  target: string | null
  /** A sentence for a person: the field and what is allowed. */
  message: string
}

/** A mapper throws it for a value that cannot be stored: its row goes to quarantine, reading goes on. */
export class BadValue extends Error implements Problem {
  override name = 'BadValue'
  readonly code: string
  readonly target: string
  /** @param rule completes a sentence that begins with the field, e.g. `must not be negative` */
  constructor(field: string, rule: string, code = 'invalid_value') {
    // Nobody reads its stack, which takes longer to capture than the rest of a bad row to read.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(`${field} ${rule}.`)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.target = field
  }
}

/** @throws the error itself where it is another one: then reading must not go on */
export function problemOf(error: unknown): BadValue {
  if (error instanceof BadValue) return error
  throw error
}
