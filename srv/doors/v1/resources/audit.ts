import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { listEndpoint } from '../http/page.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { integerInQuery } from '../../../base/input.ts'
import {
  type ListedEntry,
  listTrail,
  type VerifiedNow,
  verifyNow,
} from '../../../domain/audit/index.ts'

export const [AuditEntry, toAuditEntry] = fieldMap<ListedEntry>()('AuditEntry', {
  seq: z.int().describe('Position in the chain, from 1.'),
  at: z.iso.datetime(),
  actor: z.string(),
  on_behalf_of: z.string().nullable(),
  via: z.string().nullable(),
  action: z.string(),
  object: z.string(),
  detail: z.string().nullable(),
  quantity: z.int().nullable(),
  previous_hash: z.string(),
  hash: z.string(),
})

const field = fieldsOf<VerifiedNow>()

const broken = z
  .object({ seq: z.int(), problem: z.string(), object: z.string().nullable() })
  .nullable()

export const [Verification, toVerification] = fieldMap<VerifiedNow>()('AuditVerification', {
  valid: z.boolean(),
  entries: z.int().describe('Entries found in order, from the first.'),
  head: field(
    'head',
    z.string().describe('Where the chain ends, as seq:hash. Keep it where nobody can change it.'),
    (head) => placeText(head),
  ),
  sealed_at: field('head', z.iso.datetime().nullable(), ({ sealedAt }) => sealedAt),
  late: z.int().describe('Entries whose time is well before that of one sealed earlier.'),
  broken: broken.describe(
    'The first entry that has been changed, with its `seq`; or what does not fit the trail, with 0.',
  ),
  alarm: broken.describe(
    "The same, as the service's own look at the whole trail found it last; each start and each hour has one.",
  ),
  next_from: field(
    'next',
    z
      .string()
      .nullable()
      .describe('Where `limit` ended this call, as seq:hash: `from` of the next call. Else null.'),
    (next) => next && placeText(next),
  ),
})

interface Place {
  seq: number
  hash: string
}

const placeText = ({ seq, hash }: Place) => `${seq}:${hash}`

function toPlace(text: string | undefined): Place | null {
  const [seq, hash = ''] = text?.split(':') ?? []
  return seq === undefined ? null : { seq: Number(seq), hash }
}

const scopes = ['audit:read'] as const

const listAudit = listEndpoint({
  path: '/audit',
  summary: 'Lists the sealed entries of the audit trail, oldest first',
  scopes,
  row: AuditEntry,
  toJson: toAuditEntry,
  fetch: listTrail,
})

const place = z
  .string()
  .regex(/^\d{1,9}:[0-9a-f]{64}$/, 'must be a head as an earlier verification gave it: seq:hash')

const verifyAudit = endpoint({
  method: 'get',
  path: '/audit/verification',
  summary: 'Verifies the audit trail, whole or in pieces, and that an earlier head is part of it',
  scopes,
  query: z.strictObject({
    expect_head: place.optional(),
    from: place.optional().describe('`next_from` of an earlier call: what is before is not read.'),
    limit: integerInQuery(1, 1_000_000).optional().describe('Entries that are read at most.'),
  }),
  answers: { 200: Verification },
  async json({ query: { expect_head, from, limit = null } }) {
    const query = { expected: toPlace(expect_head), from: toPlace(from), limit }
    return toVerification(await verifyNow(query))
  },
})

export const auditEndpoints = [listAudit, verifyAudit]
