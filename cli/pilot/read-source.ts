// Reads the past of a synced source through /v1.
import type { PastPair as Row, Restock } from '../../client/index.ts'
import { type EpochDay, toEpochDay } from '../../engine/index.ts'
import type { Weekday } from '../../engine/proposal/index.ts'

import { rowsOf } from '../client.ts'
import { toHistories } from '../offline/histories.ts'
import { HistoryRows } from '../offline/history-rows.ts'
import { Pairs } from '../offline/pairs.ts'
import {
  type OrderLine,
  type Past,
  type PastPair,
  StockLevels,
  supplierOrderOf,
  toOrderLines,
} from './past.ts'

const PAGE = 100

export async function readSource(
  client: Restock,
  source: string,
  report: (what: string) => void,
): Promise<Past> {
  const reading = new Reading()
  for await (const page of client.pages('/sources/{id}/past', {
    path: { id: source },
    query: { limit: PAGE },
  })) {
    for (const row of rowsOf(page, ['sku', 'location', 'days', 'quantities', 'order_lines']))
      reading.add(row)
    report(`reading the past, ${reading.pairs.list.length} pairs`)
  }
  return reading.done()
}

/** What is read, by the number of the pair as it came. */
class Reading {
  readonly pairs = new Pairs()
  readonly #rows = new HistoryRows()
  readonly #terms: PastPair[] = []
  readonly #stock: {
    pair: number
    onHand: number | null
    row: Pick<Row, 'stockouts' | 'stock_known'>
  }[] = []
  readonly #lines: OrderLine[] = []
  #end = 0

  add(row: Row): void {
    const pair = this.pairs.numberOf(row.sku, row.location)
    row.days.forEach((date, i) => {
      const day = toEpochDay(date)
      this.#end = Math.max(this.#end, day + 1)
      this.#rows.add(pair, day, row.quantities[i]!, row.promotions?.[i] ?? false)
    })
    this.#terms[pair] = termsOf(row)
    this.#stock[pair] = { pair, onHand: row.on_hand, row }
    for (const { document, ordered_on, received_on, quantity } of row.order_lines)
      this.#lines.push({
        ...{ pair, document, quantity },
        ordered: ordered_on === null ? null : toEpochDay(ordered_on),
        received: received_on === null ? null : toEpochDay(received_on),
      })
  }

  done(): Past {
    const { pairs, rank } = this.pairs.sorted()
    const end = this.#end
    const stock = new StockLevels()
    const terms: PastPair[] = []
    // The stock of today holds what came after the last day of demand.
    const cameSince = new Map<number, number>()
    for (const { pair, received, quantity } of this.#lines)
      if (received !== null && received >= end)
        cameSince.set(pair, (cameSince.get(pair) ?? 0) + quantity)
    this.#terms.forEach((each, pair) => (terms[rank[pair]!] = each))
    for (const { pair, onHand, row } of this.#stock) {
      const { location } = pairs[rank[pair]!]!
      let isLastNamed = false
      for (const day of daysOf(row.stockouts, end)) {
        stock.add(rank[pair]!, day, 0)
        isLastNamed ||= day === end - 1
      }
      for (const day of daysOf(row.stock_known, end)) stock.see(location, day)
      if (onHand !== null && !isLastNamed)
        stock.add(rank[pair]!, end - 1, Math.max(0, onHand - (cameSince.get(pair) ?? 0)))
    }
    const lines = this.#lines
      .filter(({ ordered, received }) => (received ?? 0) < end && (ordered ?? 0) < end)
      .map((line) => ({ ...line, pair: rank[line.pair]! }))
    const hasReceipts = lines.some(({ received }) => received !== null)
    return {
      pairs: terms,
      histories: toHistories(this.#rows.grouped(rank)),
      ...stock.done(pairs.length),
      lines: toOrderLines(pairs.length, lines),
      ...{ hasReceipts, end },
      notes: [{ text: hasReceipts ? 'note_source_receipts' : 'note_source_no_receipts' }],
    }
  }
}

function* daysOf(spells: { from: string; to: string }[], end: EpochDay) {
  for (const { from, to } of spells) {
    const last = Math.min(toEpochDay(to), end - 1)
    for (let day = toEpochDay(from); day <= last; day++) yield day
  }
}

function termsOf(row: Row): PastPair {
  const costs = {
    stockoutRate: row.stockout_cost_share,
    carryingRate: row.carrying_cost_share_per_year,
    unmetDemand: row.unmet_demand,
  }
  const unitCost = row.unit_cost === null ? null : Number(row.unit_cost)
  const order = row.supplier_order
  return {
    ...{ sku: row.sku, location: row.location, group: row.group, unitCost, currency: row.currency },
    planning: {
      leadTimeDays: row.lead_time_days,
      leadTimeDeviationDays: row.lead_time_deviation_days,
      reviewPeriodDays: row.review_period_days,
      orderDays: row.order_days as Weekday[] | null,
      moq: row.moq,
      lotSize: row.lot_size,
      maximumOrder: row.maximum_order,
      maximumStock: row.maximum_stock,
      shelfLifeDays: row.shelf_life_days,
      ...{ supplier: row.supplier, unitCost },
    },
    policy: {
      target: row.target_quantile === null ? costs : { quantile: row.target_quantile },
      orderLineCost: row.order_line_cost,
    },
    costs,
    supplierOrder: order
      ? supplierOrderOf(order.location, {
          minimumValue: order.minimum_value,
          minimumQuantity: order.minimum_quantity,
          containerUnits: order.container_units,
          orderCost: order.order_cost,
          coverDays: order.cover_days,
        })
      : null,
  }
}
