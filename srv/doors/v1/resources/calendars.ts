// What /v1 knows of coming days: planned events, public holidays, and days on which nobody works.
import { z } from 'zod'
import { ALWAYS } from '../../../../adapters/records.ts'
import { PLAN_KINDS } from '../../../../engine/index.ts'
import { code, day, storable, text } from '../../../base/input.ts'
import {
  addEvent,
  type HolidayCalendar as Calendar,
  type CalendarEvent,
  findEvent,
  listCalendars,
  listEvents,
  removeCalendar,
  removeEvent,
  setCalendar,
} from '../../../domain/plans/index.ts'
import {
  type Closure as ClosureRow,
  listClosures,
  replaceClosures,
} from '../../../domain/proposals/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, named, toId } from '../http/field-map.ts'
import { listEndpoint } from '../http/page.ts'

const scopes = ['policies:manage'] as const

const planned = fieldsOf<CalendarEvent>()
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
  id: planned('ID', z.string(), (ID) => toId('plan', ID)),
  source_id: planned(
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
  sku: planned('sku', name, orNull),
  location: planned('location', name, orNull),
  group: planned('skuGroup', name, orNull),
  from: planned('firstDay', z.iso.date()),
  to: planned('lastDay', z.iso.date()),
  factor,
  price,
  name: planned('name', z.string().nullable(), orNull),
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

const listPlanned = listEndpoint({
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

const addPlanned = endpoint({
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

const ofPlanned = named('plan', findEvent)

const showPlanned = endpoint({
  method: 'get',
  path: '/planned-events/:id',
  summary: 'Shows an entry of the calendar',
  scopes,
  answers: { 200: PlannedEvent },
  of: ofPlanned,
  json: async ({ params }) => toPlannedEvent(await ofPlanned.find(params)),
})

const removePlanned = endpoint({
  method: 'delete',
  path: '/planned-events/:id',
  summary: 'Removes an entry of the calendar',
  scopes,
  answers: { 204: null },
  of: ofPlanned,
  json: ({ params: { id } }) => removeEvent(fromId('plan', id)),
})

const ofCalendar = fieldsOf<Calendar>()
const location = code()
  .max(100)
  .nullable()
  .describe('Null: all locations that have no country of their own.')
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/)
  .nullable()
  .describe('ISO 3166-1, such as DE; null: no public holidays.')
const region = z
  .string()
  .min(1)
  .max(20)
  .nullable()
  .describe('A part of the country with holidays of its own, such as BY; null: the national ones.')

const [HolidayCalendar, toHolidayCalendar] = fieldMap<Calendar>()('HolidayCalendar', {
  location: ofCalendar('location', location, (value) => value || null),
  country,
  region,
  changed_at: z.iso.datetime(),
  changed_by: z.string(),
  concerns: z
    .int()
    .optional()
    .describe('Of the answer to PUT: how many SKUs at locations it concerns now.'),
})

const listHolidays = listEndpoint({
  path: '/holiday-calendars',
  summary: 'Lists whose public holidays hold at which location',
  scopes,
  filters: {},
  row: HolidayCalendar,
  toJson: toHolidayCalendar,
  fetch: listCalendars,
})

const putHolidays = endpoint({
  method: 'put',
  path: '/holiday-calendars',
  summary: 'Sets whose public holidays hold; what it concerns is forecast and proposed anew',
  scopes,
  body: z.strictObject({ location: location.optional(), country, region: region.optional() }),
  example: { body: { location: 'L1', country: 'DE', region: 'BY' } },
  answers: { 200: HolidayCalendar },
  json: async ({ body }) => toHolidayCalendar(await setCalendar(body)),
})

const removeHolidays = endpoint({
  method: 'delete',
  path: '/holiday-calendars',
  summary: 'Removes the country of a location, or that of all others',
  scopes,
  query: z.strictObject({ location: code().max(100).optional() }),
  example: { query: { location: 'L1' } },
  answers: { 204: null },
  errors: ['not_found'],
  json: ({ query }) => removeCalendar(query.location ?? ''),
})

const ofClosure = fieldsOf<ClosureRow>()

const WORKING_DAYS = z
  .array(z.int().min(1).max(7))
  .describe('1 Monday to 7 Sunday: it is closed on the others of every week.')

const [Closure, toClosure] = fieldMap<ClosureRow>()('Closure', {
  source_id: ofClosure(
    'source_ID',
    z.string().nullable().describe('The source that tells it; null: it was entered.'),
    (ID) => (ID === 0 ? null : toId('src', ID)),
  ),
  supplier: ofClosure('supplier', z.string().nullable(), (value) => value || null),
  location: ofClosure('location', z.string().nullable(), (value) => value || null),
  from: ofClosure('firstDay', z.iso.date().nullable().describe('null: always.'), (day) =>
    day === ALWAYS.firstDay ? null : day,
  ),
  to: ofClosure('lastDay', z.iso.date().nullable(), (day) => (day === ALWAYS.lastDay ? null : day)),
  working_days: ofClosure('restDays', WORKING_DAYS.nullable(), (rest) =>
    rest ? [1, 2, 3, 4, 5, 6, 7].filter((day) => !rest.includes(String(day))) : null,
  ),
  country: ofClosure(
    'country',
    z.string().nullable().describe('It is closed on the public holidays of this country.'),
    (value) => value || null,
  ),
  region: ofClosure('region', z.string().nullable(), (value) => value || null),
  reason: ofClosure('reason', z.string().nullable(), (value) => value || null),
})

const listClosed = listEndpoint({
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
  from: day().nullable().optional(),
  to: day().nullable().optional(),
  working_days: WORKING_DAYS.nullable().optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .nullable()
    .optional(),
  region: storable(z.string().max(20)).nullable().optional(),
  reason: storable(z.string().max(200)).nullable().optional(),
})

const putClosures = endpoint({
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

export const calendarEndpoints = [
  ...[listPlanned, addPlanned, showPlanned, removePlanned],
  ...[listHolidays, putHolidays, removeHolidays],
  ...[listClosed, putClosures],
]
