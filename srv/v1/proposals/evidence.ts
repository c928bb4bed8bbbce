import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { fromId, toId } from '../http/ids.ts'
import { send } from '../../services.ts'
import { readProposal } from './endpoints.ts'
import type {
  DecisionEvidence as ServiceDecision,
  Evidence as ServiceEvidence,
} from '../../store/proposal.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { Calculation, toCalculation } from './to-proposal.ts'

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The same value with every member, however deep, named as the API names members. */
function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [snake(name), toSnakeCase(member)]),
  )
}

export type { ServiceEvidence }

const Line = z
  .object({ term: z.string(), formula: z.string(), value: z.number() })
  .meta({ id: 'FormulaLine' })

const Basis = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe('The inputs of the calculation; null where it is older than the storing of inputs.')

const kept = fieldsOf<ServiceDecision>()

const [DecisionEvidence, toDecision] = fieldMap<ServiceDecision>()('DecisionEvidence', {
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

const field = fieldsOf<ServiceEvidence>()

export const [Evidence, toEvidence] = fieldMap<ServiceEvidence>()('Evidence', {
  id: field('proposal', z.string(), ({ ID }) => toId('prop', ID)),
  quantity: field('proposal', z.int(), ({ quantity }) => quantity),
  basis: field('basis', Basis, toSnakeCase),
  calculation: field('proposal', Calculation, ({ calculation }) => toCalculation(calculation)),
  lines: z.array(Line).describe('The calculation; its last line is the quantity.'),
  decisions: field('decisions', z.array(DecisionEvidence).describe('Oldest first.'), (decisions) =>
    decisions.map(toDecision),
  ),
})

const getEvidence = endpoint({
  method: 'get',
  path: '/proposals/:id/evidence',
  summary:
    'Shows the calculation of a proposal line by line, and the evidence of each decision about it',
  scopes: ['proposals:read'],
  answers: { 200: Evidence },
  errors: ['proposal_not_found'],
  exists: ({ id }) => readProposal(id),
  json: async ({ params: { id } }) =>
    toEvidence(await send('ProposalsService', 'evidence', { ID: fromId('prop', id) })),
})

export const evidenceEndpoints = [getEvidence]
