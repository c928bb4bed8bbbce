// Stock by batch. No list has it by warehouse: a query that an administrator has stored gives it, README.md.
import { Fatal, isUnreadable } from '../errors.ts'
import type { RecordOf } from '../records.ts'
import { addRecords, type SnapshotPage } from '../rows/pages.ts'
import {
  BadValue,
  codeOf,
  dayOf,
  type Field,
  mapAbout,
  numberOf,
  roundedOf,
} from '../rows/values.ts'
import type { BatchRow } from './entities.ts'
import { queryList, SERVICE, type System } from './system.ts'
import { activeWarehouses } from './warehouses.ts'

const COLUMNS = ['ItemCode', 'WhsCode', 'DistNumber', 'Quantity', 'ExpDate'] as const
const OPTION = 'options.batches_query'

/**
 * Whole each time: a query has no time of changes.
 * @param code of the stored query
 * @throws Fatal where it may not be run, is not there, is refused, or lacks a column
 */
export async function* readBatches(
  system: System,
  code: string,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'batches'>> {
  const active = await activeWarehouses(system, signal)
  const batches = new Batches()
  let done = 0
  for await (const rows of pagesOf(system, code, signal)) {
    done += rows.length
    batches.beginPage()
    const page: SnapshotPage<'batches'> = { records: [], quarantined: [], done, total: null }
    const here = rows.filter(({ WhsCode }) => active.has(String(WhsCode)))
    addRecords(
      page,
      here,
      (row) => batches.add(toBatch(row)),
      ({ ItemCode, DistNumber }) => `${code}: ${ItemCode} ${DistNumber}`,
    )
    yield page
  }
  const { moved } = batches
  if (moved)
    yield { records: [], quarantined: [], done, total: null, notes: [movedNote(code, moved)] }
}

const movedNote = (code: string, moved: number) =>
  `Batches by the query ${code} (option batches_query): ${moved} were on two pages, with different quantities, and count ` +
  'with the later one. Where each sync says so, the query has several rows for an item, a warehouse and a batch.'

/** Runs the query for one row. @throws Fatal, like {@link readBatches} */
export async function tryBatches(system: System, code: string, signal: AbortSignal): Promise<void> {
  try {
    columnsIn([await system.firstByLink<BatchRow>(SERVICE, queryList(code), signal)])
  } catch (error) {
    throwNamed(error, code)
  }
}

async function* pagesOf(system: System, code: string, signal: AbortSignal) {
  try {
    for await (const rows of system.pagesByLink<BatchRow>(SERVICE, queryList(code), {}, signal)) {
      columnsIn(rows)
      yield rows
    }
  } catch (error) {
    throwNamed(error, code)
  }
}

/** A row has all columns of the query, empty ones too. @throws Fatal missing_column */
function columnsIn([row]: readonly (object | undefined)[]): void {
  const missing = row ? COLUMNS.filter((column) => !(column in row)) : []
  if (!missing.length) return
  const message = `It lacks ${missing.join(', ')}: it must have the columns ${COLUMNS.join(', ')}.`
  throw new Fatal('missing_column', message, OPTION)
}

const WRONG_QUERY = ['forbidden', 'not_found', 'request_refused', 'missing_column']
const REMEDY =
  ' Business One also says so of a query that it has not: its code is written in the same case, and the user needs full' +
  ' authorization for it, below Service Layer SQL Query.'

/** @throws the error, with the query and what may be done about it */
function throwNamed(error: unknown, code: string): never {
  if (!(error instanceof Fatal) || !WRONG_QUERY.includes(error.code)) throw error
  const remedy = isUnreadable(error) ? REMEDY : ''
  const message = `Batches by the query ${code} (option batches_query): ${error.message}${remedy}`
  throw new Fatal(error.code, message, OPTION)
}

/** Pages count rows, so a row may come again where others come meanwhile, and may have changed by then. */
class Batches {
  readonly #found = new Map<string, { record: RecordOf<'batches'>; page: number }>()
  #page = 0
  /** Rows that came again with another quantity. */
  moved = 0

  beginPage(): void {
    this.#page++
  }

  /** Null for one that is known. @throws BadValue for one that a page has twice, with different quantities */
  add(record: RecordOf<'batches'> | null): RecordOf<'batches'> | null {
    if (!record) return null
    const { sku, location, batch } = record
    const key = [sku, location, batch].join('\n')
    const before = this.#found.get(key)
    if (before && isSame(before.record, record)) return null
    if (before?.page === this.#page) {
      const rule =
        'is there twice: the query must have one row for an item, a warehouse and a batch'
      const problem = new BadValue('DistNumber', rule, 'duplicate_key')
      problem.about = { sku, location }
      throw problem
    }
    if (before) this.moved++
    this.#found.set(key, { record, page: this.#page })
    return record
  }
}

type Batch = RecordOf<'batches'>

const isSame = (a: Batch, b: Batch) => a.quantity === b.quantity && a.expiresOn === b.expiresOn

/** Null for what does not expire, and where nothing of it is left. */
const toBatch = (row: BatchRow): RecordOf<'batches'> | null =>
  mapAbout(row.ItemCode, row.WhsCode, () => {
    const expiresOn = dayOf(withDashes(row.ExpDate), 'ExpDate')
    const quantity = roundedOf(row.Quantity, 'Quantity')
    if (expiresOn === null || quantity <= 0n) return null
    return {
      sku: codeOf(row.ItemCode, 'ItemCode'),
      location: codeOf(row.WhsCode, 'WhsCode'),
      batch: codeOf(row.DistNumber, 'DistNumber'),
      ...{ expiresOn, quantity: numberOf(quantity, 'Quantity') },
    }
  })

/** Results of queries have days as `20271231`. */
const withDashes = (day: Field): Field =>
  typeof day === 'string' ? day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') : day
