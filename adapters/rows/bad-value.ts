import { MAX_CODE_LENGTH } from '../records.ts'

/** Why a row is invalid. */
export interface Problem {
  /** Stable and snake_case, e.g. `invalid_value`, `missing_value`. */
  code: string
  /** The invalid field, by its name in the ERP; null where the whole row is invalid. */
  target: string | null
  /** A sentence that names the field and what is allowed. */
  message: string
  /** The pair that the row is about, as far as it says. */
  about?: Subject
}

/** Empty where the row does not say. */
export interface Subject {
  sku: string
  location: string
}

/** Thrown by a mapper for a value that cannot be stored: the row is quarantined, reading continues. */
export class BadValue extends Error implements Problem {
  override name = 'BadValue'
  readonly code: string
  readonly target: string
  about?: Subject
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

/**
 * What a mapper found, of a row about a pair: a bad value says so from then on.
 * @throws what `map` throws
 */
export function mapAbout<T>(sku: unknown, location: unknown, map: () => T): T {
  try {
    return map()
  } catch (error) {
    if (error instanceof BadValue)
      error.about = { sku: codeText(sku), location: codeText(location) }
    throw error
  }
}

/** What is no code that could be stored is none. */
export const codeText = (value: unknown): string =>
  typeof value === 'string' && value.length <= MAX_CODE_LENGTH ? value : ''

/** @throws the error itself if it is no BadValue: reading must stop */
export function problemOf(error: unknown): BadValue {
  if (error instanceof BadValue) return error
  throw error
}
