import { z } from 'zod'
import { ALWAYS } from '../../../../../adapters/records.ts'
import { code } from '../../../../base/input.ts'
import {
  type Closure as Row,
  listClosures,
  replaceClosures,
} from '../../../../domain/proposals/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../../http/field-map.ts'
import { toId } from '../../http/ids.ts'
import { listEndpoint } from '../../http/page.ts'

const scopes = ['policies:manage'] as const
const field = fieldsOf<Row>()

const WORKING_DAYS = z
  .array(z.int().min(1).max(7))
  .describe('1 Monday to 7 Sunday: it is closed on the others of every week.')

const [Closure, toClosure] = fieldMap<Row>()('Closure', {
  source_id: field(
    'source_ID',
    z.string().nullable().describe('The source that tells it; null: it was entered.'),
    (ID) => (ID === 0 ? null : toId('src', ID)),
  ),
  supplier: field('supplier', z.string().nullable(), (value) => value || null),
  location: field('location', z.string().nullable(), (value) => value || null),
  from: field('firstDay', z.iso.date().nullable().describe('null: always.'), (day) =>
    day === ALWAYS.firstDay ? null : day,
  ),
  to: field('lastDay', z.iso.date().nullable(), (day) => (day === ALWAYS.lastDay ? null : day)),
  working_days: field('restDays', WORKING_DAYS.nullable(), (rest) =>
    rest ? [1, 2, 3, 4, 5, 6, 7].filter((day) => !rest.includes(String(day))) : null,
  ),
  country: field(
    'country',
    z.string().nullable().describe('It is closed on the public holidays of this country.'),
    (value) => value || null,
  ),
  region: field('region', z.string().nullable(), (value) => value || null),
  reason: field('reason', z.string().nullable(), (value) => value || null),
})

const list = listEndpoint({
  path: '/closures',
  summary: 'Lists when suppliers do no work and locations receive nothing',
  scopes,
  filters: { supplier: code().max(100).optional(), location: code().max(100).optional() },
  row: Closure,
  toJson: toClosure,
  fetch: ({ after, limit }, filters) => listClosures({ ...filters, after, limit }),
})

const NewClosure = z.strictObject({
  supplier: code().max(100).nullable().optional(),
  location: code().max(100).nullable().optional(),
  from: z.iso.date().nullable().optional(),
  to: z.iso.date().nullable().optional(),
  working_days: WORKING_DAYS.nullable().optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .nullable()
    .optional(),
  region: z.string().max(20).nullable().optional(),
  reason: z.string().max(200).nullable().optional(),
})

const put = endpoint({
  method: 'put',
  path: '/closures',
  summary: 'Replaces all closed days that were entered; proposals are made anew',
  scopes,
  body: z.strictObject({ closures: z.array(NewClosure).max(5_000) }),
  example: {
    body: {
      closures: [
        { supplier: 'S-7', from: '2027-08-02', to: '2027-08-22', reason: 'Works holiday' },
        { location: 'L1', working_days: [1, 2, 3, 4, 5] },
      ],
    },
  },
  answers: { 200: z.object({ entered: z.int() }) },
  json: async ({ body }) => ({
    entered: await replaceClosures(
      body.closures.map(({ from, to, working_days: workingDays, ...rest }) => ({
        ...rest,
        ...{ firstDay: from, lastDay: to, workingDays },
      })),
    ),
  }),
})

export const closureEndpoints = [list, put]
