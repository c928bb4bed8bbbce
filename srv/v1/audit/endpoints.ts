import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { listEndpoint, type ServicePage } from '../http/page.ts'
import { send } from '../http/send.ts'
import {
  AuditEntry,
  type ServiceEntry,
  type ServiceVerification,
  toAuditEntry,
  toVerification,
  Verification,
} from './to-audit.ts'

const SERVICE = 'AuditService'
const scopes = ['audit:read'] as const

const listAudit = listEndpoint({
  path: '/audit',
  summary: 'Lists the sealed entries of the audit trail, oldest first',
  scopes,
  row: AuditEntry,
  toJson: toAuditEntry,
  fetch: (page) => send<ServicePage<ServiceEntry>>(SERVICE, 'list', page),
})

const expectedHead = z
  .string()
  .regex(/^\d{1,9}:[0-9a-f]{64}$/, 'must be a head as an earlier verification gave it: seq:hash')

const verifyAudit = endpoint({
  method: 'get',
  path: '/audit/verification',
  summary: 'Verifies the whole audit trail, and that an earlier head is part of it',
  scopes,
  query: z.strictObject({ expect_head: expectedHead.optional() }),
  answers: { 200: Verification },
  async handle({ query: { expect_head } }) {
    const [seq, hash] = expect_head?.split(':') ?? []
    const expected = expect_head ? { seq: Number(seq), hash } : null
    const found = await send<ServiceVerification>(SERVICE, 'verify', { expected })
    return { status: 200, body: toVerification(found) }
  },
})

export const auditEndpoints = [listAudit, verifyAudit]
