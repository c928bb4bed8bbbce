import { z } from 'zod'
import { code, codesOf, text } from '../../../base/input.ts'
import {
  commentOn,
  type Notice as FoundNotice,
  type NoticeKind,
  passOn as passOnProposals,
  listNotices as readNotices,
} from '../../../domain/proposals/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, toId } from '../http/field-map.ts'
import { listEndpoint } from '../http/page.ts'
import { ofProposal } from './proposals.ts'

const field = fieldsOf<FoundNotice>()

const [Notice, toNotice] = fieldMap<FoundNotice>()('Notice', {
  kind: codesOf<NoticeKind>({ asked: true, passed_on: true, escalated: true }).describe(
    'asked: a comment names you; passed_on: somebody wants you to decide; escalated: nobody decided by order_by.',
  ),
  proposal_id: field('proposal', z.string(), (ID) => toId('prop', ID)),
  by: field(
    'fromUser',
    z.string().describe('Who asks or passes on; of an escalated line the responsible buyer.'),
  ),
  at: z.iso.datetime(),
  text: z.string().nullable(),
  sku: z.string(),
  location: z.string(),
  supplier: z.string().nullable(),
  order_by: z.iso.date().nullable(),
  value: z.string().nullable(),
  value_at_risk: z.string().nullable(),
  currency: z.string().nullable(),
})

const listNotices = listEndpoint({
  path: '/notices',
  summary: 'Lists what you are told of undecided proposals, the newest first',
  scopes: ['proposals:read'],
  row: Notice,
  toJson: toNotice,
  fetch: (page) => readNotices(page),
})

const comment = endpoint({
  method: 'post',
  path: '/proposals/:id/comments',
  summary: 'Comments on a proposal; whom the comment names by @name is told; it decides nothing',
  scopes: ['proposals:decide'],
  body: z.strictObject({ text: text().min(1).max(1000) }),
  example: { body: { text: 'Is this right before the fair?' } },
  answers: { 204: null },
  of: ofProposal,
  json: ({ params: { id }, body }) => commentOn({ ID: fromId('prop', id), text: body.text }),
})

const passOn = endpoint({
  method: 'post',
  path: '/proposals/:id/pass-on',
  summary: 'Passes a proposal on to somebody who may approve it, who is told; it decides nothing',
  scopes: ['proposals:decide'],
  body: z.strictObject({ to: code().max(255), comment: text().max(1000).optional() }),
  example: { body: { to: 'approver', comment: 'Over my limit' } },
  answers: { 204: null },
  of: ofProposal,
  errors: ['proposal_already_decided'],
  async json({ params: { id }, body }) {
    await passOnProposals({ ...body, proposals: [fromId('prop', id)] })
  },
})

export const noticeEndpoints = [listNotices, comment, passOn]
