import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../../http/field-map.ts'
import { code } from '../../../../base/input.ts'
import {
  type HolidayCalendar as Calendar,
  listCalendars,
  removeCalendar,
  setCalendar,
} from '../../../../domain/plans/index.ts'
import { listEndpoint } from '../../http/page.ts'

const scopes = ['policies:manage'] as const

const field = fieldsOf<Calendar>()
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
  location: field('location', location, (value) => value || null),
  country,
  region,
  changed_at: z.iso.datetime(),
  changed_by: z.string(),
  concerns: z
    .int()
    .optional()
    .describe('Of the answer to PUT: how many SKUs at locations it concerns now.'),
})

const list = listEndpoint({
  path: '/holiday-calendars',
  summary: 'Lists whose public holidays hold at which location',
  scopes,
  filters: {},
  row: HolidayCalendar,
  toJson: toHolidayCalendar,
  fetch: listCalendars,
})

const put = endpoint({
  method: 'put',
  path: '/holiday-calendars',
  summary: 'Sets whose public holidays hold; what it concerns is forecast and proposed anew',
  scopes,
  body: z.strictObject({ location: location.optional(), country, region: region.optional() }),
  example: { body: { location: 'L1', country: 'DE', region: 'BY' } },
  answers: { 200: HolidayCalendar },
  json: async ({ body }) => toHolidayCalendar(await setCalendar(body)),
})

const remove = endpoint({
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

export const holidayCalendarEndpoints = [list, put, remove]
