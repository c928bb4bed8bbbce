// What proves a decision: the audit trail, and the evidence kept of a proposal.
import { z } from 'zod'
import { integerInQuery } from '../../../base/input.ts'
import { toSnake } from '../../../base/texts/case.ts'
import {
  type ListedEntry,
  listTrail,
  type VerifiedNow,
  verifyNow,
} from '../../../domain/audit/index.ts'
import {
  type Bridge,
  bridgeOfProposal,
  type Cleaning,
  cleaningOfProposal,
  evidenceOfProposal,
  type Evidence as FoundEvidence,
  type DecisionEvidence as KeptDecision,
} from '../../../domain/proposals/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, toId } from '../http/field-map.ts'
import { listEndpoint } from '../http/page.ts'
import { ofProposal } from './proposals.ts'
import { Calculation, toCalculation } from './to-proposal.ts'

const [AuditEntry, toAuditEntry] = fieldMap<ListedEntry>()('AuditEntry', {
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

const verified = fieldsOf<VerifiedNow>()

const broken = z
  .object({ seq: z.int(), problem: z.string(), object: z.string().nullable() })
  .nullable()

const [Verification, toVerification] = fieldMap<VerifiedNow>()('AuditVerification', {
  valid: z.boolean(),
  entries: z.int().describe('Entries found in order, from the first.'),
  head: verified(
    'head',
    z.string().describe('Where the chain ends, as seq:hash. Keep it where nobody can change it.'),
    (head) => placeText(head),
  ),
  sealed_at: verified('head', z.iso.datetime().nullable(), ({ sealedAt }) => sealedAt),
  late: z.int().describe('Entries whose time is well before that of one sealed earlier.'),
  broken: broken.describe(
    'The first entry that has been changed, with its `seq`; or what does not fit the trail, with 0.',
  ),
  alarm: broken.describe(
    "The same, as the service's own look at the whole trail found it last; each start and each hour has one.",
  ),
  next_from: verified(
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

/** The same value with every member, however deep, named as the API names members. */
function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toSnake(name), toSnakeCase(member)]),
  )
}

const Line = z
  .object({ term: z.string(), formula: z.string(), value: z.number() })
  .meta({ id: 'FormulaLine' })

const Basis = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe('The inputs of the calculation; null where it is older than the storing of inputs.')

const kept = fieldsOf<KeptDecision>()

const [DecisionEvidence, toDecision] = fieldMap<KeptDecision>()('DecisionEvidence', {
  event: z.string(),
  at: z.iso.datetime(),
  by: z.string(),
  on_behalf_of: z.string().nullable(),
  via: z.string(),
  key_id: kept(
    'key',
    z.string().nullable().describe('The API key that the decision was made with.'),
  ),
  version: z.int(),
  status_before: kept('from', z.string()),
  quantity: z.int(),
  value: z.string().nullable(),
  currency: z.string().nullable(),
  reason: z.string().nullable(),
  comment: z.string().nullable(),
  engine_version: z.string(),
  basis: kept('basis', Basis, toSnakeCase),
  calculation: kept('calculation', Calculation, toCalculation),
  lines: z.array(Line),
  replayed_quantity: z.number().describe('The quantity, calculated from the stored inputs.'),
})

const CleanedDay = z
  .object({
    date: z.iso.date(),
    booked: z.number().describe('Units; below 0: returns.'),
    taken: z.number().nullable().describe('Units that count instead; null: the day is left out.'),
    reasons: z.array(z.enum(['out_of_stock', 'closed', 'outlier', 'return', 'planned'])),
  })
  .meta({ id: 'CleanedDay' })

const WaterfallStep = z
  .object({
    step: z.string().describe('last_year, trend, a driver of the forecast, or forecast.'),
    amount: z.number().describe('Units: of last_year and forecast the whole, else the change.'),
  })
  .meta({ id: 'WaterfallStep' })

/** What the service tells of a proposal, put together. */
interface Explained extends FoundEvidence {
  cleaning: Cleaning
  bridge: Bridge
}

const explained = fieldsOf<Explained>()

const [Evidence, toEvidence] = fieldMap<Explained>()('Evidence', {
  id: explained('proposal', z.string(), ({ ID }) => toId('prop', ID)),
  quantity: explained('proposal', z.int(), ({ quantity }) => quantity),
  basis: explained('basis', Basis, toSnakeCase),
  calculation: explained('proposal', Calculation, ({ calculation }) => toCalculation(calculation)),
  lines: z.array(Line).describe('The calculation; its last line is the quantity.'),
  decisions: explained(
    'decisions',
    z.array(DecisionEvidence).describe('Oldest first.'),
    (decisions) => decisions.map(toDecision),
  ),
  forecast_as_of: explained(
    'cleaning',
    z.iso.date().nullable().describe('The day of the forecast of now; null where there is none.'),
    ({ asOf }) => asOf,
  ),
  cleaned_days: explained(
    'cleaning',
    z
      .array(CleanedDay)
      .describe('What the forecast of now does not take as it was booked, the oldest first.'),
    ({ days }) => days,
  ),
  waterfall: explained(
    'bridge',
    z.object({
      horizon_days: z.int().min(1).max(90),
      steps: z
        .array(WaterfallStep)
        .describe('From the demand of the same days a year ago to the P50; empty for no forecast.'),
    }),
    ({ horizonDays, steps }) => ({
      horizon_days: horizonDays,
      steps: steps.map(({ code, amount }) => ({ step: code, amount })),
    }),
  ),
})

const getEvidence = endpoint({
  method: 'get',
  path: '/proposals/:id/evidence',
  summary:
    'Shows the calculation of a proposal line by line, what its forecast is made of, and the evidence of each decision about it',
  scopes: ['proposals:read'],
  answers: { 200: Evidence },
  of: ofProposal,
  async json({ params: { id } }) {
    const ID = fromId('prop', id)
    const [evidence, cleaning, bridge] = await Promise.all([
      evidenceOfProposal(ID),
      cleaningOfProposal(ID),
      bridgeOfProposal(ID),
    ])
    return toEvidence({ ...evidence, cleaning, bridge })
  },
})

export const evidenceEndpoints = [getEvidence]
