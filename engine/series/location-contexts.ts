import type { DemandHistory, EpochDay } from '../types.ts'
import { LEARNING_DAYS, rowsSince } from './look-back.ts'
import { unitsOf } from './quantity.ts'
import { activityPart } from './activity.ts'
import { salesWithoutStock, sellsWithoutStock } from './censored-days.ts'
import { type LocationContext, locationContext } from './location-context.ts'

interface Location {
  sellingSkus: Map<EpochDay, number>
  parts: Map<EpochDay, number>
  rates: number[]
  soldWithoutStock: number
  expectedWithoutStock: number[]
}

/** The context of each location, from all of its series and only from rows before `asOf`. */
export function contextsOf(
  series: Iterable<{ location: string; history: DemandHistory }>,
  asOf: EpochDay,
): Map<string, LocationContext> {
  const locations = new Map<string, Location>()
  for (const { location, history: all } of series) {
    const history = rowsSince(all, asOf - LEARNING_DAYS)
    let known = locations.get(location)
    if (!known) locations.set(location, (known = emptyLocation()))
    count(history, asOf, known)
    const { sold, expected } = salesWithoutStock(history, asOf)
    known.soldWithoutStock += sold
    known.expectedWithoutStock.push(expected)
  }
  return new Map([...locations].map(([name, location]) => [name, toContext(location)]))
}

const emptyLocation = (): Location => ({
  sellingSkus: new Map(),
  parts: new Map(),
  rates: [],
  soldWithoutStock: 0,
  expectedWithoutStock: [],
})

function count({ days, quantities }: DemandHistory, asOf: EpochDay, location: Location): void {
  let first = asOf
  let units = 0
  let sales = 0
  for (let i = 0; i < days.length; i++) {
    const day = days[i]!
    if (day >= asOf) continue
    if (day < first) first = day
    const sold = unitsOf(quantities[i]!)
    if (sold === 0) continue
    units += sold
    sales++
    location.sellingSkus.set(day, (location.sellingSkus.get(day) ?? 0) + 1)
  }
  const usual = units / sales
  for (let i = 0; i < days.length; i++) {
    const sold = unitsOf(quantities[i]!)
    if (days[i]! >= asOf || sold === 0) continue
    const { parts } = location
    parts.set(days[i]!, (parts.get(days[i]!) ?? 0) + activityPart(sold, usual))
  }
  if (first < asOf) location.rates.push(units / (asOf - first))
}

/** Fractions are added up in the order of their size, so that the order of the series does not matter. */
function toContext({ sellingSkus, parts, rates, ...withoutStock }: Location): LocationContext {
  const days = Int32Array.from(sellingSkus.keys()).sort()
  const context = locationContext({
    days,
    sellingSkus: Int32Array.from(days, (day) => sellingSkus.get(day)!),
    parts: Float64Array.from(days, (day) => parts.get(day)!),
    rates: Float64Array.from(rates).sort(),
  })
  const expected = Float64Array.from(withoutStock.expectedWithoutStock).sort()
  const sales = {
    sold: withoutStock.soldWithoutStock,
    expected: expected.reduce((sum, share) => sum + share, 0),
  }
  return sellsWithoutStock(sales, undefined) ? { ...context, sellsWithoutStock: true } : context
}
