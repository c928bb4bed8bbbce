import { ENGINE_VERSION, type ForecastModel, parseModel } from '../../engine/index.ts'
import { readCounter, takeNumbers } from './counters.ts'
import { Forecasts, PairForecasts, Series } from './entities.ts'
import { upsertRows } from './native/insert.ts'
import { selectRows } from './native/select.ts'

/** All but the first two are null where there is no forecast yet. */
interface PairForecast {
  sku: string
  location: string
  ledBy: number | null
  asOf: string
  generatedAt: string
  engineVersion: string
  model: string | null
}

export interface StoredForecast {
  asOf: string
  generatedAt: string
  model: ForecastModel
}

/** Asks for new forecasts of the series whose last one another engine made. @returns their sources */
export async function markOutdatedSeries(): Promise<number[]> {
  const rows = await SELECT.distinct
    .from(PairForecasts)
    .columns('source_ID')
    .where({ engineVersion: { '!=': ENGINE_VERSION } })
  if (!rows.length) return []
  await UPDATE.entity(Series).set({ dirty: true })
    .where`ID in (select series from restock.Forecasts where engineVersion != ${ENGINE_VERSION})`
  return rows.map(({ source_ID }) => source_ID!)
}

/** Pairs that another source leads have no forecast of their own: once the leading one's is there. */
export const dropLedForecasts = () =>
  DELETE.from(Forecasts).where`series in (select ID from restock.Series where ledBy is not null)`

/** In the transaction of what changes answers of lookups: every instance drops what it holds within seconds. */
export const noteForecastsChanged = () => takeNumbers('forecastVersion')

export const forecastVersion = () => readCounter('forecastVersion')

/** Saves new forecasts, takes the mark off their series and asks for new proposals, in the caller's transaction. */
export async function saveForecasts(asOf: string, models: { series: number; model: string }[]) {
  const generatedAt = new Date().toISOString()
  await upsertRows(
    'restock.Forecasts',
    'series',
    models.map((entry) => ({ ...entry, asOf, generatedAt, engineVersion: ENGINE_VERSION })),
  )
  await UPDATE.entity(Series)
    .set({ dirty: false, dueForProposal: true })
    .where({ ID: { in: models.map(({ series }) => series) } })
}

/**
 * The forecast of each pair by sku and location, of several sources' the leading one's: null where the pair is known but
 * not yet forecast; pairs that are not known are absent.
 */
export async function loadForecasts(pairs: { sku: string; location: string }[]) {
  const rows = await selectRows<PairForecast>(
    'restock.PairForecasts',
    SELECT.from(PairForecasts).where({
      sku: { in: [...new Set(pairs.map(({ sku }) => sku))] },
      location: { in: [...new Set(pairs.map(({ location }) => location))] },
    }),
  )
  const found = new Map<string, Map<string, StoredForecast | null>>()
  for (const { sku, location, asOf, generatedAt, engineVersion, ...row } of rows.sort(byLead)) {
    const model = engineVersion === ENGINE_VERSION ? row.model : null
    const bySku = found.get(sku) ?? new Map<string, StoredForecast | null>()
    found.set(sku, bySku)
    if (!model && bySku.has(location)) continue
    bySku.set(location, model ? { asOf, generatedAt, model: parseModel(model) } : null)
  }
  return (sku: string, location: string) => found.get(sku)?.get(location)
}

/** The leading ones last, and of others, of which nobody has said yet which one leads, the newest. */
const byLead = (a: PairForecast, b: PairForecast) =>
  Number(b.ledBy !== null) - Number(a.ledBy !== null) || (a.asOf ?? '').localeCompare(b.asOf ?? '')
