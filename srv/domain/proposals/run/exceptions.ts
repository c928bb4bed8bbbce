import type { Exception } from '#cds-models/restock'
import { OPEN_ORDER_KINDS, type OpenOrderMessage } from '../../../../engine/proposal/index.ts'
import { takeNumbers } from '../../../base/database/counters.ts'
import { Exceptions, type Row } from '../../../base/database/entities.ts'
import { insertRows, upsertRows } from '../../../base/database/native/bulk.ts'
import { oneOfOrBetween, toNumber } from '../../../base/database/rows.ts'
import { type Facts, sentenceOf } from '../../../base/texts/sentences.ts'
import type { PairInputs } from '../terms/pair-inputs.ts'

/** As the model has them; db/data/restock-ExceptionKinds.csv names them. */
export const EXCEPTION_KINDS = [
  ...OPEN_ORDER_KINDS,
  'stale_data',
  'rule_conflict',
  'no_history',
  'unmatched_approval',
  'order_differs',
] as const satisfies readonly NonNullable<Exception['kind']>[]

export type ExceptionKind = (typeof EXCEPTION_KINDS)[number]

/** A message of the engine or about a proposal, with its sentence; or about rules, with values for one. */
export type PairMessage =
  | OpenOrderMessage
  | (Omit<OpenOrderMessage, 'kind'> & { kind: 'unmatched_approval' })
  | (Omit<OpenOrderMessage, 'kind' | 'message'> & {
      kind: 'rule_conflict'
      facts: Facts
    })

/** Updates the stored exceptions of these pairs to the current ones. */
export async function updateExceptions(series: number[], found: ExceptionColumns[]) {
  if (series.length) await replaceExceptions(await readStored(series), found)
}

async function readStored(series: number[]): Promise<StoredException[]> {
  const wanted = new Set(series)
  const rows = (await SELECT.from(Exceptions).where({
    series: oneOfOrBetween(series),
  })) as StoredException[]
  return rows.filter((row) => wanted.has(Number(row.series)))
}

/** The exceptions that a pair's calculation has found. Several lines of one order are one exception. */
export function exceptionsOf(pair: PairInputs, messages: PairMessage[]): ExceptionColumns[] {
  const byKey = new Map<string, ExceptionColumns>()
  for (const message of messages) {
    const columns = columnsOf(pair, message)
    const known = byKey.get(keyOf(columns))
    if (!known) byKey.set(keyOf(columns), columns)
    else {
      known.quantity += columns.quantity
      known.value = valueOf(pair.unitCost, known.quantity)
      if (known.valueAtRisk !== null) known.valueAtRisk += columns.valueAtRisk ?? 0
    }
  }
  return [...byKey.values()]
}

const columnsOf = (pair: PairInputs, message: PairMessage): ExceptionColumns => ({
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
  valueAtRisk: 'valueAtRisk' in message ? (message.valueAtRisk ?? null) : null,
  currency: pair.currency,
  ...textOf(message),
})

function textOf(message: PairMessage): Pick<ExceptionColumns, 'message' | 'facts'> {
  if (!('facts' in message)) return { message: message.message, facts: null }
  const sentence = sentenceOf(message.facts, 'en').slice(0, LONGEST_MESSAGE)
  return { message: sentence, facts: JSON.stringify(message.facts) }
}

/** The largest value that the column can store. */
const LARGEST_VALUE = 1e13

/** In whole cents; null if the cost is unknown or the value too large to store. */
function valueOf(unitCost: string | null, quantity: number): number | null {
  const value = unitCost === null ? null : Math.round(Number(unitCost) * quantity * 100) / 100
  return value === null || value >= LARGEST_VALUE ? null : value
}

// Exceptions about a whole supplier or source instead of a single pair.

/** Names that do not apply are empty. */
export interface SourceMessage {
  kind: ExceptionKind
  facts: Facts
  sku?: string
  location?: string
  supplier?: string | null
  document?: string
  promisedOn?: string | null
  wantedOn?: string | null
  quantity?: number
  value?: number | null
  currency?: string | null
}

