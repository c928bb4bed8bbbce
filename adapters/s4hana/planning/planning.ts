import { rangeOf } from '../odata/keys.ts'
import type { ProductPlantRow, SupplyPlanningRow } from '../rows.ts'
import { PRODUCT } from '../services.ts'
import type { Chunk } from '../snapshot.ts'
import type { System } from '../system.ts'
import { take } from '../take.ts'
import { toPlanning } from '../to-planning.ts'
import { ownConversions } from './own-units.ts'
import { Sources } from './sources.ts'

export const PRODUCT_PLANTS = {
  service: PRODUCT,
  set: 'A_ProductPlant',
  key: ['Product', 'Plant'],
  select: ['Product', 'Plant', 'IsMarkedForDeletion'],
}

const SUPPLY_PLANNING = {
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

/** One record a pair, composed of the product at the plant, its supply planning and its info record. */
export async function* planning(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<Chunk<'planning'>> {
  const sources = await Sources.load(system, signal)
  let skipped = sources.skipped
  let [done, total]: [number, number | null] = [0, null]
  const pages = system.pages<ProductPlantRow>(PRODUCT_PLANTS, { withTotal: true }, signal)
  for await (const page of pages) {
    done += page.rows.length
    total ??= page.total
    const chunk: Chunk<'planning'> = { records: [], skipped, done, total }
    await compose(system, sources, page.rows, chunk, signal)
    yield chunk
    skipped = []
  }
}

async function compose(
  system: System,
  sources: Sources,
  rows: ProductPlantRow[],
  chunk: Chunk<'planning'>,
  signal: AbortSignal,
) {
  const supplies = await suppliesOf(system, rows, signal)
  const withoutSource: string[] = []
  const inputs = rows.map((plant) => {
    const supply = supplies.get(`${plant.Product}\n${plant.Plant}`)
    const source = sources.of(plant.Product, plant.Plant)
    if (!source && !Number(supply?.LotSizeRoundingQuantity)) withoutSource.push(plant.Product)
    return { plant, supply, source }
  })
  const ownConversion = await ownConversions(system, withoutSource, signal)
  for (const input of inputs) {
    const { Product, Plant } = input.plant
    take(
      chunk,
      () => `A_ProductPlant('${Product}','${Plant}')`,
      input,
      () => toPlanning({ ...input, own: ownConversion(Product) }),
    )
  }
}

/** By product and plant; others of the first and the last product may be among them. */
async function suppliesOf(system: System, rows: ProductPlantRow[], signal: AbortSignal) {
  const supplies = new Map<string, SupplyPlanningRow>()
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return supplies
  const query = { ...SUPPLY_PLANNING, filter: rangeOf('Product', first.Product, last.Product) }
  for (const row of await system.all<SupplyPlanningRow>(query, signal)) {
    supplies.set(`${row.Product}\n${row.Plant}`, row)
  }
  return supplies
}
