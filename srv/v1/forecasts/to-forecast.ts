import { z } from 'zod'
import { describeMissing, type MissingData } from '../../../engine/index.ts'
import { toId } from '../http/ids.ts'

export const Forecast = z
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
    as_of: z.iso.date(),
    generated_at: z.iso.datetime(),
  })
  .meta({ id: 'Forecast' })

/** A forecast as ForecastingService answers it. */
export interface ServiceForecast {
  sku: string
  location: string
  horizonDays: number
  p10: number
  p50: number
  p90: number
  confidence: 'high' | 'medium' | 'low'
  drivers: string[]
  amounts?: { code: string; amount: number }[]
  censoredShare: number
  missing: MissingData[]
  adjusted: {
    p10: number
    p50: number
    p90: number
    overrides: { ID: number; percent: number | null; units: number | null; reason: string }[]
  } | null
  asOf: string
  generatedAt: string
}

export const toForecast = (row: ServiceForecast, includeDrivers: boolean) => ({
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
  as_of: row.asOf,
  generated_at: row.generatedAt,
})
