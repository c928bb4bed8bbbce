import { endpoint } from '../http/endpoint.ts'
import { fromId } from '../http/ids.ts'
import { send } from '../http/send.ts'
import { readProposal } from './endpoints.ts'
import { Evidence, type ServiceEvidence, toEvidence } from './to-evidence.ts'

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
    return { status: 200, body: toEvidence(evidence) }
  },
})

export const evidenceEndpoints = [getEvidence]
