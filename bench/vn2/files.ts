// What a planner would export for Restock on the Monday of a week.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Contest, Shelf, StoreProduct } from './contest.ts'

/** Which day a week's demand is dated on, or all seven. */
export const DATINGS = ['mondays', 'sundays', 'days'] as const
export type Dating = (typeof DATINGS)[number]

/** A unit's cost; the costs of a unit and week are given as shares of it. */
export const UNIT_COST = 100
const DAY_MS = 86_400_000

const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** The days of a week with what each has of its demand, in whole units. */
function* datedRows(monday: string, units: number, dating: Dating): Generator<[string, number]> {
  if (dating !== 'days') return void (yield [addDays(monday, dating === 'mondays' ? 0 : 6), units])
  for (let day = 0; day < 7; day++) {
    const share = Math.round((units * (day + 1)) / 7) - Math.round((units * day) / 7)
    if (share) yield [addDays(monday, day), share]
  }
}

export interface Order {
  pair: StoreProduct
  /** The Monday of its arrival. */
  due: string
  quantity: number
  /** Of the proposal that it came of. */
  reference: string
}

/** @param week how many of the weeks that count are over */
export function writeFiles(
  folder: string,
  { past, weeks, pairs }: Contest,
  shelves: Map<StoreProduct, Shelf>,
  orders: Order[],
  week: number,
  dating: Dating,
) {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, head: string, rows: Iterable<string>) =>
    writeFileSync(path.join(folder, `${name}.csv`), `${[head, ...rows].join('\n')}\n`)
  const key = ({ product, store }: StoreProduct) => `${product},${store}`
  write('demand', 'sku,location,date,quantity', demandRows())
  write('stock_history', 'sku,location,date,on_hand', emptyDays())
  write(
    'stock',
    'sku,location,on_hand',
    pairs.map((pair) => `${key(pair)},${shelves.get(pair)!.onHand}`),
  )
  write(
    'planning',
    'sku,location,lead_time_days,review_period_days,supplier,unit_cost,currency',
    pairs.map((pair) => `${key(pair)},14,7,warehouse,${UNIT_COST},EUR`),
  )
  write(
    'open_orders',
    'order,line,sku,location,quantity,due,reference',
    orders
      .filter(({ due }) => due >= weeks[week]!)
      .map((o, at) => `${o.due},${at},${key(o.pair)},${o.quantity},${o.due},${o.reference}`),
  )

  function* demandRows() {
    for (const pair of pairs) {
      const known = [...pair.past, ...pair.real.slice(0, week)]
      for (const [at, units] of known.entries()) {
        if (units === null) continue
        const monday = past[at] ?? weeks[at - past.length]!
        for (const [day, share] of datedRows(monday, units, dating))
          yield `${key(pair)},${day},${share}`
      }
    }
  }

  function* emptyDays() {
    for (const pair of pairs)
      for (const [at, wasInStock] of pair.wasInStock.entries())
        if (!wasInStock && pair.past[at] !== null)
          for (let day = 0; day < 7; day++) yield `${key(pair)},${addDays(past[at]!, day)},0`
  }
}
