// A decision that a key drafts for a person, who alone decides: it changes no number, no status and no version, so that nobody's
// approval is refused for it. It is dropped with the next decision.
import cds from '@sap/cds'
import { inTransaction } from '../../../base/cap/context.ts'
import { Refusal } from '../../../base/errors.ts'
import { findKey } from '../../keys/index.ts'
import { rowsOfReader } from '../readers.ts'
import { isOpen } from '../stored/flow.ts'
import type { Proposal, Recommendation } from '../stored/proposal.ts'
import { assertAsSeen, assertOrderable } from './decisions.ts'
import { alreadyDecided, isExpired, readProposal, recordEvents } from './transition.ts'

interface RecommendedDecision {
  ID: number
  action: Recommendation['action']
  /** To be approved; the proposed one unless given. */
  quantity?: number | null
  /** The code of a rejection. */
  reason?: string | null
  /** Why, in words. */
  comment: string
  /** If given, the one that the caller has seen. */
  expectedVersion?: number | null
}

/**
 * Stores it in the place of an earlier one; the same once more changes nothing.
 * @returns the proposal with it
 * @throws Refusal proposal_not_found, proposal_already_decided, version_mismatch, quantity_not_orderable
 */
export const recommend = (input: RecommendedDecision) => inTransaction(() => store(input))

async function store({ ID, expectedVersion, ...wish }: RecommendedDecision): Promise<Proposal> {
  const proposal = await readProposal(ID, { visible: await rowsOfReader() })
  const { status, version } = proposal
  if (!isOpen(status) || isExpired(proposal)) throw alreadyDecided(proposal)
  assertAsSeen(proposal, { expectedVersion })
  const { action, quantity: wished = null, reason = null, comment } = wish
  const quantity = action === 'approve' ? (wished ?? proposal.quantity) : null
  if (quantity !== null) assertOrderable(proposal, quantity)
  const { ID: key, name } = await currentKey()
  const content = { action, quantity, reason, comment, key, by: name, version }
  const { at: _, ...former } = proposal.recommendation ?? { at: null }
  if (JSON.stringify(former) === JSON.stringify(content)) return proposal
  const recommendation: Recommendation = { ...content, at: new Date().toISOString() }
  const stored: unknown = await UPDATE.entity('restock.Proposals')
    .set({ recommendation: JSON.stringify(recommendation) })
    .where({ ID, status })
  if (stored !== 1) throw alreadyDecided(await readProposal(ID))
  const what = [action, quantity ?? reason].filter((word) => word !== null).join(' ')
  const told = { ...proposal, quantity: quantity ?? proposal.quantity }
  await recordEvents([told], 'recommended', `${name}: ${what}: ${comment}`.slice(0, 1000))
  return { ...proposal, recommendation }
}

/** Only keys recommend: a person decides. */
function currentKey() {
  const { key } = cds.context!.user.attr as { key?: string }
  if (key === undefined) throw new Refusal('insufficient_scope', 'Only keys recommend decisions.')
  return findKey(key)
}
