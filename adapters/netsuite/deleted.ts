// What was deleted, as far as the role may read the list of that.
import { isNotThere } from '../errors.ts'
import type { Since } from './changed-stream.ts'
import { MOVEMENT_TYPES, typesAre } from './queries.ts'
import type { Query } from './suiteql/query.ts'
import { instantLiteral, type Wall } from './suiteql/wall-clock.ts'
import type { System } from './system.ts'
import { documentKey } from './to-demand.ts'

interface DeletedRow {
  id: string
  type?: string
  name?: string
}

const DELETED: Query = {
  columns: { id: 'd.recordid', type: 'd.type', name: 'd.name' },
  from: 'deletedrecord d',
  where: [],
  key: ['id'],
}

/** Records of these types, in whatever way the types are spelled; none where the role may not read the list. */
export async function readDeleted(
  system: System,
  from: Wall,
  types: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<DeletedRow[]> {
  const query = { ...DELETED, where: [`d.deleteddate >= ${instantLiteral(from)}`] }
  try {
    const rows = await system.suiteQl.all<DeletedRow>(query, signal)
    return rows.filter(({ type }) => types.has(lettersOf(type)))
  } catch (error) {
    if (isNotThere(error)) return []
    throw error
  }
}

const lettersOf = (type: string | undefined) => (type ?? '').toLowerCase().replace(/[^a-z]/g, '')

// Lines of documents that were changed or deleted. A line that is gone from a document leaves nothing behind that says
// so: of a document that existed before, all lines are deleted, and those that it still has are stored again.

interface EditedRow {
  document: string
  last: string
}

/** Documents that may have been changed after they were read first, and the number of their last line. */
const edited = ({ from, known }: Since): Query => ({
  columns: { document: 't.id', last: 'MAX(tl.id)' },
  from: 'transaction t JOIN transactionline tl ON tl.transaction = t.id',
  where: [
    typesAre(MOVEMENT_TYPES),
    `t.lastmodifieddate >= ${instantLiteral(from)}`,
    `t.createddate <= ${instantLiteral(known)}`,
  ],
  key: ['document'],
  groupBy: 't.id',
})

/** Lines at the end of a document that are gone have numbers beyond its last one. */
const LINES_BEYOND = 20
/** Lines that a deleted document may have had. */
const LINES_OF_DELETED = 100

const DELETED_TYPES = new Set([
  ...['itemfulfillment', 'itemship', 'cashsale', 'invoice', 'custinvc', 'creditmemo', 'custcred'],
  ...['cashrefund', 'cashrfnd', 'itemreceipt', 'itemrcpt'],
  ...['assemblybuild', 'build', 'assemblyunbuild', 'unbuild', 'workorderissue', 'woissue'],
  ...['workordercompletion', 'wocompl'],
])

/** The keys of all lines that such documents may have had. */
export async function readGoneLines(
  system: System,
  since: Since,
  signal: AbortSignal,
): Promise<Record<string, string>[]> {
  const changed = await system.suiteQl.all<EditedRow>(edited(since), signal)
  const deleted = await readDeleted(system, since.from, DELETED_TYPES, signal)
  return [
    ...changed.flatMap(({ document, last }) => linesOf(document, Number(last) + LINES_BEYOND)),
    ...deleted.flatMap(({ id }) => linesOf(id, LINES_OF_DELETED)),
  ]
}

const linesOf = (document: string, last: number) =>
  Array.from({ length: last + 1 }, (_, line) => ({ document: documentKey(document, line) }))
