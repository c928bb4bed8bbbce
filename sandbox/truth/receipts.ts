import { DAY_MS } from '../clock.ts'
import { dayText } from '../world/days.ts'
import { readRows } from './rows.ts'
import type { EntitySet } from '../odata/set.ts'

/** What came of an order line on a day: of some documents one after the other. */
export interface ReceiptTruth {
  order: string
  item: string
  sku: string
  location: string
  supplier: string
  orderedOn: string
  /** The day on which half of the line's quantity was promised. */
  due: string
  receivedOn: string
  /** In base units; negative for what was cancelled or sent back. */
  quantity: number
}

const SIGNS: Record<string, number> = {
  ...{ 101: 1, 102: -1, 105: 1, 106: -1, 109: 1, 110: -1, 122: -1, 123: 1 },
}

const dayOf = (ms: unknown) => dayText(Number(ms) / DAY_MS)

/** Every receipt of a purchase order, from the ERP's rows. */
export function receiptTruth(set: (name: string) => EntitySet): ReceiptTruth[] {
  const postings = new Map<string, string>()
  for (const row of readRows(set('A_MaterialDocumentHeader'))) {
    postings.set(`${row.MaterialDocumentYear}/${row.MaterialDocument}`, dayOf(row.PostingDate))
  }
  const orders = new Map<unknown, { supplier: string; orderedOn: string }>()
  for (const row of readRows(set('A_PurchaseOrder'))) {
    const orderedOn = dayOf(row.PurchaseOrderDate)
    orders.set(row.PurchaseOrder, { supplier: String(row.Supplier), orderedOn })
  }
  const dues = dueDays(set('A_PurchaseOrderScheduleLine'))
  const found: ReceiptTruth[] = []
  for (const row of readRows(set('A_MaterialDocumentItem'))) {
    const sign = SIGNS[String(row.GoodsMovementType)]
    const order = orders.get(row.PurchaseOrder)
    if (!sign || !order || row.InventorySpecialStockType) continue
    found.push({
      order: String(row.PurchaseOrder),
      item: String(row.PurchaseOrderItem),
      sku: String(row.Material),
      location: String(row.Plant),
      ...order,
      due: dues.get(`${row.PurchaseOrder}/${row.PurchaseOrderItem}`)!,
      receivedOn: postings.get(`${row.MaterialDocumentYear}/${row.MaterialDocument}`)!,
      quantity: sign * Number(row.QuantityInBaseUnit),
    })
  }
  return found
}

function dueDays(set: EntitySet): Map<string, string> {
  const lines = new Map<string, [day: string, quantity: number][]>()
  for (const row of readRows(set)) {
    const key = `${row.PurchasingDocument}/${row.PurchasingDocumentItem}`
    const line: [string, number] = [
      dayOf(row.ScheduleLineDeliveryDate),
      Number(row.ScheduleLineOrderQuantity),
    ]
    lines.set(key, [...(lines.get(key) ?? []), line])
  }
  return new Map([...lines].map(([key, of]) => [key, dayOfHalf(of)]))
}

/** The first day on which half of all quantities is reached. */
function dayOfHalf(lines: [day: string, quantity: number][]): string {
  const total = lines.reduce((sum, [, quantity]) => sum + quantity, 0)
  let sum = 0
  for (const [day, quantity] of lines.sort()) {
    sum += quantity
    if (sum * 2 >= total) return day
  }
  return lines[0]![0]
}

/** Order lines of a supplier and SKU that have come, and their lead times. */
export interface LeadTimeTruth {
  supplier: string
  sku: string
  /** From the order to the day from which on half of what stayed was there, ascending. */
  days: number[]
  late: number
}

export function leadTimeTruth(receipts: ReceiptTruth[]): LeadTimeTruth[] {
  const found = new Map<string, LeadTimeTruth>()
  for (const [, line] of Map.groupBy(receipts, ({ order, item }) => `${order}/${item}`)) {
    const received = dayThere(line)
    if (received === null) continue
    const { supplier, sku, orderedOn, due } = line[0]!
    const key = `${supplier}/${sku}`
    const known = found.get(key) ?? { supplier, sku, days: [], late: 0 }
    known.days.push((Date.parse(received) - Date.parse(orderedOn)) / DAY_MS)
    if (received > due) known.late++
    found.set(key, known)
  }
  for (const { days } of found.values()) days.sort((a, b) => a - b)
  return [...found.values()]
}

/** The first day from which on at least half of what stayed at the end was always there. */
function dayThere(line: ReceiptTruth[]): string | null {
  const days = [...new Set(line.map(({ receivedOn }) => receivedOn))].sort()
  const there = days.map((day) =>
    line.reduce((sum, each) => sum + (each.receivedOn <= day ? each.quantity : 0), 0),
  )
  const total = there.at(-1)!
  if (total <= 0) return null
  const last = there.findLastIndex((quantity) => quantity < total / 2)
  return days[last + 1] ?? null
}
