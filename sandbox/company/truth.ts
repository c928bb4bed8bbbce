// What a correct sync of a company has stored, by its codes. Quantities are in base units.
import { dayOfTime } from './days.ts'
import type { Company } from './company.ts'
import type { Item, Location } from './model.ts'

export interface CompanyTruth {
  skus: { sku: string; name: string; unit: string; isActive: boolean }[]
  locations: string[]
  /** Sorted by SKU and location, as all below. */
  stock: { sku: string; location: string; onHand: number; backorders: number }[]
  openOrders: {
    document: string
    line: string
    sku: string
    location: string
    quantity: number
    due: string
  }[]
  customerOrders: {
    document: string
    line: string
    sku: string
    location: string
    quantity: number
    due: string
  }[]
  /** Net of returns, which count on the day of the sale that they take back; without days of zero. */
  demand: { sku: string; location: string; date: string; quantity: number }[]
}

export function truthOf(company: Company): CompanyTruth {
  return {
    skus: company.items
      .map(({ code, name, unit, isActive }) => ({ sku: code, name, unit, isActive }))
      .sort(byKey),
    locations: company.locations.map(({ code }) => code).sort(),
    stock: company.pairs
      .map(({ item, location, onHand }) => ({
        ...{ sku: item.code, location: location.code },
        ...{ onHand: Math.max(0, onHand), backorders: Math.max(0, -onHand) },
      }))
      .sort(byKey),
    openOrders: company.orders
      .filter(({ status }) => status === 'open')
      .flatMap((order) =>
        order.lines
          .filter(({ isClosed, quantity, received }) => !isClosed && received < quantity)
          .map((line) => rowOf(order.number, line, line.quantity - line.received)),
      )
      .sort(byKey),
    customerOrders: company.salesOrders
      .filter(({ status }) => status === 'open')
      .flatMap((order) =>
        order.lines
          .filter(({ quantity, delivered }) => delivered < quantity)
          .map((line) => rowOf(order.number, line, line.quantity - line.delivered)),
      )
      .sort(byKey),
    demand: demandOf(company),
  }
}

interface Line {
  number: number
  pair: { item: Item; location: Location }
  due: string
}

const rowOf = (document: string, { number, pair, due }: Line, quantity: number) => ({
  ...{ document, line: String(number), quantity, due },
  ...{ sku: pair.item.code, location: pair.location.code },
})

function demandOf({ ledger, items }: Company): CompanyTruth['demand'] {
  const known = new Set(items)
  const days = new Map<string, CompanyTruth['demand'][0]>()
  for (let id = 1; id <= ledger.size; id++) {
    const movement = ledger.movement(id)
    const { kind, item, location, quantity, reverses } = movement
    if ((kind !== 'sale' && kind !== 'return') || !known.has(item)) continue
    const date = dayOfTime((reverses ? ledger.movement(reverses) : movement).at)
    const key = `${item.code}\n${location.code}\n${date}`
    const row = days.get(key) ?? { sku: item.code, location: location.code, date, quantity: 0 }
    row.quantity -= quantity
    days.set(key, row)
  }
  return [...days.values()].filter(({ quantity }) => quantity !== 0).sort(byKey)
}

const keyOf = (row: {
  sku: string
  location?: string
  date?: string
  document?: string
  line?: string
}) => [row.sku, row.location, row.date, row.document, row.line].join('\n')

const byKey = (a: Parameters<typeof keyOf>[0], b: Parameters<typeof keyOf>[0]) =>
  keyOf(a) < keyOf(b) ? -1 : 1
