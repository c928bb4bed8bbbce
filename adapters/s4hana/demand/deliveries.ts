import { names } from '../../rows/names.ts'
import { Retriable } from '../../errors.ts'
import { dayLiteral } from '../../odata/query.ts'
import type { DeliveryItemRow, DeliveryRow } from '../entities.ts'
import { DELIVERY } from '../services.ts'
import type { EntityQuery } from '../../odata/reader.ts'
import type { System } from '../system.ts'
import { addRecords } from '../../rows/pages.ts'
import { toDeliveryDemand } from './to-demand.ts'
import { dayOrNull } from '../../rows/values.ts'
import { addDays, dayText, later } from '../../rows/days.ts'
import type { DocumentSource, DocumentPage, Slice } from './documents.ts'
import { type Movements, parseMovements } from './movements.ts'

/** The service cannot sort, so it cannot be paged by key: each day is read in full and counted. */
export const DELIVERIES = {
  service: DELIVERY,
  set: 'A_OutbDeliveryHeader',
  key: ['DeliveryDocument'],
  select: ['DeliveryDocument', 'ActualGoodsMovementDate', 'CreationDate', 'LastChangeDate'],
  isSortable: false,
}

const ITEMS = {
  service: DELIVERY,
  set: 'A_OutbDeliveryItem',
  key: ['DeliveryDocument', 'DeliveryDocumentItem'],
  select: names(
    `DeliveryDocument DeliveryDocumentItem Material Plant GoodsMovementType GoodsMovementStatus
     InventorySpecialStockType ActualDeliveredQtyInBaseUnit`,
  ),
  isSortable: false,
}

/** Demand from outbound deliveries with posted goods issue, on the day of the goods issue. */
export function deliveries(system: System): DocumentSource {
  const movements = parseMovements(system.options.movements)!
  return {
    reader: (isWhole) => (slice, _after, signal) =>
      readDeliveries(system, movements, slice, isWhole, signal),
    today: async (signal) => dayText((await system.probe(DELIVERIES, signal)).getTime()),
    count: (slice, signal) => system.count({ ...DELIVERIES, filter: createdIn(slice) }, signal),
  }
}

async function* readDeliveries(
  system: System,
  movements: Movements,
  slice: Slice,
  isWhole: boolean,
  signal: AbortSignal,
): AsyncGenerator<DocumentPage> {
  for (let day = slice.from; day <= slice.to; day = addDays(day, 1)) {
    const only = { from: day, to: day }
    const filter = isWhole ? createdIn(only) : `(${createdIn(only)}) or (${changedIn(only)})`
    const headers = await readHeaders<DeliveryRow>(system, { ...DELIVERIES, filter }, signal)
    for (let at = 0; at < headers.length; at += system.options.page_size) {
      const some = headers.slice(at, at + system.options.page_size)
      const page = await readPage(system, movements, some, signal)
      if (!isWhole) page.deleted = page.lines
      yield page
    }
  }
}

async function readPage(
  system: System,
  movements: Movements,
  headers: DeliveryRow[],
  signal: AbortSignal,
): Promise<DocumentPage & { lines: Record<string, string>[] }> {
  const byNumber = new Map(headers.map((header) => [header.DeliveryDocument, header]))
  const items = await readItems(system, byNumber, signal)
  const page = {
    ...{ records: [], quarantined: [], after: null, documents: headers.length },
    newest: newestOf(headers),
    lines: items.map(lineOf),
  }
  const headerOf = (item: DeliveryItemRow) => byNumber.get(item.DeliveryDocument)!
  addRecords<'demand', DeliveryItemRow>(
    page,
    items,
    (item) => toDeliveryDemand(headerOf(item), item, movements),
    (item) => `A_OutbDeliveryItem(${lineOf(item).document})`,
    (item) => ({ ...headerOf(item), ...item }),
  )
  return page
}

const lineOf = (item: DeliveryItemRow) => ({
  document: `${item.DeliveryDocument}/${item.DeliveryDocumentItem}`,
})

async function readItems(system: System, headers: Map<string, DeliveryRow>, signal: AbortSignal) {
  const found = new Map<string, DeliveryItemRow>()
  const numbers = headers.keys()
  for (const row of await system.allOf<DeliveryItemRow>(
    ITEMS,
    'DeliveryDocument',
    numbers,
    signal,
  )) {
    if (headers.has(row.DeliveryDocument)) found.set(lineOf(row).document, row)
  }
  return [...found.values()]
}

/** @throws Retriable where rows were missed because the set changed between two pages */
async function readHeaders<Row extends { DeliveryDocument: string }>(
  system: System,
  query: EntityQuery,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows = new Map<string, Row>()
  let total: number | null = null
  for await (const page of system.pages<Row>(query, {}, signal)) {
    total ??= page.total
    for (const row of page.rows) rows.set(row.DeliveryDocument, row)
  }
  if (total !== null && rows.size < total) {
    throw new Retriable('Deliveries changed while they were read.')
  }
  return [...rows.values()]
}

function newestOf(headers: DeliveryRow[]): string | null {
  let newest: string | null = null
  for (const { CreationDate, LastChangeDate } of headers) {
    const created = dayOrNull(CreationDate)
    const changed = dayOrNull(LastChangeDate)
    for (const day of [created, changed]) if (day) newest = later(day, newest ?? day)
  }
  return newest
}

const within = (field: string, { from, to }: Slice) =>
  `${field} ge ${dayLiteral(from)} and ${field} lt ${dayLiteral(addDays(to, 1))}`
const createdIn = (slice: Slice) => within('CreationDate', slice)
const changedIn = (slice: Slice) => within('LastChangeDate', slice)
