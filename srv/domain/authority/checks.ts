import cds from '@sap/cds'
import { Refusal } from '../../base/errors.ts'
import { findPerson, isApprover } from './people.ts'

export const invalid = (target: string, message: string) =>
  new Refusal('invalid_parameter', message, { target })

/** An administrator gives rights to others. @throws Refusal four_eyes_required */
export function assertOther(user: string, target: string) {
  if (cds.context?.user?.id !== user) return
  throw new Refusal('four_eyes_required', 'Nobody changes what they themselves may approve.', {
    target,
  })
}

/** @throws Refusal invalid_parameter */
export async function assertApprover(user: string, target: string) {
  if (typeof user === 'string' && isApprover(await findPerson(user))) return
  throw invalid(target, `${target}: must be a known user who holds an approving role`)
}

/** A decimal string with two places at most, or null. @throws Refusal invalid_parameter */
export function moneyOrNull(value: string | null | undefined, target: string): string | null {
  if (value === null || value === undefined) return null
  if (/^\d{1,13}(\.\d{1,2})?$/.test(value)) return value
  throw invalid(target, `${target}: must be a decimal string such as "500.00", or null`)
}

/** A code of ISO 4217, or null. @throws Refusal invalid_parameter */
export function currencyOrNull(code: string | null | undefined, target: string): string | null {
  if (!code) return null
  if (/^[A-Z]{3}$/.test(code)) return code
  throw invalid(target, `${target}: must be a currency of ISO 4217 such as "EUR", or null`)
}
