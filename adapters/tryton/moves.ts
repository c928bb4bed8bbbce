// Moves of purchases and sales, with the lines that they come from.
import { type Batch, batchOf, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { names } from '../rows/names.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { changedStream } from '../rpc/changed-stream.ts'
import { changedSince, type Domain, type ModelRow, readPages, readRowsOf } from '../rpc/reader.ts'
import type { MoveRow, PurchaseLineRow, SaleLineRow } from './entities.ts'
import { MOVE_TIMES } from './pairs.ts'
import { firstDay, type Places } from './places.ts'
import type { System } from './system.ts'
import { toCustomerOrder, toDemand, toOpenOrder, toReceipt } from './to-movements.ts'

const FIELDS = names(
  `product product.code internal_quantity from_location to_location planned_date effective_date
   origin`,
)

const PURCHASE_LINES = {
  model: 'purchase.line',
  domain: [],
  fields: names('purchase.number purchase.reference purchase.purchase_date purchase.party.code'),
}
const SALE_LINES = { model: 'sale.line', domain: [], fields: ['sale.number'] }

const OPEN: Domain = ['state', 'in', ['draft', 'assigned']]
const DONE: Domain = ['state', '=', 'done']
const ofType = (end: 'from' | 'to', ...types: string[]): Domain => [
  ...[`${end}_location.type`, 'in', types],
]
const originOf = (model: string): Domain => ['origin', 'like', `${model},%`]

async function moveQuery(system: System, domain: Domain, signal: AbortSignal) {
  const company = ['company', '=', await system.company(signal)]
  return { model: 'stock.move', domain: [company, ...domain], fields: FIELDS }
}

export const readOpenOrders = (system: System, signal: AbortSignal) =>
  readOpen<'openOrders', PurchaseLineRow>(
    system,
    [OPEN, ofType('from', 'supplier'), originOf('purchase.line')],
    PURCHASE_LINES,
    toOpenOrder,
    signal,
  )

export const readCustomerOrders = (system: System, signal: AbortSignal) =>
  readOpen<'customerOrders', SaleLineRow>(
    system,
    [OPEN, ofType('to', 'customer'), originOf('sale.line')],
    SALE_LINES,
    toCustomerOrder,
    signal,
  )

type ToRecord<K extends RecordKind, Line> = (
  row: MoveRow,
  line: Line | undefined,
  places: Places,
) => RecordOf<K> | null

async function* readOpen<K extends RecordKind, Line extends ModelRow>(
  system: System,
  domain: Domain,
  lines: typeof SALE_LINES,
  map: ToRecord<K, Line>,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<K>> {
  const query = await moveQuery(system, domain, signal)
  const found = readPages<MoveRow>(system.client, query, signal)
  yield* pagesOf<K, MoveRow>(found, async (page, rows) => {
    Object.assign(page, await compose(system, rows, lines, map, signal))
  })
}

async function compose<K extends RecordKind, Line extends ModelRow>(
  system: System,
  rows: MoveRow[],
  lines: typeof SALE_LINES,
  map: ToRecord<K, Line>,
  signal: AbortSignal,
): Promise<Batch<K>> {
  const places = await system.places(signal)
  const found = await readRowsOf<Line>(system.client, lines, 'id', rows.map(lineOf), signal)
  const byId = new Map(found.map((line) => [line.id, line]))
  return batchOf<K, MoveRow>(rows, (row) => map(row, byId.get(lineOf(row)), places), placeOf)
}

/** Of an origin such as `purchase.line,12`. */
const lineOf = ({ origin }: MoveRow) => Number(origin?.split(',')[1])
const placeOf = ({ id }: MoveRow) => `stock.move(${id})`

const historyOf = ({ options }: System, days = options.history_days): Domain => [
  ...['effective_date', '>=', firstDay(days)],
]

/** Goods that went to customers or production, and those that customers brought back. */
export const demandStream = (system: System) =>
  changedStream<'demand', MoveRow>(
    'demand',
    {
      reader: system.client,
      query: (signal) =>
        moveQuery(
          system,
          [
            ...[DONE, historyOf(system)],
            system.client.anyOf(
              [ofType('from', 'storage'), ofType('to', 'customer', 'production')],
              [ofType('from', 'customer'), ofType('to', 'storage')],
            ),
          ],
          signal,
        ),
      changedSince: (from) => changedSince(system.client, MOVE_TIMES, from),
      async compose(rows, signal) {
        const places = await system.places(signal)
        return batchOf<'demand', MoveRow>(rows, (row) => toDemand(row, places), placeOf)
      },
    },
    { isRequired: true },
  )

/** Lead times are measured from the receipts of a year. */
const RECENT_DAYS = 400

export const receiptStream = (system: System) =>
  changedStream<'receipts', MoveRow>('receipts', {
    reader: system.client,
    query: (signal) =>
      moveQuery(
        system,
        [
          ...[DONE, historyOf(system, RECENT_DAYS), originOf('purchase.line')],
          system.client.anyOf(
            [ofType('from', 'supplier'), ofType('to', 'storage')],
            [ofType('from', 'storage'), ofType('to', 'supplier')],
          ),
        ],
        signal,
      ),
    changedSince: (from) => changedSince(system.client, MOVE_TIMES, from),
    compose: (rows, signal) =>
      compose<'receipts', PurchaseLineRow>(system, rows, PURCHASE_LINES, toReceipt, signal),
  })
