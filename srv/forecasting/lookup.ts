import { LRUCache } from 'lru-cache'
import {
  type DriverShare,
  type ForecastAnswer,
  predictDemand,
  splitByDriver,
} from '../../engine/index.ts'
import { settings } from '../config.ts'
import { loadForecasts, type StoredForecast } from '../store/forecasts.ts'

interface Pair {
  sku: string
  location: string
}

export interface LookupQuery {
  pairs: Pair[]
  /** Days; null means the configured ones. */
  horizon: number | null
}

export interface LookupAnswer {
  forecast:
    | (Pair &
        ForecastAnswer & { horizonDays: number; asOf: string; generatedAt: string } & {
          /** What adds up to the P50; absent where it was not asked for. */
          amounts?: DriverShare[]
        })
    | null
  error: 'forecast_not_found' | 'forecast_not_ready' | null
}

/** Another instance may have forecast anew: what is held here is at most this old. */
const CACHE_MS = 30_000
const cache = new LRUCache<string, StoredForecast>({ max: 20_000, ttl: CACHE_MS })
const keyOf = ({ sku, location }: Pair) => `${sku.length}:${sku}${location}`

export const dropForecasts = () => cache.clear()

/**
 * One answer a pair, in the order asked.
 * @param horizon days, null means the configured one
 * @param withAmounts whether to tell what the P50 is made of
 */
export async function lookUpForecasts(
  pairs: Pair[],
  horizon: number | null,
  withAmounts = false,
): Promise<LookupAnswer[]> {
  const horizonDays = horizon ?? settings().defaultHorizonDays
  const known = pairs.map((pair) => cache.get(keyOf(pair)))
  const unknown = pairs.filter((_, at) => !known[at])
  const load = unknown.length ? await loadForecasts(unknown) : () => undefined
  return pairs.map((pair, at) => {
    const held = known[at]
    const stored = held ?? load(pair.sku, pair.location)
    if (stored === undefined) return { forecast: null, error: 'forecast_not_found' }
    if (stored === null) return { forecast: null, error: 'forecast_not_ready' }
    if (!held) cache.set(keyOf(pair), stored)
    const { asOf, generatedAt, model } = stored
    const forecast = {
      ...pair,
      horizonDays,
      ...predictDemand(model, horizonDays),
      ...(withAmounts && { amounts: splitByDriver(model, horizonDays) }),
      asOf,
      generatedAt,
    }
    return { forecast, error: null }
  })
}
