// What was seen is what is decided: a proposal that has moved since it was shown is refused.
import { Refusal } from '../../errors.ts'
import { changesSince, type TermChange } from '../../store/proposal-terms.ts'
import type { Proposal } from '../to-proposal.ts'

/** The version that the person was shown, where the door knows it. */
export interface Seen {
  /** No other version may be decided about. */
  expectedVersion?: number | null
  /** No other terms may be decided about. */
  seenVersion?: number | null
}

/** Whether its terms are other ones than those that were shown. */
export function hasMoved(proposal: Proposal, { expectedVersion, seenVersion }: Seen): boolean {
  const version = seenVersion ?? expectedVersion
  return version != null && changesSince(proposal, version)?.length !== 0
}

/** @throws Refusal `version_mismatch`, with what differs in `changes` */
export function assertAsSeen(proposal: Proposal, seen: Seen) {
  const { expectedVersion } = seen
  const isOtherVersion = expectedVersion != null && expectedVersion !== proposal.version
  if (isOtherVersion || hasMoved(proposal, seen)) {
    throw versionMismatch(proposal, (seen.seenVersion ?? expectedVersion)!)
  }
}

function versionMismatch(proposal: Proposal, shown: number) {
  const { ID, version } = proposal
  const changes = changesSince(proposal, shown) ?? []
  const what = changes.map(({ term, was, now }) => `${nameOf(term)} was ${was}, is ${now}`)
  const details = changes.length ? `: ${what.join('; ')}` : ''
  return new Refusal(
    'version_mismatch',
    `prop_${ID} is at version ${version}, not ${shown}${details}.`,
    {
      target: 'expected_version',
      members: { current_version: version, changes: changes.map(toMember) },
    },
  )
}

const nameOf = (term: TermChange['term']) => (term === 'orderBy' ? 'order_by' : term)
const toMember = ({ term, ...values }: TermChange) => ({ term: nameOf(term), ...values })
