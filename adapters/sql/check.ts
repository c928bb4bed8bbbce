import type { StreamCheck } from '../adapter.ts'
import { failedCheck } from '../check.ts'
import { Fatal } from '../errors.ts'
import { problemOf } from '../rows/values.ts'
import { Row } from './row.ts'
import { columnsToRead, selectSome } from './select.ts'
import type { System } from './system.ts'
import { CHANGED, isByChanges, type View, VIEWS } from './views.ts'

const ROWS = 5

export const rightOf = (system: System, view: View) => `SELECT ON ${system.nameOf(view)}`

/** Reads the columns and a few rows of each view. @throws Fatal unexpected_rights, before a row is read */
export async function checkStreams(system: System, signal: AbortSignal): Promise<StreamCheck[]> {
  const views: readonly View[] = VIEWS
  return Promise.all(views.map((view) => checkView(system, view, signal)))
}

async function checkView(system: System, view: View, signal: AbortSignal): Promise<StreamCheck> {
  const { record } = view
  const rights = [rightOf(system, view)]
  try {
    const notes: string[] = []
    for await (const note of tryRows(system, view, signal)) notes.push(note)
    return { record, status: 'ok', message: null, rights, ...(notes.length && { notes }) }
  } catch (error) {
    if (error instanceof Fatal && (error.target === 'account' || ENDING.includes(error.code)))
      throw error
    return { record, ...failedCheck(error), rights }
  }
}

/** What concerns the whole source. */
const ENDING = ['unexpected_rights', 'reconsent_required', 'tls_untrusted']

/** @returns what is wrong with the first rows */
function tryRows(system: System, view: View, signal: AbortSignal): AsyncGenerator<string> {
  const name = system.nameOf(view)
  return system.use(name, signal, async function* (session) {
    const more = isByChanges(system.options, view) ? [...view.key, CHANGED] : []
    const columns = columnsToRead(view, await system.columnsOf(view, session, more))
    const row = new Row(columns, system.options.time_zone)
    for await (const rows of session.read(selectSome(system, view, columns, ROWS), ROWS, signal)) {
      for (const cells of rows) {
        row.moveTo(cells)
        try {
          view.map(row)
        } catch (error) {
          yield `${name}: ${problemOf(error).message}`
          return
        }
      }
    }
  })
}
