// Unrestricted stock by batch, with the day until which the batch can be sold.
import type { RecordOf } from '../../records.ts'
import { type Exact, toThreePlaces } from '../../rows/decimals.ts'
import { batchOf, type SnapshotPage } from '../../rows/pages.ts'
import { codeOf, dayOf, exactOf, mapAbout, numberOf } from '../../rows/values.ts'
import { withFilter } from '../../odata/reader.ts'
import type { BatchRow, BatchStockRow } from '../entities.ts'
import { withRemedy } from '../optional.ts'
import { readProducts } from '../scope.ts'
import { BATCH } from '../services.ts'
import type { System } from '../system.ts'
import { STOCK_ROWS } from './rows.ts'

export const BATCHES = {
  service: BATCH,
  set: 'Batch',
  key: ['Material', 'BatchIdentifyingPlant', 'Batch'],
  select: ['Material', 'BatchIdentifyingPlant', 'Batch', 'ShelfLifeExpirationDate'],
}

const OF_BATCHES = withFilter(STOCK_ROWS, "InventoryStockType eq '01' and Batch ne ''")

/**
 * All batches with stock, each time: neither list says when a row was changed for every reason.
 * @throws Fatal that says what can be done where they may not be read
 */
export async function* readBatches(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'batches'>> {
  try {
    // Its rights first: without them the stock says nothing.
    await system.probe(BATCHES, signal)
    const stock = await system.all<BatchStockRow>(OF_BATCHES, signal)
    const products = new Set(stock.map(({ Material }) => Material))
    const rows = await readProducts<BatchRow>(system, BATCHES, 'Material', products, signal)
    const days = new Map(rows.map((row) => [keyOf(row, row.BatchIdentifyingPlant), row]))
    const sums = [...Map.groupBy(stock, (row) => keyOf(row, row.Plant)).values()]
    const map = (same: BatchStockRow[]) =>
      // Where batches are the same in all plants, their plant is blank.
      toBatch(same, days.get(keyOf(same[0]!, same[0]!.Plant)) ?? days.get(keyOf(same[0]!, '')))
    const placeOf = ([first]: BatchStockRow[]) =>
      `${BATCHES.set}('${first!.Material}','${first!.Plant}','${first!.Batch}')`
    const batch = batchOf<'batches', BatchStockRow[]>(sums, map, placeOf)
    yield { ...batch, done: stock.length, total: stock.length }
  } catch (error) {
    throw withRemedy(error, 'batches')
  }
}

const keyOf = ({ Material, Batch }: { Material: string; Batch: string }, plant: string | null) =>
  `${Material}\n${plant ?? ''}\n${Batch}`

const QUANTITY = 'MatlWrhsStkQtyInMatlBaseUnit'

/**
 * One batch at one plant, over its storage locations; null where it never expires, or nothing of it is there.
 * @param of its master record; absent where there is none
 */
export const toBatch = (
  rows: readonly BatchStockRow[],
  of: BatchRow | undefined,
): RecordOf<'batches'> | null => {
  const { Material, Plant, Batch } = rows[0]!
  return mapAbout(Material, Plant, () => {
    const expiresOn = dayOf(of?.ShelfLifeExpirationDate, 'ShelfLifeExpirationDate')
    if (expiresOn === null) return null
    const sum = rows.reduce<Exact>((total, row) => total + exactOf(row[QUANTITY], QUANTITY), 0n)
    const quantity = sum > 0n ? numberOf(toThreePlaces(sum), QUANTITY) : 0
    if (quantity === 0) return null
    return {
      sku: codeOf(Material, 'Material'),
      location: codeOf(Plant, 'Plant'),
      batch: codeOf(Batch, 'Batch'),
      ...{ expiresOn, quantity },
    }
  })
}
