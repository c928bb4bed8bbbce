import { z } from 'zod'
import { REASON_CODES } from '../../reason-codes.ts'
import { decideProposal, statusAfter, type Step } from '../../store/proposal-flow.ts'
import { endpoint } from '../http/endpoint.ts'
import { future, text } from '../http/fields.ts'
import { fromId } from '../http/ids.ts'
import { readProposal } from './endpoints.ts'
import { Proposal, type ServiceProposal, toProposal } from './to-proposal.ts'

const reason = z.enum(REASON_CODES)
const comment = text().max(1000)

const decide = (action: Step, id: string | undefined, data: object) =>
  decideProposal<ServiceProposal>(action, fromId('prop', id), data)

const exists = ({ id }: Record<string, string>) => readProposal(id)
const MAX_INTEGER = 2_147_483_647

const approve = endpoint({
  method: 'post',
  path: '/proposals/:id/approve',
  summary: 'Approves a proposal, with another quantity if need be',
  scopes: ['proposals:decide'],
  body: z.strictObject({
    quantity: z.int().min(1).optional(),
    comment: comment.optional(),
    expected_version: z.int().min(1).max(MAX_INTEGER).optional(),
  }),
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
  async handle({ params: { id }, body: { quantity, comment, expected_version } }) {
    const proposal = await decide('approve', id, {
      quantity: quantity ?? null,
      comment: comment ?? null,
      expectedVersion: expected_version ?? null,
    })
    const status = proposal.status === statusAfter('requestSecondApproval') ? 202 : 200
    return { status, body: toProposal(proposal) }
  },
})

const reject = endpoint({
  method: 'delete',
  path: '/proposals/:id',
  summary: 'Rejects a proposal; rejecting it twice changes nothing',
  scopes: ['proposals:decide'],
  query: z.strictObject({ reason: reason.optional(), comment: comment.optional() }),
  example: { query: { reason: 'too_much', comment: 'Ordered by phone' } },
  answers: { 204: null },
  errors: ['proposal_not_found', 'proposal_already_decided', 'approval_limit_exceeded'],
  exists,
  json: ({ params: { id }, query: { reason = null, comment = null } }) =>
    decide('decline', id, { reason, comment }),
})

const snooze = endpoint({
  method: 'post',
  path: '/proposals/:id/snooze',
  summary: 'Snoozes a proposal until a given time',
  scopes: ['proposals:decide'],
  body: z.strictObject({ until: future() }),
  example: { body: { until: '2099-01-01T06:00:00Z' } },
  answers: { 200: Proposal },
  errors: ['proposal_not_found', 'proposal_already_decided', 'approval_limit_exceeded'],
  exists,
  json: async ({ params: { id }, body }) => toProposal(await decide('snooze', id, body)),
})

const cancel = endpoint({
  method: 'post',
  path: '/proposals/:id/cancel',
  summary: 'Cancels an approved proposal that the ERP has no order for yet',
  scopes: ['proposals:decide'],
  body: z.strictObject({ reason, comment: comment.optional() }),
  example: { body: { reason: 'not_needed', comment: 'Ordered by phone' } },
  answers: { 200: Proposal },
  errors: ['proposal_not_found', 'proposal_already_decided', 'approval_limit_exceeded'],
  exists,
  json: async ({ params: { id }, body: { reason, comment = null } }) =>
    toProposal(await decide('cancel', id, { reason, comment })),
})

export const decisionEndpoints = [approve, reject, snooze, cancel]
