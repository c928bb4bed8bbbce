// Pairs that another source leads: they are listed as blocked, and what is open of them ends.
import { type Facts, sentenceOf } from '../../facts.ts'
import { Sources } from '../../store/entities.ts'
import type { PairInputs } from '../inputs/pair-inputs.ts'
import type { Proposal } from '../to-proposal.ts'
import type { Blocked } from './blocked-pairs.ts'
import type { ProposalChange } from './reconcile.ts'

export const LED_BY_ANOTHER_SOURCE = 'led_by_another_source'

/** How the sources that lead some of these pairs are called. */
export async function readLeaders(
  pairs: Pick<PairInputs, 'ledBy'>[],
): Promise<Map<number, string>> {
  const IDs = [...new Set(pairs.flatMap(({ ledBy }) => ledBy ?? []))]
  if (!IDs.length) return new Map()
  const rows = await SELECT.from(Sources)
    .columns('ID', 'type', 'account')
    .where({ ID: { in: IDs } })
  return new Map(rows.map(({ ID, type, account }) => [ID, `src_${ID} (${type} ${account})`]))
}

export function blockedByLead(pair: PairInputs, leaders: Map<number, string>): Blocked {
  const leader = leaders.get(pair.ledBy!) ?? `src_${pair.ledBy}`
  const facts: Facts = { text: LED_BY_ANOTHER_SOURCE, leader: leader.slice(0, LONGEST_NAME) }
  return {
    pair,
    missing: [
      {
        missing: LED_BY_ANOTHER_SOURCE,
        reason: sentenceOf(facts, 'en'),
        ledBy: pair.ledBy,
        facts: JSON.stringify(facts),
      },
    ],
  }
}

/** Characters of a name for which a reason has room. */
const LONGEST_NAME = 300

/** Ends all that is open of a pair, also what a person has touched: two open orders would be for one need. */
export const endLed = (pair: PairInputs, open: Proposal[]): ProposalChange[] =>
  open.map((proposal) => ({
    do: 'end',
    proposal,
    comment: `${LED_BY_ANOTHER_SOURCE}: src_${pair.ledBy}`,
  }))