/**
 * Updates the stored exceptions of one kind to the current ones.
 * @param suppliers limits the update to these; absent for all
 */
export async function updateSourceExceptions(
  source: number,
  kind: ExceptionKind,
  found: SourceMessage[],
  suppliers?: string[],
) {
  const stored = (await SELECT.from(Exceptions).where({
    ...{ source_ID: source, kind, series: null },
    ...(suppliers && { supplier: { in: suppliers } }),
  })) as StoredException[]
  await replaceExceptions(
    stored,
    found.map((message) => columnsOfSource(source, message)),
  )
}

const columnsOfSource = (source: number, { facts, ...about }: SourceMessage): ExceptionColumns => ({
  source_ID: source,
  series: null,
  ...{ sku: '', location: '', supplier: null, document: '', quantity: 0 },
  ...{ promisedOn: null, wantedOn: null, value: null, valueAtRisk: null, currency: null },
  ...about,
  message: sentenceOf(facts, 'en').slice(0, LONGEST_MESSAGE),
  facts: JSON.stringify(facts),
})

/** A settled exception opens anew once its quantity exceeds the settled one by more than half. */
const REOPENS_ABOVE = 1.5

/** Characters that the column of a message has room for. */
const LONGEST_MESSAGE = 500

type StoredException = Row<Exception>

/** The columns that a calculation decides. */
export interface ExceptionColumns {
  source_ID: number
  /** Null if it is not about a single pair. */
  series: number | null
  kind: ExceptionKind
  sku: string
  location: string
  supplier: string | null
  /** Empty if it is not about an order. */
  document: string
  quantity: number
  promisedOn: string | null
  wantedOn: string | null
  value: number | null
  valueAtRisk: number | null
  currency: string | null
  message: string
  facts: string | null
}

/**
 * Replaces stored exceptions by the current ones, with one statement for each kind of change, and none if nothing has
 * changed.
 * @param stored all exceptions that `found` replaces
 */
async function replaceExceptions(stored: StoredException[], found: ExceptionColumns[]) {
  const byKey = new Map(stored.map((row) => [keyOf(row), row]))
  const kept = new Set<StoredException>()
  const added: ExceptionColumns[] = []
  const changed: Change[] = []
  const reopened: Change[] = []
  for (const columns of found) {
    const row = byKey.get(keyOf(columns))
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

type Keyed = ExceptionColumns | StoredException

/** The key of an exception; without the supplier of a single pair, which may change. */
const keyOf = ({ series, kind, document, supplier, sku, location }: Keyed) =>
  JSON.stringify(
    series === null ? [kind, document, supplier, sku, location] : [kind, document, series],
  )

/** What has slipped again is another slip. */
const isReopened = (
  { settledAt, settledQuantity, promisedOn: before }: StoredException,
  { kind, quantity, promisedOn }: ExceptionColumns,
) =>
  settledAt !== null &&
  (quantity > Number(settledQuantity) * REOPENS_ABOVE ||
    (kind === 'slipped_order' && promisedOn !== null && before !== null && promisedOn > before))

const isUnchanged = (row: StoredException, columns: ExceptionColumns) =>
  Number(row.quantity) === columns.quantity &&
  row.promisedOn === columns.promisedOn &&
  row.wantedOn === columns.wantedOn &&
  row.message === columns.message &&
  row.facts === columns.facts &&
  row.supplier === columns.supplier &&
  row.currency === columns.currency &&
  toNumber(row.value) === columns.value &&
  toNumber(row.valueAtRisk) === columns.valueAtRisk

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

/** The whole row except its settling, since another run may have removed the row meanwhile. */
const changeOf = ({ ID, createdAt }: StoredException, columns: ExceptionColumns): Change => ({
  ID,
  createdAt,
  ...columns,
})

async function replace(changes: Change[], set: object = {}) {
  if (!changes.length) return
  const updatedAt = new Date().toISOString()
  const rows = changes.map((row) => ({ ...row, updatedAt, ...set }))
  await upsertRows('restock.Exceptions', ['ID'], rows)
}
