// The list of tasks: filtered, sorted, counted and paged by the database, its words in the user's language.
import cds from '@sap/cds'
import { type Person, personOf } from '../person.ts'
import { codeNames, type Language, message, preferredLanguage } from '../../texts.ts'
import { readAs, TaskComments, Tasks } from '../../store/entities.ts'
import { keepShown } from '../shown.ts'
import { subjectOf } from '../subject.ts'
import { type TaskRow, toTask } from '../task.ts'
import { inboxOf } from '../inbox.ts'
import { expansions, type Row, selectOf } from './task-parts.ts'

type Rows = Row[] & { $count?: number }

const NAMES = {
  ...{ localId: 'InstanceID', audience: 'audience' },
  ...{ processor: 'Processor', completedBy: 'CompletedBy' },
}

/** The ones that the user may decide about, works on or has decided. */
export async function readTasks(req: cds.Request): Promise<unknown> {
  const select = selectOf(req)
  const { columns } = select
  const expanded = (columns ?? []).filter(({ expand }) => expand).map(({ ref }) => ref![0]!)
  if (columns) select.columns = columns.filter(({ expand }) => !expand)
  const person = personOf(req.user)
  const isInInbox = await inboxOf(person, NAMES)
  const conditions = select.one ? [isInInbox] : [isInInbox, 'and', isNotClaimedByOthers(person)]
  // What is summed up stands in the innermost query.
  let rowsFrom = select
  while (rowsFrom.from?.SELECT) rowsFrom = rowsFrom.from.SELECT
  const { where } = rowsFrom
  rowsFrom.where = where ? [{ xpr: where }, 'and', ...conditions] : conditions
  const found = (await cds.db.run(req.query as never)) as Rows | Row | null
  const rows = (Array.isArray(found) ? found : found ? [found] : []).filter((row) => row.InstanceID)
  await completeTasks(rows, expanded, { person, language: preferredLanguage(req.locale) })
  return found
}

/** Whoever has claimed a task takes it off the lists of the others; by its key they still find it. */
function isNotClaimedByOthers({ id }: Person) {
  const processor = { ref: [NAMES.processor] }
  return { xpr: [processor, '=', { val: null }, 'or', processor, '=', { val: id }] }
}

interface Reader {
  person: Person
  language: Language
}

async function commentedOf(rows: Row[], ids: string[]): Promise<Set<string>> {
  if (!rows.some((row) => 'HasComments' in row)) return new Set()
  const found = await readAs<{ task: string }>(
    SELECT.distinct
      .from(TaskComments)
      .columns('task')
      .where({ task: { in: ids } }),
  )
  return new Set(found.map(({ task }) => task))
}

async function completeTasks(rows: Row[], expanded: string[], { person, language }: Reader) {
  if (!rows.length) return
  const ids = rows.map(({ InstanceID }) => InstanceID)
  const found = await readAs<TaskRow>(SELECT.from(Tasks).where({ localId: { in: ids } }))
  const byId = new Map(found.map((row) => [row.localId, toTask(row)]))
  const told = rows.filter((row) => 'TaskTitle' in row || expanded.length)
  await keepShown(
    told.flatMap(({ InstanceID }) => byId.get(InstanceID) ?? []),
    { door: 'my_inbox', user: person.id },
  )
  const commented = await commentedOf(rows, ids)
  const statusName = await codeNames('TaskStatuses', language)
  for (const row of rows) {
    const task = byId.get(row.InstanceID)
    if (!task) continue
    if ('TaskTitle' in row) row.TaskTitle = subjectOf(task, language)
    if ('StatusText' in row) row.StatusText = statusName(task.status)
    if ('TaskDefinitionName' in row)
      row.TaskDefinitionName = message('task_definition', {}, language)
    if ('HasComments' in row) row.HasComments = commented.has(task.localId)
    for (const name of expanded) row[name] = await expansions[name]?.(task, language)
  }
}
