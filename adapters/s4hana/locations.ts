import { Fatal } from '../errors.ts'
import type { PlantRow, ProductPlantRow } from './rows.ts'
import { PLANT, PRODUCT } from './services.ts'
import type { Chunk } from './snapshot.ts'
import type { System } from './system.ts'
import { take } from './take.ts'
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

/** All plants; without the service for them, those in which there are products. */
export async function* locations(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<Chunk<'locations'>> {
  try {
    yield* namedPlants(system, signal)
  } catch (error) {
    if (!(error instanceof Fatal) || error.code !== 'not_found') throw error
    yield* plantsOfProducts(system, signal)
  }
}

async function* namedPlants(system: System, signal: AbortSignal) {
  let [done, total]: [number, number | null] = [0, null]
  for await (const page of system.pages<PlantRow>(PLANTS, {}, signal)) {
    done += page.rows.length
    total ??= page.total
    const chunk: Chunk<'locations'> = { records: [], skipped: [], done, total }
    for (const row of page.rows) {
      take(
        chunk,
        () => `A_Plant('${row.Plant}')`,
        row,
        () => toLocation(row),
      )
    }
    yield chunk
  }
}

async function* plantsOfProducts(system: System, signal: AbortSignal) {
  const plants = new Set<string>()
  for await (const { rows } of system.pages<ProductPlantRow>(PRODUCT_PLANTS, {}, signal)) {
    for (const { Plant } of rows) if (Plant) plants.add(Plant)
  }
  const records = [...plants].map((Plant) => toLocation({ Plant }))
  yield { records, skipped: [], done: plants.size, total: plants.size }
}
