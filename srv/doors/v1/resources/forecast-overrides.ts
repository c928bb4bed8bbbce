import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { code, day, text } from '../../../base/input.ts'
import {
  addOverride,
  findOverride,
  type ForecastOverride as Override,
  listOverrides,
  removeOverride,
} from '../../../domain/plans/index.ts'
import { fromId, toId } from '../http/ids.ts'
import { listEndpoint } from '../http/page.ts'

const reading = ['forecasts:read'] as const
const changing = ['policies:manage'] as const

const field = fieldsOf<Override>()
const name = code().max(100).nullable()
const percent = z
  .number()
  .min(-100)
  .max(900)
  .nullable()
  .describe('By which demand is more than the forecast expects; null where units are said.')
const units = z
  .number()
  .min(0)
  .max(1e9)
  .nullable()
  .describe('Demand of all its days and of all that it names together; null where percent is said.')
const ValueAdded = z
  .object({
    pairs: z.int().describe('SKUs at locations that are measured; those without stock are not.'),
    demand: z.number(),
    statistical: z.number().describe('The P50 of the forecasts.'),
    adjusted: z.number().describe('The P50 of the adjusted forecasts.'),
    error_statistical: z.number().describe('How far the P50 of each pair was off, added up.'),
    error_adjusted: z.number(),
  })
  .meta({ id: 'ForecastValueAdded' })
  .nullable()
  .describe('Measured once its days are over and their demand is known; null before.')

const tenth = (units: number) => Math.round(units * 10) / 10

const toValueAdded = (value: Override['valueAdded']) =>
  value && {
    ...{ pairs: value.pairs, demand: tenth(value.demand) },
    ...{ statistical: tenth(value.statistical), adjusted: tenth(value.adjusted) },
    error_statistical: tenth(value.errorBefore),
    error_adjusted: tenth(value.errorAfter),
  }

const orNull = (value: string) => value || null

const [ForecastOverride, toForecastOverride] = fieldMap<Override>()('ForecastOverride', {
  id: field('ID', z.string(), (ID) => toId('ovr', ID)),
  sku: field('sku', name, orNull),
  location: field('location', name, orNull),
  group: field('skuGroup', name, orNull),
  from: field('firstDay', z.iso.date()),
  to: field('lastDay', z.iso.date()),
  percent,
  units,
  reason: z.string(),
  status: z.enum(['ahead', 'running', 'over']),
  value_added: field('valueAdded', ValueAdded, toValueAdded),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  concerns: z
    .int()
    .optional()
    .describe('Of the answer to POST: how many SKUs at locations it concerns now.'),
})

const NewForecastOverride = z.strictObject({
  sku: name.optional(),
  location: name.optional(),
  group: name.optional(),
  from: day().optional().describe('Today where it is left out.'),
  to: day(),
  percent: percent.optional(),
  units: units.optional(),
  reason: text().min(1).max(200),
})

const list = listEndpoint({
  path: '/forecast-overrides',
  summary: 'Lists what planners say instead of forecasts, newest first',
  scopes: reading,
  filters: {
    sku: code().max(100).optional(),
    location: code().max(100).optional(),
    group: code().max(100).optional(),
    not_before: day().optional().describe('Leaves out what is over before this day.'),
  },
  row: ForecastOverride,
  toJson: toForecastOverride,
  fetch: (page, { group = null, not_before: notBefore = null, ...equal }) =>
    listOverrides({ filter: { ...equal, skuGroup: group, notBefore }, ...page }),
})

const add = endpoint({
  method: 'post',
  path: '/forecast-overrides',
  summary: 'Raises or lowers forecasts for a time; what it concerns is proposed anew',
  scopes: changing,
  body: NewForecastOverride,
  example: {
    body: { sku: 'A-100', location: 'L1', to: '2026-12-24', percent: 20, reason: 'Christmas' },
  },
  answers: { 201: ForecastOverride },
  json: async ({ body: { group, from, to, ...rest } }) =>
    toForecastOverride(
      await addOverride({ ...rest, skuGroup: group, firstDay: from, lastDay: to }),
    ),
})

const find = ({ id }: Record<string, string>) => findOverride(fromId('ovr', id))

const show = endpoint({
  method: 'get',
  path: '/forecast-overrides/:id',
  summary: 'Shows a forecast override',
  scopes: reading,
  answers: { 200: ForecastOverride },
  errors: ['not_found'],
  exists: find,
  json: async ({ params }) => toForecastOverride(await find(params)),
})

const remove = endpoint({
  method: 'delete',
  path: '/forecast-overrides/:id',
  summary: 'Removes a forecast override that is not over',
  scopes: changing,
  answers: { 204: null },
  errors: ['not_found'],
  exists: find,
  json: ({ params: { id } }) => removeOverride(fromId('ovr', id)),
})

export const forecastOverrideEndpoints = [list, add, show, remove]
