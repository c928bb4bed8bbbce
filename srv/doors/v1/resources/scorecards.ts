import { z } from 'zod'
import { code } from '../../../base/input.ts'
import { listScorecards, type SupplierScorecard as Row } from '../../../domain/proposals/index.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { toId } from '../http/ids.ts'
import { listEndpoint } from '../http/page.ts'

const share = () => z.number().nullable()
const FIGURES = {
  lines: z.int().describe('Order lines that were due, or came early.'),
  outstanding: z.int().describe('Of them not there yet.'),
  on_time: share().describe('0..1: half of it was there on the promised day or before.'),
  early: share(),
  late: share(),
  in_full: share().describe('All of it was there by the promised day.'),
  on_time_in_full: share(),
  days_late: share().describe('Mean of the late lines.'),
  most_days_late: share(),
  price_change: share().describe(
    'What the same goods cost more, 0.05 is 5 %: of a year from the first to the last price, of a month (of the orders) from the price before. null where the source names no prices.',
  ),
}

const [ScorecardMonth, toMonth] = fieldMap<Row['months'][number]>()('ScorecardMonth', {
  month: z.string().describe('Of the promised days, YYYY-MM.'),
  ...FIGURES,
})

const field = fieldsOf<Row>()

const [SupplierScorecard, toScorecard] = fieldMap<Row>()('SupplierScorecard', {
  source_id: field('source', z.string(), (source) => toId('src', source)),
  supplier: z.string(),
  ...FIGURES,
  peers_on_time: share().describe('The median of the other suppliers.'),
  lateness_stock: field(
    'latenessStock',
    z
      .array(z.object({ currency: z.string(), value: z.string() }))
      .describe('What its uncertain lead times add to the target stocks of pending proposals.'),
    (stock) => stock,
  ),
  months: field('months', z.array(ScorecardMonth), (months) => months.map(toMonth)),
})

export const scorecardEndpoints = [
  listEndpoint({
    path: '/scorecards',
    summary:
      'Tells of each supplier how it kept its promises in a year, by month and beside its peers',
    scopes: ['proposals:read'] as const,
    filters: { supplier: code().max(100).optional() },
    row: SupplierScorecard,
    toJson: toScorecard,
    fetch: ({ after, limit }, filters) => listScorecards({ ...filters, after, limit }),
  }),
]
