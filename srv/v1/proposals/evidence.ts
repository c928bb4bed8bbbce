import { z } from 'zod'
import type {
  DecisionEvidence as ServiceDecision,
  Evidence as ServiceEvidence,
} from '../../store/proposal.ts'
import { endpoint } from '../http/endpoint.ts'
import { fromId, toId } from '../http/ids.ts'
import { readProposal } from './endpoints.ts'
import { send } from '../http/send.ts'
import { Calculation, toCalculation } from './to-proposal.ts'
import { toSnakeCase } from './to-snake-case.ts'

const Line = z
  .object({ term: z.string(), formula: z.string(), value: z.number() })
  .meta({ id: 'FormulaLine' })

const Basis = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe('The inputs of the calculation; null where it is older than the storing of inputs.')

type Basis = z.infer<typeof Basis>

const DecisionEvidence = z
  .object({
    event: z.string(),
    at: z.iso.datetime(),
    by: z.string(),
    on_behalf_of: z.string().nullable(),
    via: z.string(),
    key_id: z.string().nullable().describe('The API key that the decision was made with.'),
    version: z.int(),
    status_before: z.string(),
    quantity: z.int(),
    value: z.string().nullable(),
    currency: z.string().nullable(),
    reason: z.string().nullable(),
    comment: z.string().nullable(),
    engine_version: z.string(),
    basis: Basis,
    calculation: Calculation,
    lines: z.array(Line),
    replayed_quantity: z.number().describe('The quantity, calculated from the stored inputs.'),
  })
  .meta({ id: 'DecisionEvidence' })

const Evidence = z
  .object({
    id: z.string(),
    quantity: z.int(),
    basis: Basis,
    calculation: Calculation,
    lines: z.array(Line).describe('The calculation; its last line is the quantity.'),
    decisions: z.array(DecisionEvidence).describe('Oldest first.'),
  })
  .meta({ id: 'Evidence' })

const toBasis = (basis: Basis) => toSnakeCase(basis) as Basis

const toDecision = (kept: ServiceDecision): z.infer<typeof DecisionEvidence> => ({
  event: kept.event,
  at: kept.at,
  by: kept.by,
  on_behalf_of: kept.onBehalfOf,
  via: kept.via,
  key_id: kept.key,
  version: kept.version,
  status_before: kept.from,
  quantity: kept.quantity,
  value: kept.value,
  currency: kept.currency,
  reason: kept.reason,
  comment: kept.comment,
  engine_version: kept.engineVersion,
  basis: toBasis(kept.basis),
  calculation: toCalculation(kept.calculation),
  lines: kept.lines,
  replayed_quantity: kept.replayedQuantity,
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
  async handle({ params: { id } }) {
    const ID = fromId('prop', id)
    const evidence = await send<ServiceEvidence>('ProposalsService', 'evidence', { ID })
    const { proposal, basis, lines, decisions } = evidence
    return {
      status: 200,
      body: {
        id: toId('prop', proposal.ID),
        quantity: proposal.quantity,
        basis: toBasis(basis),
        calculation: toCalculation(proposal.calculation),
        lines,
        decisions: decisions.map(toDecision),
      },
    }
  },
})

export const evidenceEndpoints = [getEvidence]
