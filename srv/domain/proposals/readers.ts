// Who asks: whatever doors call begins here. Without a role of ours nobody is told or decides anything, and everybody
// sees their own rows alone.
import cds from '@sap/cds'
import { Refusal } from '../../base/errors.ts'
import { ROLES } from '../../base/roles.ts'
import { type Predicate, visibleTo } from '../authority/index.ts'
import { readProposal } from './decide/transition.ts'

/** @throws Refusal insufficient_scope for a user with none of these roles */
export function assertRole(roles: readonly string[]) {
  const { user } = cds.context!
  if (roles.some((role) => user.is(role))) return
  throw new Refusal('insufficient_scope', 'Only buyers and approvers decide about proposals.')
}

/** Of which rows the user may be told; null for all. @throws Refusal insufficient_scope */
export async function rowsOfReader(): Promise<Predicate | null> {
  assertRole(ROLES)
  return visibleTo(cds.context!.user)
}

/** What the user does not see is answered as if it were not there. @throws Refusal proposal_not_found */
export const findProposal = async (ID: number) =>
  readProposal(ID, { visible: await rowsOfReader() })
