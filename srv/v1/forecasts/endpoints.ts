import cds from '@sap/cds'
import { z } from 'zod'
import { rowsOf, visiblePairs } from '../../authority/index.ts'
import { type ErrorDetail, Refusal } from '../../errors.ts'
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
import { booleanInQuery, code, integerInQuery } from '../http/fields.ts'
import { Forecast, type ServiceForecast, toForecast } from './to-forecast.ts'

const RETRY_AFTER_S = 30

const Pair = z.strictObject({ sku: code(), location: code() })
type Pair = z.infer<typeof Pair>

type Answer =
  | { forecast: ServiceForecast; error: null }
  | { forecast: null; error: 'forecast_not_found' | 'forecast_not_ready' }

interface Forecasting {
  answersFor(pairs: Pair[], horizon: number | null, withAmounts: boolean): Promise<Answer[]>
}

let forecasting: Forecasting | undefined

async function lookup(
  pairs: Pair[],
  horizon: number | undefined,
  withAmounts: boolean,
): Promise<Answer[]> {
  forecasting ??= (await cds.connect.to('ForecastingService')) as unknown as Forecasting
  const answers = await forecasting.answersFor(pairs, horizon ?? null, withAmounts)
  const user = cds.context!.user
  // Most keys see all pairs: for them nothing is asked.
  if (!rowsOf(user)) return answers
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
