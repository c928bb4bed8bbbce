import type { KeysetQuery } from '../odata/keyset.ts'
import { addRecord, type Known, type SnapshotPage } from '../rows/pages.ts'
import type { ItemCardRow, StockkeepingUnitRow } from './entities.ts'
import { pagesOfPairs, pairKey, readPairs } from './pairs.ts'
import type { System } from './system.ts'
import { toPlanning } from './to-records.ts'

const PLANNING_FIELDS = [
  ...['Vendor_No', 'Lead_Time_Calculation', 'Minimum_Order_Quantity', 'Order_Multiple'],
  'Replenishment_System',
]
const CARD_FIELDS = ['No', ...PLANNING_FIELDS, 'Blocked', 'Purchasing_Blocked']
const UNIT_FIELDS = ['Item_No', 'Location_Code', 'Variant_Code', ...PLANNING_FIELDS]

/** The web service of the item cards. */
export async function cardQuery(system: System, signal: AbortSignal): Promise<KeysetQuery> {
  const { published: service } = await system.services(signal)
  const set = system.options.planning_service!
  return { service, set, key: 'No', keyType: 'text', select: CARD_FIELDS }
}

/** Planning fields carry no time of their change, so they are read whole each time. */
export async function* readPlanning(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'planning'>> {
  const { pairs, cursor } = await readPairs(system, known, signal)
  const units = await readUnits(system, signal)
  for (const [key, { Item_No: sku, Location_Code: location }] of units) {
    if (!pairs.has(key)) pairs.set(key, { sku, location })
  }
  const bySku = Map.groupBy(pairs.values(), ({ sku }) => sku)
  let done = 0
  const query = await cardQuery(system, signal)
  for await (const { rows } of system.pages<ItemCardRow>(query, null, signal)) {
    done += rows.length
    const cards = new Map(rows.map((row) => [row.No, row]))
    const places = rows.flatMap(({ No }) => bySku.get(No) ?? [])
    yield* pagesOfPairs<'planning'>(places, { done, cursor }, (page, { sku, location }) => {
      const card = cards.get(sku)!
      const unit = units.get(pairKey(sku, location))
      addRecord(
        page,
        unit ?? card,
        () => toPlanning(card, location, unit),
        () => `${query.set}('${sku}') ${location}`,
      )
    })
  }
  yield { records: [], quarantined: [], done, total: null, cursor }
}

/** Stockkeeping units without a variant, by pair. */
async function readUnits(
  system: System,
  signal: AbortSignal,
): Promise<Map<string, StockkeepingUnitRow>> {
  const { sku_planning_service: set } = system.options
  if (!set) return new Map()
  const { published } = await system.services(signal)
  const parameters = { $select: UNIT_FIELDS.join(','), $orderby: 'Item_No,Location_Code' }
  const rows = await system.allByLink<StockkeepingUnitRow>(published, set, parameters, signal)
  return new Map(
    rows
      .filter(({ Variant_Code: variant, Location_Code: location }) => !variant && location)
      .map((row) => [pairKey(row.Item_No, row.Location_Code), row]),
  )
}
