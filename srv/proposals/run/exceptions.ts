import cds from '@sap/cds'
import type { OpenOrderMessage } from '../../../engine/proposal/index.ts'
import { takeNumbers } from '../../store/counters.ts'
import { Exceptions, type Row } from '../../store/entities.ts'
import type { Exception } from '#cds-models/restock'
import { toNumber } from '../../store/numbers.ts'
import type { PairInputs } from '../inputs/pair-inputs.ts'

const { DELETE, INSERT, SELECT, UPSERT } = cds.ql

/** A settled exception opens anew once its quantity exceeds the settled one by more than half. */
const REOPENS_ABOVE = 1.5

/** What a pair's calculation found that no order can mend. */
export interface PairMessages {
  pair: PairInputs
  messages: OpenOrderMessage[]
}

type Stored = Row<Exception>

/** The columns that a calculation decides. */
interface ExceptionColumns {
  source_ID: number
  series: number
  kind: OpenOrderMessage['kind']
  sku: string
  location: string
  supplier: string | null
  /** Empty where it is about no order. */
  document: string
  quantity: number
  promisedOn: string | null
  wantedOn: string | null
  value: number | null
  currency: string | null
  message: string
}

/**
 * Brings what is stored for these pairs to what holds now: one statement for each kind of change, and none
 * but the reading where nothing has changed.
 */
export async function updateExceptions(found: PairMessages[]) {
  if (!found.length) return
  const stored = await readStored(found.map(({ pair }) => pair.series))
  const gone = new Map(stored.map((row) => [placeOf(row), row]))
  const added: ExceptionColumns[] = []
  const changed: Change[] = []
  const reopened: Change[] = []
  for (const columns of found.flatMap(exceptionsOf)) {
    const row = gone.get(placeOf(columns))
    gone.delete(placeOf(columns))
    if (!row) added.push(columns)
    else if (isReopened(row, columns)) reopened.push(changeOf(row, columns))
    else if (!isUnchanged(row, columns)) changed.push(changeOf(row, columns))
  }
  await remove([...gone.values()])
  await insert(added)
  await replace(changed)
  await replace(reopened, {
    settledAt: null,
    settledBy: null,
    settledQuantity: null,
    comment: null,
  })
}

/** Of neighbouring series a range is read: a list of a thousand numbers takes the database thrice as long. */
async function readStored(series: number[]): Promise<Stored[]> {
  const wanted = new Set(series)
  const [first, last] = [Math.min(...series), Math.max(...series)]
  const isDense = last - first < 2 * wanted.size
  const place = isDense ? { between: first, and: last } : { in: series }
  const rows = (await SELECT.from(Exceptions).where({ series: place })) as Stored[]
  return rows.filter((row) => wanted.has(Number(row.series)))
}

/** An order that a pair has in several parts is one exception. */
function exceptionsOf({ pair, messages }: PairMessages): ExceptionColumns[] {
  const byPlace = new Map<string, ExceptionColumns>()
  for (const message of messages) {
    const columns = columnsOf(pair, message)
    const known = byPlace.get(placeOf(columns))
    if (!known) byPlace.set(placeOf(columns), columns)
    else {
      known.quantity += columns.quantity
      known.value = valueOf(pair.unitCost, known.quantity)
    }
  }
  return [...byPlace.values()]
}

const columnsOf = (pair: PairInputs, message: OpenOrderMessage): ExceptionColumns => ({
  source_ID: pair.source,
  series: pair.series,
  kind: message.kind,
  sku: pair.sku,
  location: pair.location,
  supplier: pair.supplier,
  document: message.document ?? '',
  quantity: message.quantity,
  promisedOn: message.from,
  wantedOn: message.to,
  value: valueOf(pair.unitCost, message.quantity),
  currency: pair.currency,
  message: message.message,
})

/** The column has no room for more. */
const LARGEST_VALUE = 1e13

/** In whole cents; null where the cost is not known, or the value is larger than any order's. */
function valueOf(unitCost: string | null, quantity: number): number | null {
  const value = unitCost === null ? null : Math.round(Number(unitCost) * quantity * 100) / 100
  return value === null || value >= LARGEST_VALUE ? null : value
}

interface Place {
  series: unknown
  kind: unknown
  document: unknown
}

const placeOf = ({ series, kind, document }: Place) => `${series}|${kind}|${document}`

const isReopened = ({ settledAt, settledQuantity }: Stored, { quantity }: ExceptionColumns) =>
  settledAt !== null && quantity > Number(settledQuantity) * REOPENS_ABOVE

const isUnchanged = (row: Stored, columns: ExceptionColumns) =>
  Number(row.quantity) === columns.quantity &&
  row.promisedOn === columns.promisedOn &&
  row.wantedOn === columns.wantedOn &&
  row.message === columns.message &&
  row.supplier === columns.supplier &&
  row.currency === columns.currency &&
  toNumber(row.value) === columns.value

async function remove(rows: Stored[]) {
  if (rows.length) await DELETE.from(Exceptions).where({ ID: { in: rows.map(({ ID }) => ID) } })
}

async function insert(added: ExceptionColumns[]) {
  if (!added.length) return
  const first = await takeNumbers('exception', added.length)
  const createdAt = new Date().toISOString()
  await INSERT.into(Exceptions).entries(
    added.map((columns, at) => ({ ID: first + at, createdAt, updatedAt: createdAt, ...columns })),
  )
}

interface Change extends ExceptionColumns {
  ID: number
  createdAt: string | null
}

/** A whole row but for its settling: another run may have removed it meanwhile. */
const changeOf = ({ ID, createdAt }: Stored, columns: ExceptionColumns): Change => ({
  ID,
  createdAt,
  ...columns,
})

async function replace(changes: Change[], set: object = {}) {
  if (!changes.length) return
  const updatedAt = new Date().toISOString()
  await UPSERT.into(Exceptions).entries(changes.map((row) => ({ ...row, updatedAt, ...set })))
}
