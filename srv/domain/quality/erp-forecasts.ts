// Compares the forecasts of the ERP with Restock's own, both as they stood before the period began.
import cds from '@sap/cds'
import {
  type ForecastModel,
  type LocationContext,
  MAX_HORIZON_DAYS,
  overriddenDistribution,
  parseModel,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { ErpForecasts, ErpForecastScores, Forecasts, readAs } from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import { PATIENCE, wantedOf } from './wanted.ts'

/** From how many days before a period its forecast is stored anew: the last one before it begins counts. */
const RENEWED = 7

interface Sampled {
  ID: number
  sku: string
  location: string
}

interface Expected {
  sku: string
  location: string
  firstDay: string
  lastDay: string
  quantity: number
  p50: number | null
}

const COLUMNS = ['sku', 'location', 'firstDay', 'lastDay', 'quantity', 'p50'] as const

/** The ERP's forecasts of a sample's pairs, with the numbers of their series. */
async function readExpected(source: number, sample: readonly Sampled[], days: object) {
  const numberOf = new Map(sample.map(({ ID, ...pair }) => [keyOf(pair), ID]))
  const rows: (Expected & { series: number })[] = []
  for (const chunk of inChunks([...new Set(sample.map(({ sku }) => sku))])) {
    const where = { source_ID: source, sku: { in: chunk }, ...days }
    const found = await readAs<Expected>(
      SELECT.from(ErpForecasts)
        .columns(...COLUMNS)
        .where(where),
    )
    for (const row of found) {
      const series = numberOf.get(keyOf(row))
      if (series !== undefined) rows.push({ ...row, series })
    }
  }
  return rows
}

const keyOf = ({ sku, location }: { sku: string; location: string }) =>
  JSON.stringify([sku, location])

/** Stores what the present forecasts expect of periods that the ERP forecasts, for a sample. */
export async function keepExpected(source: number, asOf: string, sample: readonly Sampled[]) {
  const day = toEpochDay(asOf)
  const days = { firstDay: { '>=': asOf }, lastDay: { '<': toDate(day + MAX_HORIZON_DAYS) } }
  const renewed = toDate(day + RENEWED)
  const rows = (await readExpected(source, sample, days)).filter(
    ({ p50, firstDay }) => p50 === null || firstDay < renewed,
  )
  if (!rows.length) return
  const models = await readModels([...new Set(rows.map(({ series }) => series))])
  const kept = rows.flatMap(({ series, ...row }) => {
    const model = models.get(series)
    const p50 = model && medianOf(model, toEpochDay(row.firstDay), toEpochDay(row.lastDay) + 1)
    const { sku, location, firstDay } = row
    return p50 === undefined ? [] : [{ key: { source_ID: source, sku, location, firstDay }, p50 }]
  })
  for (const chunk of inChunks(kept)) {
    await cds.tx(async () => {
      for (const { key, p50 } of chunk) await UPDATE.entity(ErpForecasts).set({ p50 }).where(key)
    })
  }
}

async function readModels(series: number[]): Promise<Map<number, ForecastModel>> {
  const models = new Map<number, ForecastModel>()
  for (const chunk of inChunks(series)) {
    const rows = await readAs<{ series: number; model: string }>(
      SELECT.from(Forecasts)
        .columns('series', 'model')
        .where({ series: { in: chunk } }),
    )
    for (const { series, model } of rows) models.set(series, parseModel(model))
  }
  return models
}

/** The median of the demand from one day up to another; undefined if the forecast does not reach that far. */
function medianOf(model: ForecastModel, from: number, to: number): number | undefined {
  const [first, end] = [from - model.asOf, to - model.asOf]
  if (first < 0 || end > MAX_HORIZON_DAYS) return undefined
  const until = (days: number) => (days ? overriddenDistribution(model, [], days).p50 : 0)
  return Math.max(0, until(end) - until(first))
}

/** Scores the periods that are over. @param asOf the day up to which demand is known */
export async function scoreExpected(
  source: number,
  asOf: string,
  sample: readonly Sampled[],
  contexts: ReadonlyMap<string, LocationContext>,
) {
  const days = { lastDay: { '<': asOf }, p50: { '!=': null } }
  const due = await readExpected(source, sample, days)
  for await (const { rows, wanted } of wantedOf(source, asOf, due, contexts))
    for (const chunk of inChunks(rows)) await cds.tx(() => scorePeriods(source, chunk, wanted))
  // Deletes rows without a forecast to compare with, and those whose demand never became known.
  const of = { source_ID: source }
  const late = toDate(toEpochDay(asOf) - PATIENCE)
  await DELETE.from(ErpForecasts).where({ ...of, lastDay: { '<': asOf }, p50: null })
  await DELETE.from(ErpForecasts).where({ ...of, lastDay: { '<': late } })
}

/** Replaces a period's rows by their figures; rows of pairs that ran out of stock are only deleted. */
async function scorePeriods(
  source: number,
  rows: readonly (Expected & { series: number })[],
  wanted: Map<number, number>,
) {
  const { firstDay, lastDay } = rows[0]!
  const month = `${lastDay.slice(0, 7)}-01`
  const of = { source_ID: source, month }
  const series = { in: rows.map((row) => row.series) }
  const stored = await SELECT.from(ErpForecastScores).where({ ...of, series })
  const before = new Map(stored.map((score) => [Number(score.series), score]))
  for (const { sku, location } of rows)
    await DELETE.from(ErpForecasts).where({ source_ID: source, sku, location, firstDay })
  const entries = rows.flatMap(({ series, quantity, p50 }) => {
    const demand = wanted.get(series)
    if (demand === undefined) return []
    const sums = before.get(series)
    const sum = (name: 'demand' | 'p50' | 'quantity' | 'error' | 'erpError', value: number) =>
      Number(sums?.[name] ?? 0) + value
    return {
      ...of,
      series,
      cases: (sums?.cases ?? 0) + 1,
      demand: sum('demand', demand),
      p50: sum('p50', p50!),
      quantity: sum('quantity', quantity),
      error: sum('error', Math.abs(demand - p50!)),
      erpError: sum('erpError', Math.abs(demand - quantity)),
    }
  })
  if (entries.length) await UPSERT.into(ErpForecastScores).entries(entries)
}
