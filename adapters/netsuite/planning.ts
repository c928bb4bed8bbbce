import { isNotThere } from '../errors.ts'
import { batchOf } from '../rows/pages.ts'
import type { Stream } from '../adapter.ts'
import { changedStream } from './changed-stream.ts'
import { type ItemVendorRow, PLANNING, type PlanningRow, PREFERRED_VENDORS } from './queries.ts'
import { among, wholeNumber, withConditions } from './suiteql/query.ts'
import type { System } from './system.ts'
import { toPlanning } from './to-planning.ts'

/** By the change of the item, which its settings at locations and its vendors are a part of. */
export const planningStream = (system: System): Stream<'planning'> =>
  changedStream<'planning', PlanningRow>(system, {
    record: 'planning',
    query: () => PLANNING,
    changedAt: 'i.lastmodifieddate',
    async toBatch(rows, signal) {
      const [codes, units, currency, vendors] = await Promise.all([
        system.facts.pairCodes(signal),
        system.facts.units(signal),
        system.facts.baseCurrency(signal),
        readVendors(system, rows, signal),
      ])
      const context = { codes, units, currency, vendors }
      const placeOf = ({ item, location }: PlanningRow) => `item ${item} at location ${location}`
      return batchOf<'planning', PlanningRow>(rows, (row) => toPlanning(row, context), placeOf)
    },
  })

/** Numbers in one list: Oracle takes a thousand. */
const ITEMS_AT_ONCE = 500

/** The preferred vendors of the items; none where the account has but one vendor for each item. */
async function readVendors(
  { suiteQl }: System,
  rows: readonly PlanningRow[],
  signal: AbortSignal,
): Promise<Map<string, ItemVendorRow[]>> {
  const vendors: ItemVendorRow[] = []
  try {
    for (const condition of conditionsOf([...new Set(rows.map(({ item }) => Number(item)))])) {
      const query = withConditions(PREFERRED_VENDORS, condition)
      vendors.push(...(await suiteQl.all<ItemVendorRow>(query, signal)))
    }
  } catch (error) {
    if (isNotThere(error)) return new Map()
    throw error
  }
  return Map.groupBy(vendors, ({ item }) => item)
}

/** Items that lie close together, as in a whole read, by their range; others by number. */
function conditionsOf(items: readonly number[]): string[] {
  const [first, last] = [Math.min(...items), Math.max(...items)]
  if (last - first < 2 * items.length) {
    return items.length ? [`iv.item BETWEEN ${wholeNumber(first)} AND ${wholeNumber(last)}`] : []
  }
  const conditions: string[] = []
  for (let at = 0; at < items.length; at += ITEMS_AT_ONCE) {
    conditions.push(among('iv.item', items.slice(at, at + ITEMS_AT_ONCE)))
  }
  return conditions
}
