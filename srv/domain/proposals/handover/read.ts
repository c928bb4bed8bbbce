// What was handed over, as people see it: whoever does not see all of its lines does not see the hand-over.
import type * as Model from '#cds-models/restock'
import { adapterOf } from '../../../../adapters/index.ts'
import type { DayFormat, FileFormat, FormTable } from '../../../../adapters/order-form.ts'
import { HandOverLines, HandOvers, readAs, type Row } from '../../../base/database/entities.ts'
import {
  indexOrder,
  toDecimal,
  toNumber,
  toPage,
  type PageQuery,
} from '../../../base/database/rows.ts'
import { Refusal } from '../../../base/errors.ts'
import { rowsOfReader } from '../readers.ts'
import { CONTENT_TYPES, fileOf } from './files.ts'

type Stored = Row<Model.HandOver>

export interface HandOver extends Pick<
  Stored,
  'ID' | 'supplier' | 'form' | 'dayFormat' | 'sha256' | 'takenAt' | 'takenBy' | 'via'
> {
  source: number
  format: FileFormat
  fileName: string
  lines: number
  /** Lines that had been taken before. */
  repeated: number
}

const COLUMNS = [
  ...(['ID', 'source_ID', 'supplier', 'form', 'format', 'dayFormat', 'sha256'] as const),
  ...(['lines', 'repeated', 'takenAt', 'takenBy', 'via'] as const),
]

type StoredHead = Pick<Stored, (typeof COLUMNS)[number]>

const toHandOver = (row: StoredHead): HandOver => ({
  ...{ ID: row.ID, source: Number(row.source_ID), supplier: row.supplier },
  ...{ form: row.form, format: row.format as FileFormat, dayFormat: row.dayFormat },
  fileName: `ho_${row.ID}-${row.form}.${row.format}`,
  ...{ lines: Number(row.lines), repeated: Number(row.repeated), sha256: row.sha256 },
  ...{ takenAt: row.takenAt, takenBy: row.takenBy, via: row.via },
})

/** The newest first. */
async function readRows(where: object, limit: number): Promise<StoredHead[]> {
  const query = SELECT.from('restock.HandOvers')
    .columns(...COLUMNS)
    .where(where)
    .limit(limit)
  return (await query.orderBy(...indexOrder(['ID'], 'desc'))) as StoredHead[]
}

const noSuchHandOver = (ID: number) => new Refusal('not_found', `There is no hand-over ho_${ID}.`)

/** @throws Refusal not_found */
export async function readHandOver(ID: number): Promise<HandOver> {
  const rows: StoredHead[] = await readRows({ ID }, 1)
  const row = rows.at(0)
  if (!row) throw noSuchHandOver(ID)
  return toHandOver(row)
}

/** The hidden ones of these, by number. */
async function hiddenOf(ids: number[]): Promise<Set<number>> {
  const visible = await rowsOfReader()
  if (!visible || !ids.length) return new Set()
  const all = await readAs<{ handOver: number; proposal: number }>(
    SELECT.from(HandOverLines)
      .columns('handOver', 'proposal')
      .where({ handOver: { in: ids } }),
  )
  const seen = (await SELECT.from('restock.Proposals')
    .columns('ID')
    .where({ ID: { in: [...new Set(all.map(({ proposal }) => proposal))] } })
    .where(visible)) as { ID: number }[]
  const known = new Set(seen.map((row) => row.ID))
  return new Set(all.flatMap(({ handOver, proposal }) => (known.has(proposal) ? [] : [handOver])))
}

/** @throws Refusal not_found if there is none, or the user does not see all of its lines */
export async function findHandOver(ID: number): Promise<HandOver> {
  if ((await hiddenOf([ID])).has(ID)) throw noSuchHandOver(ID)
  return readHandOver(ID)
}

interface HandOversQuery extends PageQuery {
  filter?: { source?: number | null; supplier?: string | null }
}

/** The newest first. */
export async function listHandOvers({ filter = {}, after, limit }: HandOversQuery) {
  const { source, supplier } = filter
  const where = {
    ...(source && { source_ID: source }),
    ...(supplier && { supplier }),
    ...(after && { ID: { '<': Number(after) } }),
  }
  const rows = await readRows(where, limit + 1)
  const page = toPage(rows, limit, ({ ID }) => ID)
  const hidden = await hiddenOf(page.data.map(({ ID }) => ID))
  return { ...page, data: page.data.filter(({ ID }) => !hidden.has(ID)).map(toHandOver) }
}

/** The file as it was taken: the same bytes. @throws Refusal not_found */
export async function fileOfHandOver(ID: number) {
  const found = await findHandOver(ID)
  const row = await SELECT.one.from(HandOvers).columns('content').where({ ID })
  const tables = JSON.parse(row!.content!) as FormTable[]
  const { format, dayFormat } = found
  const form = adapterOf(found.form!)!.orderForm
  const bytes = fileOf(tables, form, { format, dayFormat: dayFormat as DayFormat })
  return { bytes, name: found.fileName, type: CONTENT_TYPES[format] }
}

export interface HandedOverLine {
  proposal: number
  version: number
  sku: string
  location: string
  supplier: string | null
  quantity: number
  orderQuantity: string
  orderUnit: string | null
  orderPrice: string | null
  currency: string | null
  wantedOn: string
  /** Of the proposal, now. */
  status: string
  /** Whether the proposal was cancelled since, or has another quantity or supplier. */
  isChanged: boolean
}

type StoredLine = Omit<HandedOverLine, 'isChanged'> & {
  statusNow: string
  quantityNow: unknown
  supplierNow: string | null
}

/** Its lines by the number of their proposals, and whether these have changed since. */
export async function listHandOverLines({ ID, after, limit }: PageQuery & { ID: number }) {
  await findHandOver(ID)
  const query = SELECT.from(HandOverLines)
    .columns('proposal', 'version', 'sku', 'location', 'supplier', 'quantity')
    .columns('orderQuantity', 'orderUnit', 'orderPrice', 'currency', 'wantedOn')
    .columns('toProposal.status as statusNow', 'toProposal.quantity as quantityNow')
    .columns('toProposal.supplier as supplierNow')
    .where({ handOver: ID, ...(after ? { proposal: { '>': Number(after) } } : {}) })
    .orderBy('proposal')
    .limit(limit + 1)
  const rows = await readAs<StoredLine>(query as never)
  const page = toPage(rows, limit, ({ proposal }) => proposal)
  return { ...page, data: page.data.map(toLine) }
}

function toLine({ statusNow, quantityNow, supplierNow, ...row }: StoredLine): HandedOverLine {
  const quantity = toNumber(row.quantity)!
  const price = toDecimal(row.orderPrice, 6)
  const isKept = statusNow === 'approved' || statusNow === 'ordered'
  return {
    ...row,
    quantity,
    // Without zeros at its end.
    orderPrice: price === null ? null : String(Number(price)),
    status: statusNow,
    isChanged: !isKept || quantity !== Number(quantityNow) || row.supplier !== supplierNow,
  }
}
