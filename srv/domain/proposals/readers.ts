// The checks with which every call from a door begins: a user without a role of this service learns and decides nothing, and
// everybody sees only the rows that they may see.
import cds from '@sap/cds'
import { Refusal } from '../../base/errors.ts'
import { ROLES } from '../../base/roles.ts'
import { type Predicate, visibleTo } from '../authority/index.ts'
import { readProposal } from './decide/transition.ts'
import { withCallOffs, withOrderUnits } from './terms/call-offs.ts'

/** @throws Refusal insufficient_scope for a user with none of these roles */
export function assertRole(roles: readonly string[]) {
  const { user } = cds.context!
  if (roles.some((role) => user.is(role))) return
  throw new Refusal('insufficient_scope', 'Only buyers and approvers decide about proposals.')
}

/** The condition on rows that the user may see; null for all. @throws Refusal insufficient_scope */
export async function rowsOfReader(): Promise<Predicate | null> {
  assertRole(ROLES)
  return visibleTo(cds.context!.user)
}

/** A proposal that the user does not see is answered as if it did not exist. @throws Refusal proposal_not_found */
export async function findProposal(ID: number) {
  const found = await readProposal(ID, { visible: await rowsOfReader() })
  return (await withCallOffs(await withOrderUnits([found])))[0]!
}
