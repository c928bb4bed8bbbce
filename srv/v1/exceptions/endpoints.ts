import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { booleanInQuery, code, repeatable, text } from '../http/fields.ts'
import { fromId } from '../http/ids.ts'
import { listEndpoint, type ServicePage } from '../http/page.ts'
import { send } from '../../services.ts'
import { Exception, ExceptionKind, type ServiceException, toException } from './to-exception.ts'

const SERVICE = 'ProposalsService'

const filters = {
  kind: repeatable(ExceptionKind).optional(),
  location: code().optional(),
  sku: code().optional(),
  supplier: code().optional(),
  settled: booleanInQuery().default(false),
}

const listExceptions = listEndpoint({
  path: '/exceptions',
  summary: 'Lists exceptions, which no order can mend, by default the open ones',
  scopes: ['proposals:read'],
  filters,
  row: Exception,
  toJson: toException,
  fetch: (page, filter) =>
    send<ServicePage<ServiceException>>(SERVICE, 'exceptions', { filter, ...page }),
})

const settleException = endpoint({
  method: 'post',
  path: '/exceptions/:id/settle',
  summary: 'Settles an exception; settling it twice changes nothing',
  scopes: ['proposals:decide'],
  body: z.strictObject({ comment: text().max(1000).optional() }),
  bodyOptional: true,
  example: { body: { comment: 'The supplier delivers on Monday' } },
  answers: { 200: Exception },
  errors: ['not_found', 'approval_limit_exceeded'],
  exists: ({ id }) => send(SERVICE, 'findException', { ID: fromId('exc', id) }),
  async handle({ params: { id }, body: { comment } }) {
    const data = { ID: fromId('exc', id), comment: comment ?? null }
    const exception = await send<ServiceException>(SERVICE, 'settleException', data)
    return { status: 200, body: toException(exception) }
  },
})

export const exceptionEndpoints = [listExceptions, settleException]
