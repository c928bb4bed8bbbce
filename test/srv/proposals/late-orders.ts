// A source with open orders, for tests of what no order can mend.
import { connectFiles, daysAgo, steadyDemand } from '../../support/server.ts'

const LEAD_TIME_DAYS = 10

interface Line {
  order: string
  sku: string
  quantity: number
  due: string
}

const csv = (header: string, rows: unknown[][]) =>
  `${[header, ...rows.map((row) => row.join(','))].join('\n')}\n`

export const daysAhead = (days: number) => daysAgo(-days)

export const stockOf = (stock: Record<string, number>, location: string) =>
  csv(
    'sku,location,on_hand',
    Object.entries(stock).map(([sku, onHand]) => [sku, location, onHand]),
  )

export const ordersOf = (orders: Line[], location: string) =>
  csv(
    'order,line,sku,location,quantity,due',
    orders.map(({ order, sku, quantity, due }) => [order, 1, sku, location, quantity, due]),
  )

/** Connects; each SKU sells 4 a day at the location, at 2.50 EUR. @returns the source's number */
export async function openStore(
  account: string,
  stock: Record<string, number>,
  orders: Line[],
  location = 'L1',
) {
  const skus = Object.keys(stock)
  return connectFiles(account, {
    'demand.csv': steadyDemand(skus, { location }),
    'stock.csv': stockOf(stock, location),
    'open_orders.csv': ordersOf(orders, location),
    'planning.csv': csv(
      'sku,location,lead_time_days,supplier,unit_cost,currency',
      skus.map((sku) => [sku, location, LEAD_TIME_DAYS, 'S-1', '2.50', 'EUR']),
    ),
  })
}

/** Nothing on the shelf before an order of 100 in eight days. */
export const lateOrder = (sku: string): Line => ({
  order: `PO-${sku}`,
  sku,
  quantity: 100,
  due: daysAhead(8),
})
