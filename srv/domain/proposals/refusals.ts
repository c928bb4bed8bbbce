// What CAP refuses by constraints.cds and access-control.cds, under the codes that every door tells.
import cds from '@sap/cds'
import { Refusal } from '../../base/errors.ts'

interface CapError {
  /** A text, or the status. */
  code?: string | number
  status?: string | number
  message?: string
  target?: string
  args?: unknown[]
  /** Where there are several. */
  details?: CapError[]
}

const FORBIDDEN = new Set([401, 403])

/** CAP's error as a refusal; any other error as it is. */
export function toRefusal(error: unknown): unknown {
  const { code, status = code, details } = error as CapError
  if (error instanceof Refusal) return error
  if (FORBIDDEN.has(Number(status))) {
    return new Refusal('insufficient_scope', 'Only buyers and approvers decide about proposals.')
  }
  const fault = details?.[0] ?? (error as CapError)
  return String(fault.code).startsWith('ASSERT_') ? invalid(fault) : error
}

export function invalid({ target = '', message, code, args = [] }: CapError) {
  const { messages } = cds.i18n
  const text = messages.at(message ?? '', 'en', args) ?? messages.at(String(code), 'en', args)
  return new Refusal('invalid_parameter', `${target}: ${text ?? message}`, { target })
}
