import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { fromId, toId } from '../http/ids.ts'
import { readProposal } from './proposals.ts'
import {
  type Bridge,
  bridgeOfProposal,
  type Cleaning,
  cleaningOfProposal,
  type DecisionEvidence as KeptDecision,
  type Evidence as FoundEvidence,
  evidenceOfProposal,
} from '../../../domain/proposals/index.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { Calculation, toCalculation } from './to-proposal.ts'
import { toSnake } from '../../../base/texts/case.ts'

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

const field = fieldsOf<Explained>()

export const [Evidence, toEvidence] = fieldMap<Explained>()('Evidence', {
  id: field('proposal', z.string(), ({ ID }) => toId('prop', ID)),
  quantity: field('proposal', z.int(), ({ quantity }) => quantity),
  basis: field('basis', Basis, toSnakeCase),
  calculation: field('proposal', Calculation, ({ calculation }) => toCalculation(calculation)),
  lines: z.array(Line).describe('The calculation; its last line is the quantity.'),
  decisions: field('decisions', z.array(DecisionEvidence).describe('Oldest first.'), (decisions) =>
    decisions.map(toDecision),
  ),
  forecast_as_of: field(
    'cleaning',
    z.iso.date().nullable().describe('The day of the forecast of now; null where there is none.'),
    ({ asOf }) => asOf,
  ),
  cleaned_days: field(
    'cleaning',
    z
      .array(CleanedDay)
      .describe('What the forecast of now does not take as it was booked, the oldest first.'),
    ({ days }) => days,
  ),
  waterfall: field(
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
  errors: ['proposal_not_found'],
  exists: ({ id }) => readProposal(id),
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
