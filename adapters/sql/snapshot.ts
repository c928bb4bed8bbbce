import { Fatal } from '../errors.ts'
import type { RecordKind } from '../records.ts'
import { addRecord, type Known, type SnapshotPage, toQuarantinedRow } from '../rows/pages.ts'
import { Row } from './row.ts'
import { columnsToRead, selectAll } from './select.ts'
import type { System } from './system.ts'
import { KEY_OF_TOTALS, keyOf, type View } from './views.ts'

/** All rows of a view; none where there is no such view, and never was. */
export async function* readWhole<K extends RecordKind>(
  system: System,
  view: View<K>,
  isRequired: boolean,
  signal: AbortSignal,
  { stored }: Pick<Known, 'stored'>,
): AsyncGenerator<SnapshotPage<K>> {
  try {
    yield* readRows(system, view, signal)
  } catch (error) {
    const isAbsent = error instanceof Fatal && error.code === 'not_found'
    if (!isAbsent || isRequired || (await stored?.())?.length) throw error
    yield { records: [], quarantined: [], done: 0, total: 0 }
  }
}

function readRows<K extends RecordKind>(
  system: System,
  view: View<K>,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<K>> {
  const name = system.nameOf(view)
  return system.use(name, signal, async function* (session) {
    const columns = columnsToRead(view, await system.columnsOf(view, session))
    const key = view.record === 'demand' ? [...view.key, ...KEY_OF_TOTALS] : view.key
    const row = new Row(columns, system.options.time_zone)
    let done = 0
    let before: string | null = null
    const pages = session.read(
      selectAll(system, view, columns, key),
      system.options.page_size,
      signal,
    )
    for await (const rows of pages) {
      const page: SnapshotPage<K> = { records: [], quarantined: [], done: 0, total: null }
      for (const cells of rows) {
        done++
        row.moveTo(cells)
        const place = () => `${name}(${textOfKey(row, view)})`
        const toRecord = (each: Row) => {
          const record = view.map(each)
          const own = Object.values(keyOf(view.record, record)).join('\n')
          if (own !== before) {
            before = own
            return record
          }
          page.quarantined.push(
            toQuarantinedRow(place(), each, { ...DUPLICATE, about: each.subject() }),
          )
          return null
        }
        addRecord(page, row, toRecord, place)
      }
      yield { ...page, done }
    }
  })
}

function textOfKey(row: Row, { record, key }: View): string {
  const columns = record === 'demand' && !row.has('id') ? KEY_OF_TOTALS : key
  return columns.map((column) => row.text(column)).join(',')
}

const DUPLICATE = {
  code: 'duplicate_key',
  target: null,
  message: 'Another row has the same key; it stands.',
}
