import type { Units } from '../types.ts'

/** What a unit cost in an order line. */
export interface PricedLine {
  sku: string
  /** `YYYY-MM-DD` of the order. */
  day: string
  quantity: Units
  unitCost: number
  /** In other currencies a SKU has other prices, which are compared among themselves. */
  currency?: string | null
}

/** Shares: 0.05 is 5 % dearer; null where no SKU was ordered at two days. */
export interface PriceChanges {
  /** From the first price of each SKU to its last, by all that was ordered of it. */
  year: number | null
  /** By the month of the order, `YYYY-MM`: from the price of the day before it on which the SKU was ordered. */
  months: ReadonlyMap<string, number>
}

/**
 * Σ quantity · price / Σ quantity · price before − 1: what the same goods cost more or less, so that other goods in the
 * basket are no change of price. Of several prices of a day their mean by quantity counts.
 */
export function priceChangesOf(lines: readonly PricedLine[]): PriceChanges {
  const [year, months] = [new Change(), new Map<string, Change>()]
  for (const own of Map.groupBy(lines, goodsOf).values()) {
    const days = [...Map.groupBy(own, ({ day }) => day)]
      .map(([day, of]) => ({ day, ...meanOf(of) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1))
    const [first, last] = [days[0]!, days.at(-1)!]
    const ordered = days.reduce((sum, { quantity }) => sum + quantity, 0)
    if (days.length > 1) year.add(ordered, first.price, last.price)
    for (const [at, { day, quantity, price }] of days.entries()) {
      const before = days[at - 1]
      if (!before) continue
      const month = months.get(day.slice(0, 7)) ?? new Change()
      month.add(quantity, before.price, price)
      months.set(day.slice(0, 7), month)
    }
  }
  const shares = [...months].flatMap(([month, { share }]) =>
    share === null ? [] : [[month, share] as const],
  )
  return { year: year.share, months: new Map(shares) }
}

class Change {
  #before = 0
  #after = 0

  add(quantity: Units, before: number, after: number) {
    this.#before += quantity * before
    this.#after += quantity * after
  }

  get share(): number | null {
    return this.#before > 0 ? this.#after / this.#before - 1 : null
  }
}

const goodsOf = ({ sku, currency }: PricedLine) => `${sku}\n${currency ?? ''}`

function meanOf(lines: readonly PricedLine[]) {
  const quantity = lines.reduce((sum, line) => sum + line.quantity, 0)
  const value = lines.reduce((sum, line) => sum + line.quantity * line.unitCost, 0)
  return { quantity, price: value / quantity }
}
