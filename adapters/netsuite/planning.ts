import type { Stream } from '../adapter.ts'
import { Fatal, isUnreadable } from '../errors.ts'
import { addRecords } from '../rows/quarantine.ts'
import type { Batch } from '../rows/quarantine.ts'
import { changedStream } from './changed/stream.ts'
import { pairCodesOf } from './pair-codes.ts'
import { PLANNING, PREFERRED_VENDORS } from './queries.ts'
import type { ItemVendorRow, PlanningRow } from './queries.ts'
import { wholeNumber, withConditions } from './suiteql/query.ts'
import type { System } from './system.ts'
import { toPlanning } from './to-planning.ts'

/** By the change of the item, which its settings at locations and its vendors are a part of. */
export const planningStream = (system: System): Stream<'planning'> =>
  changedStream<'planning', PlanningRow>(system, {
    record: 'planning',
    query: () => PLANNING,
    changedAt: 'i.lastmodifieddate',
    async toBatch(rows, signal) {
      const batch: Batch<'planning'> = { records: [], quarantined: [] }
      const [codes, units, currency, vendors] = await Promise.all([
        pairCodesOf(system.facts, signal),
        system.facts.units(signal),
        system.facts.baseCurrency(signal),
        readVendors(system, rows, signal),
      ])
      const context = { codes, units, currency, vendors }
      const placeOf = ({ item, location }: PlanningRow) => `item ${item} at location ${location}`
      addRecords(batch, rows, (row) => toPlanning(row, context), placeOf)
      return batch
    },
  })

/** The preferred vendors of the items; none where the account has but one vendor for each item. */
async function readVendors(
  { suiteQl }: System,
  rows: readonly PlanningRow[],
  signal: AbortSignal,
): Promise<Map<string, ItemVendorRow[]>> {
  const items = rows.map(({ item }) => Number(item))
  if (!items.length) return new Map()
  const query = withConditions(
    PREFERRED_VENDORS,
    `iv.item >= ${wholeNumber(Math.min(...items))}`,
    `iv.item <= ${wholeNumber(Math.max(...items))}`,
  )
  try {
    return Map.groupBy(await suiteQl.all<ItemVendorRow>(query, signal), ({ item }) => item)
  } catch (error) {
    if (isUnreadable(error)) return new Map()
    if (error instanceof Fatal && error.code === 'request_refused') return new Map()
    throw error
  }
}
