// The roles that a sign-in may bring, as xs-security.json names them.
import cds from '@sap/cds'
import { Refusal } from './errors.ts'

export const APPROVING_ROLES = ['Buyer', 'ApproverHigh']
export const ROLES = ['Viewer', ...APPROVING_ROLES, 'Admin', 'Auditor']

/** Whether the present user holds a role that may approve; administrators as such do not. */
export const mayApprove = () => APPROVING_ROLES.some((role) => cds.context?.user?.is(role))

/** @throws Refusal insufficient_scope */
export function assertAdmin() {
  if (cds.context?.user?.is('Admin')) return
  throw new Refusal(
    'insufficient_scope',
    'Only administrators manage limits, exchange rates and delegations.',
  )
}
