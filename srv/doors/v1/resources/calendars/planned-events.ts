import { z } from 'zod'
import { PLAN_KINDS } from '../../../../../engine/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../../http/field-map.ts'
import { code, day, text } from '../../../../base/input.ts'
import {
  addEvent,
  type CalendarEvent,
  findEvent,
  listEvents,
  removeEvent,
} from '../../../../domain/plans/index.ts'
import { fromId, toId } from '../../http/ids.ts'
import { listEndpoint } from '../../http/page.ts'

const scopes = ['policies:manage'] as const

const field = fieldsOf<CalendarEvent>()
const kind = z.enum(PLAN_KINDS)
const name = code().max(100).nullable()
const factor = z
  .number()
  .min(0)
  .max(100)
  .nullable()
  .describe('Demand over that of the same days without it; null where a promotion’s is learnt.')
const price = z.number().min(0).nullable()
const orNull = (value: string) => value || null

const [PlannedEvent, toPlannedEvent] = fieldMap<CalendarEvent>()('PlannedEvent', {
  id: field('ID', z.string(), (ID) => toId('plan', ID)),
  source_id: field(
    'source_ID',
    z.string().nullable().describe('Null for an entry of the calendar.'),
    (ID) => (ID === null ? null : toId('src', ID)),
  ),
  origin: z
    .enum(['source', 'calendar', 'holiday'])
    .describe(
      'holiday: a public holiday of the country of its location; its factor is learnt, null where nothing is.',
    ),
  kind,
  sku: field('sku', name, orNull),
  location: field('location', name, orNull),
  group: field('skuGroup', name, orNull),
  from: field('firstDay', z.iso.date()),
  to: field('lastDay', z.iso.date()),
  factor,
  price,
  name: field('name', z.string().nullable(), orNull),
  changed_at: z.iso.datetime().nullable(),
  changed_by: z.string().nullable(),
  concerns: z
    .int()
    .optional()
    .describe('Of the answer to POST: how many SKUs at locations it concerns now.'),
})

const NewPlannedEvent = z.strictObject({
  kind,
  sku: name.optional(),
  location: name.optional(),
  group: name.optional(),
  from: day(),
  to: day().nullable().optional(),
  factor: factor.optional(),
  price: price.optional(),
  name: text().max(200).nullable().optional(),
})

const list = listEndpoint({
  path: '/planned-events',
  summary:
    'Lists what is planned, newest entry first: the calendar, what sources tell and public holidays',
  scopes,
  filters: {
    kind: kind.optional(),
    sku: code().max(100).optional(),
    location: code().max(100).optional(),
    group: code().max(100).optional(),
    not_before: day().optional().describe('Leaves out what is over before this day.'),
  },
  row: PlannedEvent,
  toJson: toPlannedEvent,
  fetch: (page, { group = null, not_before: notBefore = null, ...equal }) =>
    listEvents({ filter: { ...equal, skuGroup: group, notBefore }, ...page }),
})

const add = endpoint({
  method: 'post',
  path: '/planned-events',
  summary: 'Enters an event; what it concerns is forecast and proposed anew in the background',
  scopes,
  body: NewPlannedEvent,
  example: {
    body: { kind: 'closure', location: 'L1', from: '2026-12-24', to: '2026-12-26' },
  },
  answers: { 201: PlannedEvent },
  json: async ({ body: { group, from, to, ...rest } }) =>
    toPlannedEvent(await addEvent({ ...rest, skuGroup: group, firstDay: from, lastDay: to })),
})

const find = ({ id }: Record<string, string>) => findEvent(fromId('plan', id))

const show = endpoint({
  method: 'get',
  path: '/planned-events/:id',
  summary: 'Shows an entry of the calendar',
  scopes,
  answers: { 200: PlannedEvent },
  errors: ['not_found'],
  exists: find,
  json: async ({ params }) => toPlannedEvent(await find(params)),
})

const remove = endpoint({
  method: 'delete',
  path: '/planned-events/:id',
  summary: 'Removes an entry of the calendar',
  scopes,
  answers: { 204: null },
  errors: ['not_found'],
  exists: find,
  json: ({ params: { id } }) => removeEvent(fromId('plan', id)),
})

export const plannedEventEndpoints = [list, add, show, remove]
