import cds from '@sap/cds'
import { z } from 'zod'
import { describeMissing } from '../../../../engine/index.ts'
import { type ErrorDetail, Refusal } from '../../../base/errors.ts'
import { booleanInQuery, code, day, integerInQuery, text } from '../../../base/input.ts'
import { restrictionOf, visiblePairs } from '../../../domain/authority/index.ts'
import {
  type FoundForecast,
  type LookupAnswer,
  lookUpForecasts,
} from '../../../domain/forecasts/index.ts'
import {
  addOverride,
  findOverride,
  type ForecastOverride as Override,
  listOverrides,
  removeOverride,
} from '../../../domain/plans/index.ts'
import {
  assertBatch,
  BatchSummary,
  echo,
  ItemError,
  itemsOf,
  readItem,
  summaryOf,
} from '../http/batch.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, named, toId } from '../http/field-map.ts'
import { listEndpoint } from '../http/page.ts'

const Forecast = z
  .object({
    sku: z.string(),
    location: z.string(),
    horizon_days: z.int().min(1).max(90),
    forecast: z
      .object({ p10: z.int().min(0), p50: z.int().min(0), p90: z.int().min(0) })
      .describe('Quantiles of the total demand over the horizon.'),
    confidence: z.enum(['high', 'medium', 'low']),
    drivers: z.array(z.string()),
    driver_amounts: z
      .array(z.object({ driver: z.string(), amount: z.int() }))
      .describe('What adds up to the P50, in units; with include_drivers alone.'),
    censored_share: z
      .number()
      .min(0)
      .max(1)
      .describe('Share of the days of the past year without stock: they say nothing of demand.'),
    missing_data: z
      .array(
        z.object({
          code: z.string(),
          days: z
            .int()
            .nullable()
            .describe('How many more days; null where days are not what is missing.'),
          message: z.string(),
        }),
      )
      .describe('Which data the forecast had too little of; empty where none are missing.'),
    adjusted_forecast: z
      .object({ p10: z.int().min(0), p50: z.int().min(0), p90: z.int().min(0) })
      .nullable()
      .describe(
        'With the forecast overrides of planners: what proposals are made by. Null for none.',
      ),
    overrides: z
      .array(
        z.object({
          id: z.string(),
          percent: z.number().nullable(),
          units: z.number().nullable(),
          reason: z.string(),
        }),
      )
      .describe('The forecast overrides within the horizon.'),
    phase_out_on: z.iso
      .date()
      .nullable()
      .describe(
        'Where the SKU is phased out within the horizon: the day from which on there is no demand.',
      ),
    as_of: z.iso.date(),
    generated_at: z.iso.datetime(),
  })
  .meta({ id: 'Forecast' })

const toForecast = (row: FoundForecast, includeDrivers: boolean) => ({
  sku: row.sku,
  location: row.location,
  horizon_days: row.horizonDays,
  forecast: { p10: row.p10, p50: row.p50, p90: row.p90 },
  confidence: row.confidence,
  drivers: includeDrivers ? row.drivers : [],
  driver_amounts: row.amounts?.map(({ code, amount }) => ({ driver: code, amount })) ?? [],
  censored_share: row.censoredShare,
  missing_data: row.missing.map((each) => ({ ...each, message: describeMissing(each) })),
  adjusted_forecast: row.adjusted && {
    ...{ p10: row.adjusted.p10, p50: row.adjusted.p50, p90: row.adjusted.p90 },
  },
  overrides: (row.adjusted?.overrides ?? []).map(({ ID, ...rest }) => ({
    id: toId('ovr', ID),
    ...rest,
  })),
  phase_out_on: row.phaseOutOn,
  as_of: row.asOf,
  generated_at: row.generatedAt,
})

const RETRY_AFTER_S = 30

const Pair = z.strictObject({ sku: code(), location: code() })
type Pair = z.infer<typeof Pair>

async function lookup(
  pairs: Pair[],
  horizon: number | undefined,
  withAmounts: boolean,
): Promise<LookupAnswer[]> {
  const answers = await lookUpForecasts(pairs, horizon ?? null, withAmounts)
  const user = cds.context!.user
  // Most keys see all pairs: for them nothing is asked.
  if (!restrictionOf(user)) return answers
  const visible = await visiblePairs(user, pairs)
  return answers.map((answer, at) => (visible[at] ? answer : NOT_FOUND))
}

