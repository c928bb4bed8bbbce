import { dayText } from '../world/days.ts'
import { DAY_MS } from '../clock.ts'
import { readRows } from './rows.ts'
import type { Row } from '../odata/object-set.ts'
import type { EntitySet } from '../odata/set.ts'

export interface CustomerOrderTruth {
  order: string
  item: string
  scheduleLine: string
  /** Not delivered, in base units. */
  quantity: number
  /** When the customer wants it. */
  due: string
}

type Sets = (name: string) => EntitySet

/** Lines of sales orders that are not delivered, rejected or without a delivery, by `sku\nlocation`. */
export function customerOrderTruth(set: Sets): Map<string, CustomerOrderTruth[]> {
  const factors = new Map<string, number>()
  for (const row of readRows(set('A_ProductUnitsOfMeasure'))) {
    const factor = Number(row.QuantityNumerator) / Number(row.QuantityDenominator)
    factors.set(`${row.Product}\n${row.AlternativeUnit}`, factor)
  }
  const items = new Map<string, Row>()
  for (const item of readRows(set('A_SalesOrderItem')))
    if (isOpen(item)) items.set(keyOf(item), item)
  const lines = new Map<string, Row[]>()
  for (const line of readRows(set('A_SalesOrderScheduleLine'))) {
    const key = keyOf(line)
    if (items.has(key)) lines.set(key, [...(lines.get(key) ?? []), line])
  }
  const byPair = new Map<string, CustomerOrderTruth[]>()
  for (const item of items.values()) {
    const pair = `${item.Material}\n${item.ProductionPlant}`
    const of = lines.get(keyOf(item)) ?? []
    const factor = factors.get(`${item.Material}\n${item.OrderQuantityUnit}`)!
    let delivered = of.reduce((sum, line) => sum + Number(line.DeliveredQtyInOrderQtyUnit), 0)
    const requested = (line: Row) => Number(line.RequestedDeliveryDate)
    for (const line of of.sort((a, b) => requested(a) - requested(b))) {
      const asked = Number(line.ScheduleLineOrderQuantity)
      const open = Math.max(0, asked - delivered)
      delivered = Math.max(0, delivered - asked)
      if (open === 0) continue
      const known = byPair.get(pair) ?? []
      byPair.set(pair, known)
      known.push({
        order: String(item.SalesOrder),
        item: String(item.SalesOrderItem),
        scheduleLine: String(line.ScheduleLine),
        quantity: Math.round(open * factor * 1000) / 1000,
        due: dayText(requested(line) / DAY_MS),
      })
    }
  }
  return byPair
}

const isOpen = (item: Row) =>
  item.SalesDocumentRjcnReason === '' && /^[AB]$/.test(String(item.DeliveryStatus))

const keyOf = (row: Row) => `${row.SalesOrder}\n${row.SalesOrderItem}`
