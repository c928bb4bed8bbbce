// A view that says when each of its rows changed: a read takes the rows since the one before.
import type { Page, Stream } from '../adapter.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { BadValue, emptyValue } from '../rows/values.ts'
import { addRecord, progressOf } from '../rows/pages.ts'
import { cursorOf, nextFrom, type State, stateOf, timeOf } from './cursor.ts'
import type { Session } from './dialects/dialect.ts'
import { Row } from './row.ts'
import { columnsToRead, selectChanges } from './select.ts'
import type { System } from './system.ts'
import { CHANGED, CREATED, DELETED, keyOf, type View } from './views.ts'

export function changesStream<K extends RecordKind>(
  system: System,
  view: View<K>,
  isRequired: boolean,
): Stream<K> {
  return {
    record: view.record,
    cursor: 'changedAt',
    isRequired,
    isOptional: !isRequired,
    async *read(since, signal) {
      signal.throwIfAborted()
      const state = stateOf(since)
      const name = system.nameOf(view)
      yield* system.use(name, signal, (session) =>
        readChanges(system, view, state, session, signal),
      )
    },
  }
}

async function* readChanges<K extends RecordKind>(
  system: System,
  view: View<K>,
  state: State,
  session: Session,
  signal: AbortSignal,
): AsyncGenerator<Page<K>> {
  const found = await system.columnsOf(view, session, [...view.key, CHANGED])
  const columns = columnsToRead(view, found, [CHANGED, CREATED, DELETED])
  const begun = state.begun ?? { now: await session.now(), after: null }
  const row = new Row(columns, system.options.time_zone)
  const { from } = state
  const select = selectChanges(system, view, columns, {
    changed: CHANGED,
    from,
    after: begun.after,
  })
  let { after } = begun
  let done = 0
  for await (const rows of session.read(select, system.options.page_size, signal)) {
    const page = new ChangedPage(system.nameOf(view), view, from === null)
    for (const cells of rows) {
      row.moveTo(cells)
      page.add(row)
    }
    done += rows.length
    // Of rows without a time nothing is stored: a read that goes on skips them.
    const changedAt = row.text(CHANGED)
    if (changedAt) after = { changedAt, key: row.text(view.key[0]!) }
    yield page.end(cursorOf({ from, begun: { now: begun.now, after } }), done)
  }
  const next = nextFrom(
    { ...state, begun },
    after?.changedAt ?? null,
    system.options.overlap_minutes,
  )
  const cursor = cursorOf({ from: next, begun: null })
  yield { records: [], quarantined: [], cursor, progress: progressOf({ done, total: null }) }
}

class ChangedPage<K extends RecordKind> {
  readonly #name: string
  readonly #view: View<K>
  readonly #isWhole: boolean
  readonly #batch: Pick<Page<K>, 'records' | 'quarantined'> = { records: [], quarantined: [] }
  readonly #deleted: Record<string, string>[] = []
  readonly #read: string[] = []
  #before = ''

  constructor(name: string, view: View<K>, isWhole: boolean) {
    this.#name = name
    this.#view = view
    this.#isWhole = isWhole
  }

  add(row: Row): void {
    const key = this.#view.key.map((column) => row.text(column)).join(',')
    const place = `${this.#name}(${key})`
    if (!this.#isWhole) this.#read.push(place)
    addRecord<K, Row>(
      this.#batch,
      row,
      (each) => this.#recordOf(each, key),
      () => place,
    )
  }

  #recordOf(row: Row, key: string): RecordOf<K> | null {
    if (timeOf(row.text(CHANGED)) === null) throw new BadValue(CHANGED, 'must be a time, in UTC')
    const record = this.#view.map(row)
    // Without one a row that changes cannot be told from the others of its day.
    if (this.#view.record === 'demand' && !row.has('id')) throw emptyValue('id')
    if (key === this.#before)
      throw new BadValue(
        this.#view.key[0]!,
        'is that of another row, which stands',
        'duplicate_key',
      )
    this.#before = key
    const isDeleted = row.flagOrNull(DELETED) === true
    // A row of demand that has changed may lie on another day, or with another SKU, than before.
    if (!this.#isWhole && (isDeleted || (this.#view.record === 'demand' && hasChanged(row))))
      this.#deleted.push(keyOf(this.#view.record, record))
    return isDeleted ? null : record
  }

  end(cursor: string, done: number): Page<K> {
    return {
      ...this.#batch,
      ...(this.#deleted.length && { deleted: this.#deleted }),
      ...(this.#read.length && { reread: this.#read }),
      cursor,
      progress: progressOf({ done, total: null }),
    }
  }
}

/** Since it was made, as far as the view says. */
const hasChanged = (row: Row) => row.text(CREATED) !== row.text(CHANGED)
