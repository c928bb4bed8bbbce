import { z } from 'zod'
import { REASON_CODES } from '../../reason-codes.ts'
import { decideProposal, statusAfter } from '../../store/proposal-flow.ts'
import { endpoint } from '../http/endpoint.ts'
import { future, integerInQuery, text } from '../http/fields.ts'
import { fromId } from '../http/ids.ts'
import { readProposal } from './endpoints.ts'
import { Proposal, type ServiceProposal, toProposal } from './to-proposal.ts'

const MAX_INTEGER = 2_147_483_647

const reason = z.enum(REASON_CODES)
const comment = text().max(1000)

const expected = { expected_version: z.int().min(1).max(MAX_INTEGER).optional() }

/** What each decision is given. */
export const GIVEN = {
  approve: { quantity: z.int().min(1).optional(), comment: comment.optional(), ...expected },
  reject: { reason: reason.optional(), comment: comment.optional(), ...expected },
  snooze: { until: future(), ...expected },
  cancel: { reason, comment: comment.optional(), ...expected },
}

const STEPS = { approve: 'approve', reject: 'decline', snooze: 'snooze', cancel: 'cancel' } as const

interface Given {
  expected_version?: number
}

export const decide = (
  action: keyof typeof STEPS,
  id: string | undefined,
  { expected_version: expectedVersion, ...given }: Given,
) =>
  decideProposal<ServiceProposal>(STEPS[action], fromId('prop', id), { ...given, expectedVersion })

const exists = ({ id }: Record<string, string>) => readProposal(id)

const approve = endpoint({
  method: 'post',
  path: '/proposals/:id/approve',
  summary: 'Approves a proposal, with another quantity if need be',
  scopes: ['proposals:decide'],
  body: z.strictObject(GIVEN.approve),
  bodyOptional: true,
  example: { body: { quantity: 120, comment: 'For the fair', expected_version: 3 } },
  answers: { 200: Proposal, 202: Proposal },
  errors: [
    'proposal_not_found',
    'proposal_already_decided',
    'version_mismatch',
    'proposal_stale',
    'quantity_not_orderable',
    'approval_limit_exceeded',
    'four_eyes_required',
  ],
  exists,
  async handle({ params: { id }, body }) {
    const proposal = await decide('approve', id, body)
    const status = proposal.status === statusAfter('requestSecondApproval') ? 202 : 200
    return { status, body: toProposal(proposal) }
  },
})

/** What rejecting, snoozing and cancelling may refuse. */
const ERRORS = [
  'proposal_not_found',
  'proposal_already_decided',
  'version_mismatch',
  'approval_limit_exceeded',
] as const

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
  exists,
  json: ({ params: { id }, query }) => decide('reject', id, query),
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
  exists,
  json: async ({ params: { id }, body }) => toProposal(await decide('snooze', id, body)),
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
  exists,
  json: async ({ params: { id }, body }) => toProposal(await decide('cancel', id, body)),
})

export const decisionEndpoints = [approve, reject, snooze, cancel]
