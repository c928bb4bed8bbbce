import cds from '@sap/cds'
import {
  CurrentCustomerOrders,
  CurrentOpenOrders,
  CurrentReservations,
  Planning,
  readAs,
  Receipts,
  Series,
  Skus,
  Snapshots,
  Stock,
} from '../../srv/base/database/entities.ts'
import type { Erp, PairTruth, TruthOptions } from '../../sandbox/index.ts'
import { entityNamed } from './rows.ts'

const { SELECT } = cds.ql

type Row = Record<string, unknown>

const absent = (value: unknown) => value === null || value === undefined

/** Compares values; databases return numbers as numbers or as text. */
function isSame(stored: unknown, expected: unknown): boolean {
  if (absent(stored) || absent(expected)) return absent(stored) && absent(expected)
  if (typeof expected === 'boolean') return Boolean(stored) === expected
  if (stored === expected) return true
  return Math.abs(Number(stored) - Number(expected)) < 1e-6
}

const pairOf = ({ sku, location }: Row | PairTruth) => `${sku} ${location}`

/** The stored net demand by pair and day; a pair without demand has an empty map. */
async function storedDemand(source: number) {
  const series: Row[] = await SELECT.from(Series)
    .columns('ID', 'sku', 'location')
    .where({ source_ID: source })
  const pairs = new Map(series.map((row) => [row.ID, pairOf(row)]))
  const days = new Map([...pairs.values()].map((pair) => [pair, new Map<string, number>()]))
  const rows = await readAs<{ series: number; date: string; quantity: unknown }>(
    SELECT.from(entityNamed(`restock.${demandEntity()} as d`)).columns(
      'd.series as series',
      'd.date as date',
      'sum(d.quantity) as quantity',
    ).where`d.series in (select ID from restock.Series where source.ID = ${source})`.groupBy(
      'd.series',
      'd.date',
    ),
  )
  for (const { series, date, quantity } of rows) {
    if (!isSame(quantity, 0)) days.get(pairs.get(series)!)!.set(date, Number(quantity))
  }
  return days
}

const demandEntity = () => ('DemandRows' in cds.entities('restock') ? 'DemandRows' : 'Demand')

/** The visible rows of a snapshot. */
async function currentStock(source: number): Promise<Row[]> {
  const { generation } = (await SELECT.one
    .from(Snapshots)
    .where({ source_ID: source, record: 'stock' })) ?? { generation: null }
  const rows: Row[] = await SELECT.from(Stock).where({ source_ID: source, generation })
  return rows
}

/** All stored data of a source, by pair. */
async function stored(source: number) {
  const where = { source_ID: source }
  const planning: Row[] = await SELECT.from(Planning).where(where)
  const skus: Row[] = await SELECT.from(Skus).where(where)
  const orders: Row[] = await SELECT.from(CurrentOpenOrders).where(where)
  const customerOrders: Row[] = await SELECT.from(CurrentCustomerOrders).where(where)
  const reservations: Row[] = await SELECT.from(CurrentReservations).where(where)
  return {
    planning: new Map(planning.map((row) => [pairOf(row), row])),
    stock: new Map((await currentStock(source)).map((row) => [pairOf(row), row])),
    skus: new Map(skus.map((row) => [row.sku, row])),
    orders: Map.groupBy(orders, pairOf),
    customerOrders: Map.groupBy(customerOrders, pairOf),
    reservations: Map.groupBy(reservations, pairOf),
    demand: await storedDemand(source),
  }
}

const PLANNING = ['leadTimeDays', 'moq', 'lotSize', 'supplier', 'unitCost', 'currency'] as const
const STOCK = ['onHand', 'inInspection', 'blocked', 'inTransit'] as const

/**
 * The differences between the stored data of a source and the ERP's, by row and field; empty if there are
 * none.
 */
