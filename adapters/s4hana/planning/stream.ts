import type { ProductPlantRow, SupplyPlanningRow } from '../entities.ts'
import { PRODUCT } from '../services.ts'
import type { SnapshotPage } from '../../rows/snapshot.ts'
import type { System } from '../system.ts'
import { addRecords } from '../../rows/quarantine.ts'
import { type PlanningInput, toPlanning } from '../to-planning.ts'
import { readOrderUnitConversions } from './order-units.ts'
import { InfoRecords } from './info-records.ts'

const FLAGGED = {
  service: PRODUCT,
  set: 'A_ProductPlant',
  key: ['Product', 'Plant'],
  select: ['Product', 'Plant'],
  filter: 'IsMarkedForDeletion eq true',
}

export const SUPPLY_PLANNING = {
  service: PRODUCT,
  set: 'A_ProductSupplyPlanning',
  key: ['Product', 'Plant'],
  select: [
    'Product',
    'Plant',
    'ProcurementType',
    'PlannedDeliveryDurationInDays',
    'GoodsReceiptDuration',
    'MinimumLotSizeQuantity',
    'LotSizeRoundingQuantity',
    'EffectiveOutDate',
    'FollowUpProduct',
  ],
}

/** Pairs per page. */
const PAGE_ROWS = 1_000

/**
 * One record per pair, composed of its supply planning, info record and deletion flag. The three lists
 * are read concurrently, because a slow ERP takes long for each page.
 */
export async function* readPlanning(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'planning'>> {
  const [supplies, infoRecords, flagged] = await Promise.all([
    system.all<SupplyPlanningRow>(SUPPLY_PLANNING, signal),
    InfoRecords.load(system, signal),
    readFlaggedPairs(system, signal),
  ])
  const total = supplies.length
  yield { records: [], quarantined: infoRecords.quarantined, done: 0, total }
  const termsOf = ({ Product, Plant }: SupplyPlanningRow) => infoRecords.of(Product, Plant)
  const withoutLot = supplies.filter((supply) => !hasRounding(supply) && !termsOf(supply))
  const skus = withoutLot.map(({ Product }) => Product)
  const orderUnitOf = await readOrderUnitConversions(system, skus, signal)
  const inputOf = (supply: SupplyPlanningRow): PlanningInput => ({
    supply,
    terms: termsOf(supply),
    isFlagged: flagged.has(pairKey(supply)),
    orderUnit: orderUnitOf(supply.Product),
  })
  for (let at = 0; at < total; at += PAGE_ROWS) {
    const part = supplies.slice(at, at + PAGE_ROWS)
    const batch: SnapshotPage<'planning'> = {
      records: [],
      quarantined: [],
      done: at + part.length,
      total,
    }
    addRecords(
      batch,
      part,
      (supply) => toPlanning(inputOf(supply)),
      ({ Product, Plant }) => `${SUPPLY_PLANNING.set}('${Product}','${Plant}')`,
      inputOf,
    )
    yield batch
  }
}

const pairKey = ({ Product, Plant }: ProductPlantRow) => `${Product}\n${Plant}`
const hasRounding = ({ LotSizeRoundingQuantity }: SupplyPlanningRow) =>
  Number(LotSizeRoundingQuantity) > 0

async function readFlaggedPairs(system: System, signal: AbortSignal): Promise<Set<string>> {
  const pairs = new Set<string>()
  for await (const { rows } of system.pages<ProductPlantRow>(FLAGGED, {}, signal)) {
    for (const row of rows) pairs.add(pairKey(row))
  }
  return pairs
}
