import { z } from 'zod'
import { POLICY_LEVELS } from '../../policy-values.ts'
import { endpoint } from '../http/endpoint.ts'
import { code } from '../http/fields.ts'
import { listEndpoint, type ServicePage } from '../http/page.ts'
import { send } from '../http/send.ts'
import {
  fromPolicy,
  fromPolicyKey,
  Policy,
  PolicyInput,
  type ServicePolicy,
  toPolicy,
} from './to-policy.ts'

const SERVICE = 'ProposalsService'
const scopes = ['policies:manage'] as const

const names = {
  sku: code().max(100).optional(),
  location: code().max(100).optional(),
  supplier: code().max(100).optional(),
  group: code().max(100).optional(),
}

const listPolicies = listEndpoint({
  path: '/policies',
  summary: 'Lists ordering rules',
  scopes,
  filters: { level: z.enum(POLICY_LEVELS).optional(), ...names },
  row: Policy,
  toJson: toPolicy,
  fetch: (page, key) =>
    send<ServicePage<ServicePolicy>>(SERVICE, 'policies', { filter: fromPolicyKey(key), ...page }),
})

const putPolicy = endpoint({
  method: 'put',
  path: '/policies',
  summary: 'Sets an ordering rule; values that are left out are removed',
  scopes,
  body: PolicyInput,
  example: { body: { level: 'supplier', supplier: 'S-7', review_period_days: 14 } },
  answers: { 200: Policy },
  async handle({ body }) {
    const policy = await send<ServicePolicy>(SERVICE, 'setPolicy', { rule: fromPolicy(body) })
    return { status: 200, body: toPolicy(policy) }
  },
})

const deletePolicy = endpoint({
  method: 'delete',
  path: '/policies',
  summary: 'Removes an ordering rule',
  scopes,
  query: z.strictObject({ level: z.enum(POLICY_LEVELS), ...names }),
  example: { query: { level: 'supplier', supplier: 'S-7' } },
  answers: { 204: null },
  errors: ['not_found'],
  async handle({ query }) {
    await send(SERVICE, 'removePolicy', { rule: fromPolicyKey(query) })
    return { status: 204 }
  },
})

export const policyEndpoints = [listPolicies, putPolicy, deletePolicy]
