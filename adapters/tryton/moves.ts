// Moves: what was done, and what is still to be done, with the orders that they come from.
import { type Batch, batchOf, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { names } from '../rows/names.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { changedStream } from '../rpc/changed-stream.ts'
import { changedSince, type Domain, type ModelQuery, readPages } from '../rpc/reader.ts'
import type { MoveRow } from './entities.ts'
import { type Needed, OF_PURCHASES, readOrigins } from './origins.ts'
import { MOVE_TIMES } from './pairs.ts'
import { firstDay } from './places.ts'
import type { System } from './system.ts'
import {
  type Lookup,
  type Origin,
  toDemand,
  toOpenOrder,
  toPromised,
  toReceipt,
} from './to-movements.ts'

const FIELDS = names(
  `product internal_quantity from_location to_location planned_date effective_date origin
   shipment`,
)
const OF_PRODUCTION = ['production_input', 'production_output']

const OPEN: Domain = ['state', 'in', ['draft', 'assigned']]
const DONE: Domain = ['state', '=', 'done']
const ofType = (end: 'from' | 'to', ...types: string[]): Domain => [
  ...[`${end}_location.type`, 'in', types],
]

async function moveQuery(system: System, domain: Domain, signal: AbortSignal): Promise<ModelQuery> {
  const company = ['company', '=', await system.company(signal)]
  return { model: 'stock.move', domain: [company, ...domain], fields: FIELDS }
}

/** Whatever comes from outside a warehouse: of orders, of other warehouses, of production, and back from customers. */
export const readOpenOrders = (system: System, signal: AbortSignal) =>
  readOpen<'openOrders'>(
    system,
    {
      ends: [
        ofType('from', 'supplier', 'customer', 'production', 'storage'),
        ofType('to', 'storage'),
      ],
      ...{ map: toOpenOrder, needed: 'purchase' },
    },
    signal,
  )

/** Deliveries that are still to be made. */
export const readCustomerOrders = (system: System, signal: AbortSignal) =>
  readOpen<'customerOrders'>(
    system,
    {
      ends: [ofType('from', 'storage'), ofType('to', 'customer')],
      ...{ map: toPromised, needed: 'sale' },
    },
    signal,
  )

/** What will leave a warehouse for production, for another one, or back to its supplier. */
export const readReservations = (system: System, signal: AbortSignal) =>
  readOpen<'reservations'>(
    system,
    {
      ends: [ofType('from', 'storage'), ofType('to', 'production', 'storage', 'supplier')],
      ...{ map: toPromised, needed: 'none' },
    },
    signal,
  )

/** What becomes of moves. */
interface Mapping<K extends RecordKind> {
  map(row: MoveRow, origin: Origin, lookup: Lookup): RecordOf<K> | null
  needed: Needed
}

async function* readOpen<K extends RecordKind>(
  system: System,
  { ends, ...mapping }: Mapping<K> & { ends: Domain },
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<K>> {
  const query = await moveQuery(system, [OPEN, ...ends], signal)
  const more = (await system.hasProduction(signal)) ? OF_PRODUCTION : []
  const fields = [...FIELDS, ...more]
  const found = readPages<MoveRow>(system.client, { ...query, fields }, signal)
  yield* pagesOf<K, MoveRow>(found, async (page, rows) => {
    const { places } = await lookUp(system, signal)
    // What moves within a warehouse changes nothing of it.
    const crossing = rows.filter(
      (row) => places.warehouseOf(row.from_location) !== places.warehouseOf(row.to_location),
    )
    Object.assign(page, await compose(system, crossing, mapping, signal))
  })
}

async function compose<K extends RecordKind>(
  system: System,
  rows: MoveRow[],
  { map, needed }: Mapping<K>,
  signal: AbortSignal,
): Promise<Batch<K>> {
  const [origins, lookup] = await Promise.all([
    readOrigins(system, rows, needed, signal),
    lookUp(system, signal),
  ])
  return batchOf<K, MoveRow>(rows, (row) => map(row, origins.get(row.id) ?? {}, lookup), placeOf)
}

async function lookUp(system: System, signal: AbortSignal): Promise<Lookup> {
  const [places, catalogue] = await Promise.all([system.places(signal), system.catalogue(signal)])
  return { places, catalogue }
}

const placeOf = ({ id }: MoveRow) => `stock.move(${id})`

const historyOf = ({ options }: System, days = options.history_days): Domain => [
  ...['effective_date', '>=', firstDay(days)],
]

/** Moves of shipments between own locations, also within a warehouse. */
const OF_TRANSFERS: Domain[] = [
  ['shipment', 'like', 'stock.shipment.internal,%'],
  ofType('from', 'storage'),
  ofType('to', 'storage'),
]

/** Goods that went to customers, production or other warehouses, and those that customers brought back. */
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
              ...(system.options.transfer_demand ? [OF_TRANSFERS] : []),
            ),
          ],
          signal,
        ),
      changedSince: (from) => changedSince(system.client, MOVE_TIMES, from),
      async compose(rows, signal) {
        const lookup = await lookUp(system, signal)
        return batchOf<'demand', MoveRow>(rows, (row) => toDemand(row, lookup), placeOf)
      },
    },
    { isRequired: true },
  )

const RECEIVED = { map: toReceipt, needed: 'purchase' } as const

/** Lead times are measured from the receipts of a year. */
const RECENT_DAYS = 400

export const receiptStream = (system: System) =>
  changedStream<'receipts', MoveRow>('receipts', {
    reader: system.client,
    query: (signal) =>
      moveQuery(
        system,
        [
          ...[DONE, historyOf(system, RECENT_DAYS)],
          system.client.anyOf(...OF_PURCHASES.map((model) => [['origin', 'like', `${model},%`]])),
          system.client.anyOf(
            [ofType('from', 'supplier'), ofType('to', 'storage')],
            [ofType('from', 'storage'), ofType('to', 'supplier')],
          ),
        ],
        signal,
      ),
    changedSince: (from) => changedSince(system.client, MOVE_TIMES, from),
    compose: (rows, signal) => compose<'receipts'>(system, rows, RECEIVED, signal),
  })
