import cds from '@sap/cds'
import { z } from 'zod'
import { ownTurn } from '../../../base/cap/batches.ts'
import { toDatabaseRefusal } from '../../../base/database/database-faults.ts'
import { isRefusal } from '../../../base/errors.ts'
import { future, integerInQuery, text } from '../../../base/input.ts'
import { REASON_CODES } from '../../../base/texts/codes.ts'
import { withReadCache } from '../../../domain/authority/index.ts'
import {
  approve as approveProposal,
  cancel as cancelProposal,
  withReadAhead,
  decline,
  type Proposal as ServiceProposal,
  recommend as recommendDecision,
  snooze as snoozeProposal,
  statusAfter,
  withCallOffs,
  withOrderUnits,
} from '../../../domain/proposals/index.ts'
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
import { fromId } from '../http/field-map.ts'
import { ofProposal } from './proposals.ts'
import { Proposal, toProposal } from './to-proposal.ts'

const MAX_INTEGER = 2_147_483_647

const reason = z.enum(REASON_CODES)
const comment = text().max(1000)

const expected = { expected_version: z.int().min(1).max(MAX_INTEGER).optional() }

/** The parameters of each decision. */
const GIVEN = {
  approve: { quantity: z.int().min(1).optional(), comment: comment.optional(), ...expected },
  reject: { reason: reason.optional(), comment: comment.optional(), ...expected },
  snooze: { until: future(), ...expected },
  cancel: { reason, comment: comment.optional(), ...expected },
}

/** The parameters of a decision, as the domain takes them. */
const inputOf = <G extends { expected_version?: number }>(
  id: string | undefined,
  { expected_version: expectedVersion, ...given }: G,
) => ({ ...given, ID: fromId('prop', id), expectedVersion })

/** A decided proposal as it is shown elsewhere. */
async function toAnswer(decided: ServiceProposal) {
  const [proposal] = await withCallOffs(await withOrderUnits([decided]))
  return toProposal(proposal!)
}

const approve = endpoint({
  method: 'post',
  path: '/proposals/:id/approve',
  summary: 'Approves a proposal, with another quantity if need be',
  scopes: ['proposals:decide'],
  body: z.strictObject(GIVEN.approve),
  bodyOptional: true,
  example: { body: { quantity: 120, comment: 'For the fair', expected_version: 3 } },
  answers: { 200: Proposal, 202: Proposal },
  of: ofProposal,
  errors: [
    'proposal_already_decided',
    'version_mismatch',
    'proposal_stale',
    'quantity_not_orderable',
    'approval_limit_exceeded',
    'four_eyes_required',
  ],
  async handle({ params: { id }, body }) {
    const proposal = await approveProposal(inputOf(id, body))
    const status = proposal.status === statusAfter('requestSecondApproval') ? 202 : 200
    return { status, body: await toAnswer(proposal) }
  },
})

/** The refusals of rejecting, snoozing and cancelling. */
const ERRORS = ['proposal_already_decided', 'version_mismatch', 'approval_limit_exceeded'] as const

const reject = endpoint({
  method: 'delete',
  path: '/proposals/:id',
  summary: 'Rejects a proposal; rejecting it twice changes nothing',
  scopes: ['proposals:decide'],
  query: z.strictObject({
    ...GIVEN.reject,
    expected_version: integerInQuery(1, 999_999_999).optional(),
  }),
  example: { query: { reason: 'too_much', comment: 'Ordered by phone' } },
  answers: { 204: null },
  errors: ERRORS,
  of: ofProposal,
  json: ({ params: { id }, query }) => decline(inputOf(id, query)),
})

const snooze = endpoint({
  method: 'post',
  path: '/proposals/:id/snooze',
  summary: 'Snoozes a proposal until a given time',
  scopes: ['proposals:decide'],
  body: z.strictObject(GIVEN.snooze),
  example: { body: { until: '2099-01-01T06:00:00Z' } },
  answers: { 200: Proposal },
  errors: ERRORS,
  of: ofProposal,
  json: async ({ params: { id }, body }) => toAnswer(await snoozeProposal(inputOf(id, body))),
})

const cancel = endpoint({
  method: 'post',
  path: '/proposals/:id/cancel',
  summary: 'Cancels an approved proposal that the ERP has no order for yet',
  scopes: ['proposals:decide'],
  body: z.strictObject(GIVEN.cancel),
  example: { body: { reason: 'not_needed', comment: 'Ordered by phone' } },
  answers: { 200: Proposal },
  errors: ERRORS,
  of: ofProposal,
  json: async ({ params: { id }, body }) => toAnswer(await cancelProposal(inputOf(id, body))),
})

const recommend = endpoint({
  method: 'put',
  path: '/proposals/:id/recommendation',
  summary: 'Drafts a decision for a person; it decides nothing, and is dropped with the decision',
  scopes: ['proposals:recommend'],
  body: z
    .strictObject({
      action: z.enum(['approve', 'reject']).describe('What the person should do.'),
      quantity: z
        .int()
        .min(1)
        .optional()
        .describe('To be approved; the proposed one unless given. Not with reject.'),
      reason: reason.optional().describe('Of a rejection. Not with approve.'),
      comment: text().min(1).max(500).describe('Why: the person reads it.'),
      expected_version: z
        .int()
        .min(1)
        .max(MAX_INTEGER)
        .optional()
        .describe('Refused where the proposal is at another version.'),
    })
    .check(({ value: { action, quantity, reason }, issues }) => {
      const other = action === 'approve' ? reason && 'reason' : quantity && 'quantity'
      if (!other) return
      const message = `must not be given with ${action}`
      issues.push({ code: 'custom', message, path: [other], input: other })
    }),
  example: {
    body: { action: 'approve', quantity: 120, comment: 'Sales doubled', expected_version: 3 },
  },
  answers: { 200: Proposal },
  of: ofProposal,
  errors: ['proposal_already_decided', 'version_mismatch', 'quantity_not_orderable'],
  json: async ({ params: { id }, body }) => toAnswer(await recommendDecision(inputOf(id, body))),
})

export const decisionEndpoints = [approve, reject, snooze, cancel, recommend]

// Many decisions in one call, each in a transaction of its own, so that a refused one does not undo the others.

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
    await withReadAhead(decisions.flatMap(numberIn), () =>
      withReadCache(async () => {
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

function decide(item: z.infer<typeof Decision>) {
  switch (item.action) {
    case 'approve':
      return approveProposal(inputOf(item.id, givenIn(item)))
    case 'reject':
      return decline(inputOf(item.id, givenIn(item)))
    case 'snooze':
      return snoozeProposal(inputOf(item.id, givenIn(item)))
    case 'cancel':
      return cancelProposal(inputOf(item.id, givenIn(item)))
  }
}

const givenIn = <I extends { id: string; action: string }>({ id: _id, action: _, ...given }: I) =>
  given

async function outcomeOf(index: number, given: unknown): Promise<z.infer<typeof Outcome>> {
  const { item, error } = readItem(Decision, given, 'id and action')
  if (!item) return { index, id: echo(given, 'id'), status: 'error', error: { ...error } }
  const { id } = item
  try {
    const proposal = await toAnswer(await decide(item))
    return { index, id, status: 'ok', proposal }
  } catch (error) {
    const told = toDatabaseRefusal(error)
    if (isRefusal(told)) return { index, id, status: 'error', error: toItemError(told) }
    // The answer must still tell which proposals were decided.
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
