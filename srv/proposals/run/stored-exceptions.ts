import type { Exception } from '#cds-models/restock'
import { takeNumbers } from '../../store/counters.ts'
import { Exceptions, type Row } from '../../store/entities.ts'
import { insertRows } from '../../store/native/insert.ts'
import { toNumber } from '../../store/numbers.ts'

/** A settled exception opens anew once its quantity exceeds the settled one by more than half. */
const REOPENS_ABOVE = 1.5

/** Characters that the column of a message has room for. */
export const LONGEST_MESSAGE = 500

export type StoredException = Row<Exception>

/** The columns that a calculation decides. */
export interface ExceptionColumns {
  source_ID: number
  /** Null where it is about no single pair. */
  series: number | null
  kind: NonNullable<StoredException['kind']>
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
  facts: string | null
}

/**
 * Brings what is stored to what holds now: one statement for each kind of change, and none where nothing has changed.
 * @param stored all that these may stand in place of
 */
export async function replaceExceptions(stored: StoredException[], found: ExceptionColumns[]) {
  const byPlace = new Map(stored.map((row) => [placeOf(row), row]))
  const kept = new Set<StoredException>()
  const added: ExceptionColumns[] = []
  const changed: Change[] = []
  const reopened: Change[] = []
  for (const columns of found) {
    const row = byPlace.get(placeOf(columns))
    if (row) kept.add(row)
    if (!row) added.push(columns)
    else if (isReopened(row, columns)) reopened.push(changeOf(row, columns))
    else if (!isUnchanged(row, columns)) changed.push(changeOf(row, columns))
  }
  await remove(stored.filter((row) => !kept.has(row)))
  await insert(added)
  await replace(changed)
  await replace(reopened, {
    settledAt: null,
    settledBy: null,
    settledQuantity: null,
    comment: null,
  })
}

type Place = ExceptionColumns | StoredException

/** The supplier of a pair may change; of a whole supplier or source it is what the exception is about. */
export const placeOf = ({ series, kind, document, supplier, sku, location }: Place) =>
  JSON.stringify(
    series === null ? [kind, document, supplier, sku, location] : [kind, document, series],
  )

const isReopened = (
  { settledAt, settledQuantity }: StoredException,
  { quantity }: ExceptionColumns,
) => settledAt !== null && quantity > Number(settledQuantity) * REOPENS_ABOVE

const isUnchanged = (row: StoredException, columns: ExceptionColumns) =>
  Number(row.quantity) === columns.quantity &&
  row.promisedOn === columns.promisedOn &&
  row.wantedOn === columns.wantedOn &&
  row.message === columns.message &&
  row.facts === columns.facts &&
  row.supplier === columns.supplier &&
  row.currency === columns.currency &&
  toNumber(row.value) === columns.value

async function remove(rows: StoredException[]) {
  if (rows.length) await DELETE.from(Exceptions).where({ ID: { in: rows.map(({ ID }) => ID) } })
}

async function insert(added: ExceptionColumns[]) {
  if (!added.length) return
  const first = await takeNumbers('exception', added.length)
  const createdAt = new Date().toISOString()
  await insertRows(
    'restock.Exceptions',
    added.map((columns, at) => ({ ID: first + at, createdAt, updatedAt: createdAt, ...columns })),
  )
}

interface Change extends ExceptionColumns {
  ID: number
  createdAt: string | null
}

/** A whole row but for its settling: another run may have removed it meanwhile. */
const changeOf = ({ ID, createdAt }: StoredException, columns: ExceptionColumns): Change => ({
  ID,
  createdAt,
  ...columns,
})

async function replace(changes: Change[], set: object = {}) {
  if (!changes.length) return
  const updatedAt = new Date().toISOString()
  await UPSERT.into(Exceptions).entries(changes.map((row) => ({ ...row, updatedAt, ...set })))
}
