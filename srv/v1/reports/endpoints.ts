import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { endpoint } from '../http/endpoint.ts'
import { send } from '../http/send.ts'
import { type ServiceReport, toValueReport, ValueReport } from './to-value-report.ts'

const LONGEST_MS = 3_660 * 86_400_000

const day = () =>
  z.iso
    .date('must be a calendar day as YYYY-MM-DD')
    .refine((value) => value >= '0001', 'must not be before the year 1')

const getValue = endpoint({
  method: 'get',
  path: '/reports/value',
  summary: 'Compares edits and rejections of a period with the demand that followed',
  scopes: ['proposals:read'],
  query: z.strictObject({ from: day(), to: day() }),
  example: { query: { from: '2026-07-01', to: '2026-09-30' } },
  answers: { 200: ValueReport },
  async handle({ query: { from, to } }) {
    const length = Date.parse(to) - Date.parse(from)
    if (length < 0 || length > LONGEST_MS) {
      const message = 'to must not be before from, nor more than ten years after it.'
      throw new Refusal('invalid_parameter', message, { target: 'to' })
    }
    const report = await send<ServiceReport>('ProposalsService', 'valueReport', { from, to })
    return { status: 200, body: toValueReport(report) }
  },
})

export const reportEndpoints = [getValue]
