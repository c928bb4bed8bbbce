import type { ProductPlantRow, SupplyPlanningRow } from '../rows.ts'
import { PRODUCT } from '../services.ts'
import type { Chunk } from '../snapshot.ts'
import type { System } from '../system.ts'
import { take } from '../take.ts'
import { toPlanning } from '../to-planning.ts'
import { ownConversions } from './own-units.ts'
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

/** Pairs that are composed at once. */
const CHUNK = 1_000

/**
 * One record a pair, composed of its supply planning, its info record and the flag for deletion. The
 * lists are read side by side: one after the other, an ERP that takes its time takes it for each page.
 */
export async function* planning(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<Chunk<'planning'>> {
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
  const own = await ownConversions(system, skus, signal)
  for (let at = 0; at < total; at += CHUNK) {
    const part = supplies.slice(at, at + CHUNK)
    const chunk: Chunk<'planning'> = { records: [], skipped: [], done: at + part.length, total }
    for (const supply of part) {
      const { Product, Plant } = supply
      const isFlagged = flagged.has(pairKey(supply))
      const input = { supply, source: sourceOf(supply), isFlagged }
      take(
        chunk,
        () => `${SUPPLY_PLANNING.set}('${Product}','${Plant}')`,
        input,
        () => toPlanning({ ...input, own: own(Product) }),
      )
    }
    yield chunk
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