const NOT_FOUND = { forecast: null, error: 'forecast_not_found' } as const

const MESSAGES = {
  forecast_not_found: 'There is no demand of this SKU at this location.',
  forecast_not_ready: 'This forecast is not computed yet.',
}

const getForecast = endpoint({
  method: 'get',
  path: '/forecasts',
  summary: 'Forecasts the demand of a SKU at a location over a horizon',
  scopes: ['forecasts:read'],
  query: z.strictObject({
    sku: code(),
    location: code(),
    horizon: integerInQuery(1, 90).optional(),
    include_drivers: booleanInQuery().default(false),
  }),
  example: { query: { sku: 'A-100', location: 'L1', horizon: 28, include_drivers: true } },
  answers: { 200: Forecast },
  errors: ['forecast_not_found', 'forecast_not_ready'],
  async handle({ query: { sku, location, horizon, include_drivers } }) {
    const [answer] = await lookup([{ sku, location }], horizon, include_drivers)
    const { forecast, error } = answer!
    if (error) throw new Refusal(error, MESSAGES[error], { retryAfter: RETRY_AFTER_S })
    return { status: 200, body: toForecast(forecast, include_drivers) }
  },
})

const Batch = z.strictObject({
  items: itemsOf(Pair),
  horizon: z.int().min(1).max(90).optional(),
  include_drivers: z.boolean().default(false),
})

const BatchAnswer = z
  .object({
    results: z.array(
      z.union([
        z.object({
          index: z.int(),
          sku: z.string(),
          location: z.string(),
          status: z.literal('ok'),
          forecast: Forecast,
        }),
        z.object({
          index: z.int(),
          sku: z.string().nullable(),
          location: z.string().nullable(),
          status: z.literal('error'),
          error: ItemError,
        }),
      ]),
    ),
    summary: BatchSummary,
  })
  .meta({ id: 'ForecastBatch' })

const postBatch = endpoint({
  method: 'post',
  path: '/forecasts/batch',
  summary: 'Forecasts up to 1,000 pairs at once, each answered on its own',
  scopes: ['forecasts:read'],
  repeatable: true,
  body: Batch,
  example: { body: { items: [{ sku: 'A-100', location: 'L1' }], horizon: 28 } },
  answers: { 200: BatchAnswer },
  errors: ['batch_too_large'],
  async handle({ body: { items, horizon, include_drivers } }) {
    assertBatch(items, 'items')
    const read = items.map((item) => readItem(Pair, item, 'sku and location'))
    const answers = await lookup(
      read.flatMap(({ item }) => item ?? []),
      horizon,
      include_drivers,
    )
    let next = 0
    const results = read.map(({ item: pair, error }, index) => {
      if (!pair) return failed(index, items[index], error)
      const answer = answers[next++]!
      if (answer.error) return failed(index, pair, errorOf(answer.error))
      const forecast = toForecast(answer.forecast, include_drivers)
      return { index, ...pair, status: 'ok', forecast }
    })
    return { status: 200, body: { results, summary: summaryOf(results) } }
  },
})

const errorOf = (code: keyof typeof MESSAGES) => ({ code, message: MESSAGES[code], target: null })

const failed = (index: number, item: unknown, error: ErrorDetail) => ({
  ...{ index, sku: echo(item, 'sku'), location: echo(item, 'location'), status: 'error', error },
})

export const forecastEndpoints = [getForecast, postBatch]

// What planners say of coming demand instead of the forecast.

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

const getOverrides = listEndpoint({
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

const postOverride = endpoint({
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

const ofOverride = named('ovr', findOverride)

const getOverride = endpoint({
  method: 'get',
  path: '/forecast-overrides/:id',
  summary: 'Shows a forecast override',
  scopes: reading,
  answers: { 200: ForecastOverride },
  of: ofOverride,
  json: async ({ params }) => toForecastOverride(await ofOverride.find(params)),
})

const deleteOverride = endpoint({
  method: 'delete',
  path: '/forecast-overrides/:id',
  summary: 'Removes a forecast override that is not over',
  scopes: changing,
  answers: { 204: null },
  of: ofOverride,
  json: ({ params: { id } }) => removeOverride(fromId('ovr', id)),
})

export const forecastOverrideEndpoints = [getOverrides, postOverride, getOverride, deleteOverride]
