import { Fatal } from '../errors.ts'
import type { PlantRow, ProductPlantRow } from './entities.ts'
import { PLANT, PRODUCT } from './services.ts'
import type { SnapshotPage } from '../rows/snapshot.ts'
import type { System } from './system.ts'
import { addRecords } from '../rows/quarantine.ts'
import { toLocation } from './to-location.ts'

export const PLANTS = {
  service: PLANT,
  set: 'A_Plant',
  key: ['Plant'],
  select: ['Plant', 'PlantName'],
}

const PRODUCT_PLANTS = {
  service: PRODUCT,
  set: 'A_ProductPlant',
  key: ['Product', 'Plant'],
  select: ['Product', 'Plant'],
}

/** All plants; where the plant service cannot be read, the plants that have products. */
export async function* readLocations(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'locations'>> {
  try {
    yield* readPlantNames(system, signal)
  } catch (error) {
    if (!(error instanceof Fatal) || error.code !== 'not_found') throw error
    yield* readPlantsOfProducts(system, signal)
  }
}

async function* readPlantNames(system: System, signal: AbortSignal) {
  let [done, total]: [number, number | null] = [0, null]
  for await (const page of system.pages<PlantRow>(PLANTS, {}, signal)) {
    done += page.rows.length
    total ??= page.total
    const batch: SnapshotPage<'locations'> = { records: [], quarantined: [], done, total }
    addRecords(batch, page.rows, toLocation, ({ Plant }) => `A_Plant('${Plant}')`)
    yield batch
  }
}

async function* readPlantsOfProducts(system: System, signal: AbortSignal) {
  const plants = new Set<string>()
  for await (const { rows } of system.pages<ProductPlantRow>(PRODUCT_PLANTS, {}, signal)) {
    for (const { Plant } of rows) if (Plant) plants.add(Plant)
  }
  const records = [...plants].map((Plant) => toLocation({ Plant }))
  yield { records, quarantined: [], done: plants.size, total: plants.size }
}
