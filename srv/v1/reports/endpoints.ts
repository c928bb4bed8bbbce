import { z } from 'zod'
import type { ValueReport as Stored } from '#cds-models/ProposalsService'
import { Refusal } from '../../errors.ts'
import type { Answered } from '../../store/answered.ts'
import { endpoint } from '../http/endpoint.ts'
import { send } from '../http/send.ts'

const LONGEST_MS = 3_660 * 86_400_000

const Outcome = z
  .object({
    stockout_days: z.int().describe('Days on which demand exceeded stock.'),
    units_short: z.number(),
    average_stock: z.number().describe('Units at the end of the day, summed over the pairs.'),
  })
  .meta({ id: 'Outcome' })

const ValueReport = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    decided: z.int(),
    unchanged: z.int(),
    edited: z.int(),
    rejected: z.int().describe('Rejected or cancelled: nothing was ordered.'),
    evaluated: z.int().describe('Edits and rejections whose days have passed.'),
    too_recent: z.int().describe('Those whose days have not.'),
    system: Outcome,
    buyer: Outcome,
    working_capital: z.array(
      z.object({
        currency: z.string(),
        system: z.string(),
        buyer: z.string(),
        difference: z.string().describe('What the buyers’ stock was worth above the system’s.'),
      }),
    ),
  })
  .meta({ id: 'ValueReport' })

type ServiceReport = Answered<Stored>

const toOutcome = ({ stockoutDays, unitsShort, averageStock }: ServiceReport['system']) => ({
  stockout_days: stockoutDays,
  units_short: unitsShort,
  average_stock: averageStock,
})

const toReport = ({ tooRecent, system, buyer, workingCapital, ...counts }: ServiceReport) => ({
  ...counts,
  too_recent: tooRecent,
  system: toOutcome(system),
  buyer: toOutcome(buyer),
  working_capital: workingCapital,
})

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
    return { status: 200, body: toReport(report) }
  },
})

export const reportEndpoints = [getValue]
