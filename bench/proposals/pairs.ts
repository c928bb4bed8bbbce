// A source with very many pairs and their forecasts, written directly to the database.
import cds from '@sap/cds'
import {
  EMPTY_CONTEXT,
  ENGINE_VERSION,
  forecastPair,
  toDate,
  toEpochDay,
} from '../../engine/index.ts'

const BATCH = 2000
const MODELS = 500
const HISTORY_DAYS = 730

export const SOURCE = 1

/** Random numbers that are the same in every run. */
export function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

interface Seller {
  perDay: number
  model: string
}

/** Two years of steady, seasonal or intermittent demand, with forecasts of the engine. */
function sellers(asOf: number): Seller[] {
  const random = randomOf(7)
  return Array.from({ length: MODELS }, () => {
    const perDay = 10 ** (random() * 2.5 - 1)
    const chance = Math.min(1, 0.15 + perDay)
    const season = random() * 0.5
    const days: number[] = []
    const quantities: number[] = []
    for (let day = asOf - HISTORY_DAYS; day < asOf; day++) {
      if (random() > chance) continue
      const wave = 1 + season * Math.sin((day / 365) * 2 * Math.PI)
      days.push(day)
      quantities.push(Math.max(1, Math.round((perDay / chance) * wave * 2 * random())))
    }
    const history = { days: Int32Array.from(days), quantities: Float64Array.from(quantities) }
    return { perDay, model: JSON.stringify(forecastPair(history, asOf, EMPTY_CONTEXT)) }
  })
}

/** Writes `pairs` pairs at ten locations, the same for each source: about three in ten need an order. */
export async function writePairs(pairs: number, source = SOURCE) {
  const { INSERT } = cds.ql
  const asOf = toEpochDay(new Date().toISOString().slice(0, 10))
  const known = sellers(asOf)
  const random = randomOf(11)
  await INSERT.into('restock.Sources').entries({ ID: source, type: 'csv', status: 'connected' })
  await INSERT.into('restock.Snapshots').entries([
    { source_ID: source, record: 'stock', generation: 1 },
    { source_ID: source, record: 'openOrders', generation: 1 },
  ])
  for (let first = 0; first < pairs; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, pairs - first) }, (_, index) =>
      pairOf(first + index, { source, known, asOf, random }),
    )
    await cds.tx(async () => {
      for (const [entity, part] of PARTS) {
        const entries = rows.flatMap((row) => row[part] ?? [])
        if (entries.length) await INSERT.into(`restock.${entity}`).entries(entries)
      }
    })
  }
}

const PARTS = [
  ['Series', 'series'],
  ['Forecasts', 'forecast'],
  ['Stock', 'stock'],
  ['Planning', 'planning'],
  ['Skus', 'sku'],
  ['OpenOrders', 'order'],
] as const

/** Number of a source's first series; its pairs' series follow. */
export const firstSeries = (source: number) => source * 1_000_000

interface Making {
  source: number
  known: Seller[]
  asOf: number
  random: () => number
}

function pairOf(index: number, { source, known, asOf, random }: Making) {
  const series = firstSeries(source) + index
  const { perDay, model } = known[index % MODELS]!
  const source_ID = source
  const [sku, location] = [`SKU-${Math.floor(index / 10)}`, `L${index % 10}`]
  const pair = { source_ID, sku, location }
  const leadTimeDays = 3 + Math.floor(random() * 25)
  const cover = (leadTimeDays + 7) * perDay * (1 + 1.5 * random())
  const day = toDate(asOf)
  return {
    series: { ID: series, ...pair, dirty: false },
    forecast: { series, asOf: day, engineVersion: ENGINE_VERSION, model },
    stock: { ...pair, generation: 1, onHand: Math.round(cover) },
    planning: {
      ...pair,
      leadTimeDays,
      moq: 10,
      lotSize: random() < 0.5 ? 1 : 6,
      supplier: `S-${index % 300}`,
      unitCost: (1 + random() * 50).toFixed(2),
      currency: 'EUR',
    },
    sku: index % 10 === 0 ? { source_ID, sku, name: sku } : undefined,
    order:
      random() < 0.15
        ? {
            ...{ source_ID, generation: 1, document: `P${index}`, line: '1', sku, location },
            ...{ quantity: Math.ceil(5 * perDay), due: toDate(asOf + Math.floor(random() * 20)) },
          }
        : undefined,
  }
}
