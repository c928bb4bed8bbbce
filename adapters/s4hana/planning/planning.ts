import type { ProductPlantRow, SupplyPlanningRow } from '../rows.ts'
import { PRODUCT } from '../services.ts'
import type { Chunk } from '../snapshot.ts'
import type { System } from '../system.ts'
import { take } from '../take.ts'
import { toPlanning } from '../to-planning.ts'
import type { PlanningInput } from '../to-planning.ts'
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

/** One record a pair, composed of its supply planning, its info record and the flag for deletion. */
export async function* planning(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<Chunk<'planning'>> {
  const [sources, flagged] = await Promise.all([
    Sources.load(system, signal),
    flaggedPairs(system, signal),
  ])
  let skipped = sources.skipped
  let [done, total]: [number, number | null] = [0, null]
  const pages = system.pages<SupplyPlanningRow>(SUPPLY_PLANNING, { withTotal: true }, signal)
  for await (const { rows, ...page } of pages) {
    done += rows.length
    total ??= page.total
    const chunk: Chunk<'planning'> = { records: [], skipped, done, total }
    const inputs = rows.map((supply) => ({
      supply,
      source: sources.of(supply.Product, supply.Plant),
      isFlagged: flagged.has(pairKey(supply)),
    }))
    await compose(system, inputs, chunk, signal)
    yield chunk
    skipped = []
  }
}

async function compose(
  system: System,
  inputs: Omit<PlanningInput, 'own'>[],
  chunk: Chunk<'planning'>,
  signal: AbortSignal,
) {
  const withoutLot = inputs.filter(({ source, supply }) => !source && !hasRounding(supply))
  const skus = withoutLot.map(({ supply }) => supply.Product)
  const own = await ownConversions(system, skus, signal)
  for (const input of inputs) {
    const { Product, Plant } = input.supply
    take(
      chunk,
      () => `${SUPPLY_PLANNING.set}('${Product}','${Plant}')`,
      input,
      () => toPlanning({ ...input, own: own(Product) }),
    )
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
