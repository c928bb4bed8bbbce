import cds from '@sap/cds'
import { findUser } from '../store/users.ts'

/** Up to which value the present user may approve; the tighter of role and key, null for no limit. */
export function approvalLimitOf(): number | null {
  const user = cds.context?.user
  if (!user) return null
  const key = (user.attr as { maxOrderValue?: string | null }).maxOrderValue
  const limits = [roleLimit(user.id), key == null ? null : Number(key)]
  return limits.reduce((a, b) => (a === null ? b : b === null ? a : Math.min(a, b)), null)
}

/** The highest limit of the user's roles; nothing for somebody who holds no approving role. */
function roleLimit(id: string): number | null {
  const limits: Record<string, string | null> = cds.env.restock.approvalLimits
  const roles = findUser(id)?.roles.filter((role) => role in limits) ?? []
  if (!roles.length) return 0
  if (roles.some((role) => limits[role] === null)) return null
  return Math.max(...roles.map((role) => Number(limits[role])))
}

/** Whether a second person must agree; a value that is not known always does where this is on. */
export function needsSecondApprover(value: string | null): boolean {
  const above = cds.env.restock.secondApproverAbove
  return above !== null && (value === null || Number(value) > Number(above))
}
