// Many decisions by one call: each by itself, in a transaction of its own, so that a refused one does not undo the others.
import cds from '@sap/cds'
import { z } from 'zod'
import { readingOnce } from '../../authority/index.ts'
import { ownTurn } from '../../cap/batch-turns.ts'
import { isRefusal } from '../../errors.ts'
import { decidingTogether } from '../../store/decided-together.ts'
import { toDatabaseRefusal } from '../../store/database-faults.ts'
import {
  assertBatch,
  BatchSummary,
  echo,
  ItemError,
  itemsOf,
  readItem,
  summaryOf,
  toItemError,
} from '../http/batch.ts'
import { endpoint } from '../http/endpoint.ts'
import { decide, GIVEN } from './decisions.ts'
import { Proposal, toProposal } from './to-proposal.ts'

const id = z.string()

const Decision = z.discriminatedUnion('action', [
  z.strictObject({ id, action: z.literal('approve'), ...GIVEN.approve }),
  z.strictObject({ id, action: z.literal('reject'), ...GIVEN.reject }),
  z.strictObject({ id, action: z.literal('snooze'), ...GIVEN.snooze }),
  z.strictObject({ id, action: z.literal('cancel'), ...GIVEN.cancel }),
])

const Outcome = z.union([
  z.object({ index: z.int(), id, status: z.literal('ok'), proposal: Proposal }),
  z.object({
    ...{ index: z.int(), id: id.nullable(), status: z.literal('error') },
    error: ItemError.loose(),
  }),
])

const postDecisions = endpoint({
  method: 'post',
  path: '/proposals/decisions',
  summary: 'Decides about up to 1,000 proposals, each by itself',
  scopes: ['proposals:decide'],
  inParts: true,
  body: z.strictObject({ decisions: itemsOf(Decision) }),
  example: {
    body: {
      decisions: [
        { id: 'prop_1042', action: 'approve', expected_version: 3 },
        { id: 'prop_1043', action: 'reject', reason: 'too_much' },
      ],
    },
  },
  answers: {
    200: z
      .object({ results: z.array(Outcome), summary: BatchSummary })
      .meta({ id: 'DecisionBatch' }),
  },
  errors: ['batch_too_large'],
  async handle({ body: { decisions } }) {
    assertBatch(decisions, 'decisions')
    const results: z.infer<typeof Outcome>[] = []
    await decidingTogether(decisions.flatMap(numberIn), () =>
      readingOnce(async () => {
        for (const [index, item] of decisions.entries()) {
          await ownTurn()
          results.push(await outcomeOf(index, item))
        }
      }),
    )
    return { status: 200, body: { results, summary: summaryOf(results) } }
  },
})

/** The number of the proposal that an item names; items without one are refused later. */
function numberIn(item: unknown): number[] {
  const number = /^prop_([1-9]\d{0,8})$/.exec(String((item as { id?: unknown } | null)?.id))?.[1]
  return number ? [Number(number)] : []
}

async function outcomeOf(index: number, given: unknown): Promise<z.infer<typeof Outcome>> {
  const { item, error } = readItem(Decision, given, 'id and action')
  if (!item) return { index, id: echo(given, 'id'), status: 'error', error: { ...error } }
  const { id, action, ...rest } = item
  try {
    const proposal = toProposal(await decide(action, id, rest))
    return { index, id, status: 'ok', proposal }
  } catch (error) {
    const told = toDatabaseRefusal(error)
    if (isRefusal(told)) return { index, id, status: 'error', error: toItemError(told) }
    // What is decided already must be told all the same.
    cds.log('v1').error(`${id} could not be decided:`, error)
    return { index, id, status: 'error', error: INTERNAL }
  }
}

const INTERNAL = {
  code: 'internal_error',
  message: 'Something went wrong on our side. Nothing was decided.',
  target: null,
}

export const decideManyEndpoints = [postDecisions]
