import { Clock, DAY_MS } from '../clock.ts'
import { mix } from '../world/hash.ts'
import { Company } from './company.ts'
import type { Item, Location, Pair, Supplier } from './model.ts'
import { Ledger } from './ledger.ts'

export interface CompanyOptions {
  /** Number of items; every fifth is at two locations. Default 500. */
  size?: number
  /** Days of past sales. Default 365. */
  days?: number
  /** At least 2. Default 3. */
  locations?: number
  /** Same seed, same company. Default 1. */
  seed?: number
  /** Start time of the clock. Default: the machine's time. */
  now?: string | Date
}

const LEAD_TIMES = [5, 7, 10, 14, 21]
const CARTONS = [6, 10, 12, 24]

export function makeCompany(options: CompanyOptions = {}): Company {
  const { size = 500, days = 365, locations: places = 3, seed = 1, now } = options
  const clock = new Clock(now)
  const locations = Array.from({ length: places }, (_, at) => locationAt(at))
  const suppliers = Array.from({ length: Math.max(2, Math.ceil(size / 40)) }, (_, at) =>
    supplierAt(at),
  )
  const items = Array.from({ length: size }, (_, at) => itemAt(at, seed, suppliers, clock))
  const pairs = items.flatMap((item) => pairsOf(item, locations, seed))
  const company = new Company(clock, new Ledger(pastSales(pairs, days, seed, clock), pairs))
  company.items.push(...items)
  company.locations.push(...locations)
  company.suppliers.push(...suppliers)
  for (const pair of pairs) company.pairs.push(pair)
  addOrders(company, seed)
  return company
}

const locationAt = (at: number): Location => ({
  ...{
    id: at + 1,
    code: `WH${at + 1}`,
    name: ['Main', 'North', 'South', 'East'][at] ?? `No. ${at + 1}`,
  },
})

const supplierAt = (at: number): Supplier => ({
  ...{
    id: at + 1,
    code: `V${String(at + 1).padStart(4, '0')}`,
    name: `Supplier ${at + 1} & Söhne`,
  },
})

function itemAt(at: number, seed: number, suppliers: Supplier[], clock: Clock): Item {
  const h = mix(seed, at, 1)
  const id = at + 1
  const unit = h % 10 === 0 ? 'KG' : 'PC'
  const factor = unit === 'PC' && h % 3 === 0 ? CARTONS[(h >>> 8) & 3]! : 1
  return {
    ...{ id, code: codeOf(id), name: `Item ${id}`, group: `G${1 + (h % 7)}`, unit },
    orderUnit: factor > 1 ? { code: 'CTN', factor } : null,
    unitCost: (1 + (h % 9_900) / 100).toFixed(2),
    supplier: suppliers[h % suppliers.length]!,
    leadTimeDays: LEAD_TIMES[(h >>> 4) % LEAD_TIMES.length]!,
    ...{ moq: factor * (1 + ((h >>> 12) % 4)), lotSize: factor },
    isActive: h % 97 !== 0,
    changedAt: clock.now() - (1 + (h % 300)) * DAY_MS,
  }
}

/** Some need quoting or encoding somewhere. */
const codeOf = (id: number) =>
  `A-${String(id).padStart(5, '0')}${id % 250 === 249 ? " /1'#&ü" : ''}`

function pairsOf(item: Item, locations: Location[], seed: number): Pair[] {
  const first = mix(seed, item.id, 2) % locations.length
  const places = [locations[first]!]
  if (item.id % 5 === 0) places.push(locations[(first + 1) % locations.length]!)
  return places.map((location) => ({
    ...{ item, location, onHand: mix(seed, item.id, 3, location.id) % 120 },
  }))
}

/** One of twenty pairs sells daily, most of them weekly or less. */
function pastSales(pairs: Pair[], days: number, seed: number, clock: Clock) {
  const chances = pairs.map((_, at) => [1, 3, 7, 7, 15, 15, 30, 45][mix(seed, at, 4) & 7]!)
  const today = clock.today()
  const [day, pair, quantity]: [number[], number[], number[]] = [[], [], []]
  for (let back = days; back > 0; back--) {
    for (const [at, every] of chances.entries()) {
      const h = mix(seed, at, 5, today - back)
      if (h % every !== 0) continue
      day.push(today - back)
      pair.push(at)
      const units = 1 + ((h >>> 8) % 9)
      quantity.push(pairs[at]!.item.unit === 'KG' ? units / 2 : units)
    }
  }
  return {
    day: Uint16Array.from(day),
    pair: Uint32Array.from(pair),
    quantity: Float64Array.from(quantity),
  }
}

/** Open purchase orders, some part received, overdue or drafts, and open sales orders. */
function addOrders(company: Company, seed: number): void {
  const active = company.pairs.filter(({ item }) => item.isActive)
  for (const [at, pair] of active.entries()) {
    const h = mix(seed, at, 6)
    const { item } = pair
    if (h % 3 === 0) {
      const quantity = Math.ceil((item.moq + (h % 40)) / item.lotSize) * item.lotSize
      const second = h % 5 === 0 ? [{ pair, quantity: item.moq, dueInDays: 30 }] : []
      const lines = [{ pair, quantity, dueInDays: (h % 40) - 8 }, ...second]
      const order = company.order(item.supplier, lines)
      if (h % 7 === 0) order.lines[0]!.received = Math.floor(quantity / 2)
      if (h % 31 === 0) order.status = 'draft'
    }
    if (h % 11 === 0)
      company.takeSalesOrder([{ pair, quantity: 2 + (h % 9), dueInDays: (h % 14) - 3 }])
  }
}
