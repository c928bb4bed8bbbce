// What the shipped histories lack (stock, lead times, suppliers, costs), made up from a seed.
import type { DemandLine } from './histories.ts'
import { DAY_MS } from '../store/today.ts'

const SEED = 'restock demo 1'

const SUPPLIERS = [
  { id: 'S-01', leadTimeDays: 5 },
  { id: 'S-02', leadTimeDays: 7 },
  { id: 'S-03', leadTimeDays: 7 },
  { id: 'S-04', leadTimeDays: 10 },
  { id: 'S-05', leadTimeDays: 14 },
  { id: 'S-06', leadTimeDays: 14 },
  { id: 'S-07', leadTimeDays: 21 },
  { id: 'S-08', leadTimeDays: 35 },
] as const

const LOTS = [1, 1, 6, 6, 12, 24] as const
const REVIEW_DAYS = [7, 7, 14] as const

type Table = (string | number)[][]

export interface MasterData {
  items: Table
  locations: Table
  stock: Table
  openOrders: Table
  planning: Table
}

interface PairSummary {
  sku: string
  location: string
  dailyDemand: number
  price: number
}

const pick = <T>(from: readonly T[], random: () => number) =>
  from[Math.floor(random() * from.length)]!

function summarisePairs(lines: DemandLine[], asOfDay: number): PairSummary[] {
  const pairs = new Map<string, PairSummary & { first: number; units: number }>()
  for (const { sku, location, date, quantity, price } of lines) {
    const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS
    const key = `${location} ${sku}`
    const known = pairs.get(key) ?? {
      sku,
      location,
      first: day,
      units: 0,
      price: 0,
      dailyDemand: 0,
    }
    pairs.set(key, known)
    known.first = Math.min(known.first, day)
    if (asOfDay - day <= 365) known.units += Number(quantity)
    if (price) known.price = Number(price)
  }
  for (const pair of pairs.values()) {
    pair.dailyDemand = pair.units / Math.min(365, Math.max(28, asOfDay - pair.first))
  }
  return [...pairs.values()]
}

/** One in fifty pairs lacks its lead time, one in a hundred its stock: they become blocked lines. */
export function makeMasterData(lines: DemandLine[], today: string): MasterData {
  const asOfDay = Date.parse(`${today}T00:00:00Z`) / DAY_MS
  const data: MasterData = { items: [], locations: [], stock: [], openOrders: [], planning: [] }
  const skus = new Set<string>()
  const names = new Map([
    ['IT_STORE_1', 'Grocery store, Italy'],
    ['UK', 'Warehouse, United Kingdom'],
    ['EXPORT', 'Export desk'],
  ])
  for (const [location, name] of names) data.locations.push([location, name])
  for (const pair of summarisePairs(lines, asOfDay)) {
    const { sku, location, dailyDemand } = pair
    const ofSku = randomFrom(`${SEED} ${sku}`)
    const supplier = pick(SUPPLIERS, ofSku)
    const cost = Math.max(0.1, pair.price ? pair.price * 0.55 : 0.6 + 1.9 * ofSku()).toFixed(2)
    const lotSize = pick(LOTS, ofSku)
    if (!skus.has(sku)) data.items.push([sku, nameOf(pair), 'PC', supplier.id, cost, 'EUR'])
    skus.add(sku)
    const random = randomFrom(`${SEED} ${sku} ${location}`)
    const moq = lotSize * Math.max(1, Math.round(random() * 4))
    const leadTime = random() < 0.02 ? '' : supplier.leadTimeDays
    data.planning.push([sku, location, leadTime, pick(REVIEW_DAYS, random), moq, lotSize])
    const reach = random() < 0.03 ? 0 : random() * 5 * (supplier.leadTimeDays + 7)
    if (random() >= 0.01) data.stock.push([sku, location, Math.round(dailyDemand * reach)])
    if (random() < 0.12) {
      const quantity = lotSize * Math.ceil((dailyDemand * supplier.leadTimeDays) / lotSize)
      const due = new Date((asOfDay + Math.ceil(random() * supplier.leadTimeDays)) * DAY_MS)
      const order = `45${String(data.openOrders.length + 1).padStart(8, '0')}`
      const dueDate = due.toISOString().slice(0, 10)
      if (quantity > 0) data.openOrders.push([order, '10', sku, location, quantity, dueDate])
    }
  }
  return data
}

const nameOf = ({ sku, location }: PairSummary) =>
  location === 'IT_STORE_1' ? `Pasta ${sku}` : `Giftware ${sku}`

/** Numbers in [0, 1) that depend on the text alone: the demo is the same on every machine. */
function randomFrom(text: string): () => number {
  let state = 2166136261
  for (const char of text) state = Math.imul(state ^ char.codePointAt(0)!, 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