export async function differences(
  source: number,
  erp: Erp,
  options: TruthOptions = {},
): Promise<string[]> {
  const found: string[] = []
  const is = await stored(source)
  for (const truth of erp.truth(options)) {
    const pair = pairOf(truth)
    const [planning, stock, sku] = [
      is.planning.get(pair),
      is.stock.get(pair),
      is.skus.get(truth.sku),
    ]
    const compare = (name: string, value: unknown, expected: unknown) => {
      if (!isSame(value, expected)) found.push(`${pair}: ${name} ${value}, not ${expected}`)
    }
    for (const name of PLANNING) compare(name, planning?.[name], truth[name])
    for (const name of STOCK) compare(name, stock?.[name], truth[name])
    compare('backorders', stock?.backorders ?? 0, truth.backorders)
    compare('unit', sku?.unit, truth.unit)
    compare('skuGroup', sku?.skuGroup, truth.skuGroup)
    const bought = planning?.purchasable ?? true
    compare('purchasable', Boolean(bought) && Boolean(sku?.purchasable ?? true), truth.purchasable)
    const orders = (is.orders.get(pair) ?? []).map(
      ({ document, line, quantity, due, reference }) =>
        `${document}/${line} ${rounded(quantity)} ${due} ${reference}`,
    )
    const open = truth.openOrders.map(
      ({ order, item, scheduleLine, quantity, due, reference }) =>
        `${order}/${item}/${scheduleLine} ${rounded(quantity)} ${due} ${reference}`,
    )
    const { sku: line, location, inTransfer } = truth
    if (inTransfer > 0)
      open.push(`StockInTransfer(${location})/${line} ${rounded(inTransfer)} null null`)
    compare('orders', orders.sort().join(), open.sort().join())
    const customers = (is.customerOrders.get(pair) ?? []).map(
      ({ document, line, quantity, due }) => `${document}/${line} ${rounded(quantity)} ${due}`,
    )
    const wanted = truth.customerOrders.map(
      ({ order, item, scheduleLine, quantity, due }) =>
        `${order}/${item}/${scheduleLine} ${rounded(quantity)} ${due}`,
    )
    compare('customer orders', customers.sort().join(), wanted.sort().join())
    const reserved = (is.reservations.get(pair) ?? []).map(
      ({ document, line, quantity, due }) => `${document}/${line} ${rounded(quantity)} ${due}`,
    )
    const needed = truth.reservations.map(
      ({ reservation, item, quantity, due }) =>
        `${reservation}/${item} ${rounded(quantity)} ${due}`,
    )
    compare('reservations', reserved.sort().join(), needed.sort().join())
    compareDemand(
      is.demand.get(pair) ?? new Map<string, number>(),
      truth,
      (name, value, expected) => compare(name, value, expected),
    )
    for (const rows of [is.planning, is.stock, is.demand]) rows.delete(pair)
  }
  // A removed product may still have open orders.
  for (const rows of [is.planning, is.stock, is.demand]) {
    for (const pair of rows.keys()) found.push(`${pair}: not in the ERP`)
  }
  return found
}

const rounded = (quantity: unknown) => Math.round(Number(quantity) * 1e6) / 1e6

function compareDemand(
  days: Map<string, number>,
  { demand }: PairTruth,
  compare: (date: string, value: unknown, expected: unknown) => void,
) {
  for (const { date, quantity } of demand) {
    compare(date, days.get(date), quantity)
    days.delete(date)
  }
  for (const [date, quantity] of days) compare(date, quantity, 0)
}

/** The differences after an incremental sync, which cannot find removed SKUs; the next full sync does. */
export const differencesButVanished = async (source: number, erp: Erp, options?: TruthOptions) =>
  (await differences(source, erp, options)).filter((each) => !each.endsWith('not in the ERP'))

/** The receipts that are stored otherwise than the ERP has them: what came of an order line on a day. */
export async function receiptDifferences(source: number, erp: Erp): Promise<string[]> {
  const rows: Row[] = await SELECT.from(Receipts).where({ source_ID: source })
  const of = ({ sku, location, supplier, orderedOn, due, receivedOn, quantity }: Row) =>
    `${sku} ${location} ${supplier} ${orderedOn} ${due} ${receivedOn} ${rounded(quantity)}`
  const is = rows.map((row) => `${row.document}/${row.line} ${of(row)}`)
  const should = erp.receipts().map((row) => `${row.order}/${row.item} ${of({ ...row })}`)
  return [
    ...without(is, should).map((row) => `is: ${row}`),
    ...without(should, is).map((row) => `should be: ${row}`),
  ]
}

/** Those that the others have not, or not so often. */
function without(rows: string[], others: string[]): string[] {
  const left = new Map<string, number>()
  for (const row of others) left.set(row, (left.get(row) ?? 0) + 1)
  return rows.filter((row) => {
    const count = left.get(row) ?? 0
    left.set(row, count - 1)
    return count <= 0
  })
}
