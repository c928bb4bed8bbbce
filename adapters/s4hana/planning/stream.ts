import type { ProductPlantRow, SupplyPlanningRow } from '../entities.ts'
import { PRODUCT } from '../services.ts'
import type { SnapshotPage } from '../../rows/snapshot.ts'
import type { System } from '../system.ts'
import { addRecords } from '../../rows/quarantine.ts'
import { type PlanningInput, toPlanning } from '../to-planning.ts'
import { orderUnitConversions } from './order-units.ts'
import { Sources } from './sources.ts'

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
  ],
}

/** Pairs of a page. */
const PAGE_ROWS = 1_000

/**
 * One record a pair, composed of its supply planning, its info record and the flag for deletion. The
 * lists are read side by side: one after the other, an ERP that takes its time takes it for each page.
 */
export async function* planning(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'planning'>> {
  const [supplies, sources, flagged] = await Promise.all([
    system.all<SupplyPlanningRow>(SUPPLY_PLANNING, signal),
    Sources.load(system, signal),
    flaggedPairs(system, signal),
  ])
  const total = supplies.length
  yield { records: [], skipped: sources.skipped, done: 0, total }
  const sourceOf = ({ Product, Plant }: SupplyPlanningRow) => sources.of(Product, Plant)
  const withoutLot = supplies.filter((supply) => !hasRounding(supply) && !sourceOf(supply))
  const skus = withoutLot.map(({ Product }) => Product)
  const orderUnitOf = await orderUnitConversions(system, skus, signal)
  const inputOf = (supply: SupplyPlanningRow): PlanningInput => ({
    supply,
    source: sourceOf(supply),
    isFlagged: flagged.has(pairKey(supply)),
    orderUnit: orderUnitOf(supply.Product),
  })
  for (let at = 0; at < total; at += PAGE_ROWS) {
    const part = supplies.slice(at, at + PAGE_ROWS)
    const batch: SnapshotPage<'planning'> = {
      records: [],
      skipped: [],
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

async function flaggedPairs(system: System, signal: AbortSignal): Promise<Set<string>> {
  const pairs = new Set<string>()
  for await (const { rows } of system.pages<ProductPlantRow>(FLAGGED, {}, signal)) {
    for (const row of rows) pairs.add(pairKey(row))
  }
  return pairs
}
