// Stock under way in a transfer of two steps: it has left a plant (303) or a storage location (313) and has not been put away
// (305, 315). It belongs to the plant that receives it, and no order says that it comes.
import { anyOf } from '../../odata/query.ts'
import { withFilter } from '../../odata/reader.ts'
import type { RecordOf } from '../../records.ts'
import { type Exact, toThreePlaces } from '../../rows/decimals.ts'
import { batchOf, type SnapshotPage } from '../../rows/pages.ts'
import { codeOf, exactOf, mapAbout, numberOf } from '../../rows/values.ts'
import type { StockRow } from '../entities.ts'
import type { System } from '../system.ts'
import { keyOf, STOCK_ROWS, STOCKS } from './rows.ts'

/** Between storage locations, and between plants. Stock of transport orders (06) is that of their open items. */
const TYPES = ['04', '05']
const QUANTITY = 'MatlWrhsStkQtyInMatlBaseUnit'

const IN_TRANSFER = withFilter(STOCK_ROWS, anyOf('InventoryStockType', TYPES))

const documentOf = (plant: string) => `StockInTransfer(${plant})`

/** Whether a stored order is stock in transfer. */
export const isInTransfer = ({ document }: { document?: unknown }): boolean =>
  String(document).startsWith('StockInTransfer(')

/** Few rows, all each time. */
export async function readStockInTransfer(
  system: System,
  signal: AbortSignal,
): Promise<SnapshotPage<'openOrders'>> {
  const found = await system.all<StockRow>(IN_TRANSFER, signal)
  const rows = found.filter(({ InventoryStockType: type }) => TYPES.includes(type))
  const pairs = Map.groupBy(rows, ({ Material, Plant }) => keyOf(Material, Plant))
  const placeOf = ([first]: StockRow[]) => `${STOCKS.set}('${first!.Material}','${first!.Plant}')`
  const batch = batchOf<'openOrders', StockRow[]>(pairs.values(), toOpenOrder, placeOf)
  return { ...batch, done: 0, total: null }
}

/** Nobody says when it is put away, nor who sent it. Null where the rows of a pair add up to nothing. */
function toOpenOrder(rows: readonly StockRow[]): RecordOf<'openOrders'> | null {
  const { Material, Plant } = rows[0]!
  return mapAbout(Material, Plant, () => {
    const sum = rows.reduce<Exact>((total, row) => total + exactOf(row[QUANTITY], QUANTITY), 0n)
    const quantity = sum > 0n ? numberOf(toThreePlaces(sum), QUANTITY) : 0
    if (quantity === 0) return null
    return {
      document: documentOf(codeOf(Plant, 'Plant')),
      line: codeOf(Material, 'Material'),
      sku: codeOf(Material, 'Material'),
      location: Plant,
      quantity,
      due: null,
      reference: null,
      supplier: null,
      orderedOn: null,
    }
  })
}
