// The list of tasks: the database filters, sorts, counts and pages it; its words are in the user's language.
import cds from '@sap/cds'
import { runDetached } from '../../../base/cap/context.ts'
import { readAs, TaskComments, Tasks } from '../../../base/database/entities.ts'
import type { ODataRow } from '../../../base/odata/query-limits.ts'
import { REASON_CODES } from '../../../base/texts/codes.ts'
import { codeNames, type Language, message, preferredLanguage } from '../../../base/texts/texts.ts'
import { decideTask } from '../decide.ts'
import { addComment, inboxOf, openTaskFor, setClaim } from '../inbox.ts'
import { type Person, personOf } from '../person.ts'
import { invalid } from '../refusal.ts'
import { isFinal, keepShown, subjectOf, type Task, type TaskRow, toTask } from '../task.ts'
import {
  ATTRIBUTES,
  attributesOf,
  DEFINITION,
  descriptionOf,
  publicUrl,
  uiLinkOf,
} from '../texts.ts'

const ORIGIN = 'RESTOCK'

type InboxTasks = InboxTask[] & { $count?: number }

const NAMES = {
  ...{ localId: 'InstanceID', audience: 'audience' },
  ...{ processor: 'Processor', completedBy: 'CompletedBy' },
}

/** Reads the tasks that the user may decide about, works on or has decided. */
export async function readTasks(req: cds.Request): Promise<unknown> {
  const select = selectOf(req)
  const { columns } = select
  const expanded = (columns ?? []).filter(({ expand }) => expand).map(({ ref }) => ref![0]!)
  if (columns) select.columns = columns.filter(({ expand }) => !expand)
  const person = personOf(req.user)
  const isInInbox = await inboxOf(person, NAMES)
  const conditions = select.one ? [isInInbox] : [isInInbox, 'and', isNotClaimedByOthers(person)]
  // The condition belongs into the innermost query, where rows are read before they are aggregated.
  let rowsFrom = select
  while (rowsFrom.from?.SELECT) rowsFrom = rowsFrom.from.SELECT
  const { where } = rowsFrom
  rowsFrom.where = where ? [{ xpr: where }, 'and', ...conditions] : conditions
  const found = (await cds.db.run(req.query as never)) as InboxTasks | InboxTask | null
  const rows = (Array.isArray(found) ? found : found ? [found] : []).filter((row) => row.InstanceID)
  await completeTasks(rows, expanded, { person, language: preferredLanguage(req.locale) })
  return found
}

/** A claimed task disappears from the lists of others, who still find it by its key. */
function isNotClaimedByOthers({ id }: Person) {
  const processor = { ref: [NAMES.processor] }
  return { xpr: [processor, '=', { val: null }, 'or', processor, '=', { val: id }] }
}

interface Reader {
  person: Person
  language: Language
}

async function commentedOf(rows: InboxTask[], ids: string[]): Promise<Set<string>> {
  if (!rows.some((row) => 'HasComments' in row)) return new Set()
  const found = await readAs<{ task: string }>(
    SELECT.distinct
      .from(TaskComments)
      .columns('task')
      .where({ task: { in: ids } }),
  )
  return new Set(found.map(({ task }) => task))
}

async function completeTasks(rows: InboxTask[], expanded: string[], { person, language }: Reader) {
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

// The details of a task in My Inbox, expanded or read by themselves.

type InboxTask = ODataRow & { InstanceID: string }

interface Query {
  SELECT: {
    one?: boolean
    columns?: { ref?: string[]; expand?: unknown }[]
    where?: (Token | string | object)[]
    from?: Partial<Query>
  }
}

interface Token {
  ref?: string[]
  val?: unknown
}

/** What a READ asks for; CAP's types leave open which kind of query a request has. */
const selectOf = ({ query }: cds.Request) => (query as Query).SELECT

const keysOf = ({ localId }: Task) => ({ SAP__Origin: ORIGIN, InstanceID: localId })
const definitionKey = { SAP__Origin: ORIGIN, TaskDefinitionID: DEFINITION }

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const html = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => escapes[sign]!).replaceAll('\n', '<br>')

async function description(task: Task, language: Language) {
  const text = await descriptionOf(task, language)
  return { ...keysOf(task), Description: text, DescriptionHtml: html(text) }
}

const link = (task: Task) => ({
  ...keysOf(task),
  GUI_Link: uiLinkOf(task, publicUrl()),
  UIMimeType: 'text/html',
})

const attributes = (task: Task, language: Language) =>
  attributesOf(task).map(({ code, value }) => ({
    ...{ ...keysOf(task), Name: code, Label: message(`task_${code}`, {}, language) },
    ...{ Type: ATTRIBUTES[code].type, Value: value },
  }))

async function comments(task: Task) {
  const rows = await readAs<{ ID: string; at: string; author: string; text: string }>(
    SELECT.from(TaskComments).where({ task: task.localId }).orderBy('at', 'ID'),
  )
  return rows.map(({ ID, at, author, text }) => ({
    ...{ ...keysOf(task), ID, CreatedAt: at, Text: text },
    ...{ CreatedBy: author, CreatedByName: author },
  }))
}

const definition = (language: Language) => ({
  ...{ ...definitionKey, TaskName: message('task_definition', {}, language) },
})

type Expansion = (task: Task, language: Language) => unknown

/** Expansions by the name of the navigation. */
const expansions: Record<string, Expansion> = {
  Description: description,
  UIExecutionLink: link,
  CustomAttributeData: attributes,
  Comments: comments,
  TaskDefinitionData: (_task, language) => definition(language),
}

const OF_TASKS: Record<string, Expansion> = {
  DescriptionCollection: description,
  UIExecutionLinkCollection: link,
  CustomAttributeCollection: attributes,
  CommentCollection: comments,
}

const OF_THE_SERVICE: Record<string, (language: Language) => object[]> = {
  TaskDefinitionCollection: (language) => [definition(language)],
  CustomAttributeDefinitionCollection: (language) =>
    Object.entries(ATTRIBUTES).map(([code, { type }], index) => ({
      ...{ ...definitionKey, Name: code, Type: type, Rank: index + 1 },
      Label: message(`task_${code}`, {}, language),
    })),
  SystemInfoCollection: () => [
    { SAP__Origin: ORIGIN, SystemAlias: ORIGIN, SystemInfoName: 'Restock' },
  ],
}

/** Reads details by key, through their task or as a list, which must be filtered by one task. */
export async function readTaskParts(name: string, req: cds.Request) {
  const language = preferredLanguage(req.locale)
  const found = OF_THE_SERVICE[name]?.(language) ?? (await ofTask(name, req, language))
  const rows = [found].flat() as ODataRow[]
  const keys = (req.params.at(-1) ?? {}) as ODataRow
  const named = typeof keys === 'object' ? Object.entries(keys) : []
  const fit = rows.filter((row) =>
    named.every(([key, value]) => !(key in row) || row[key] === value),
  )
  return selectOf(req).one ? (fit[0] ?? null) : Object.assign(fit, { $count: fit.length })
}

async function ofTask(name: string, req: cds.Request, language: Language): Promise<unknown> {
  const keys = req.params as ODataRow[]
  const InstanceID = keys.find((each) => each?.InstanceID)?.InstanceID ?? filteredTask(req)
  if (typeof InstanceID !== 'string') throw invalid('InstanceID', 'is needed')
  const person = personOf(req.user)
  const task = await runDetached('tasks', async () => {
    const open = await openTaskFor(person, InstanceID)
    await keepShown([open], { door: 'my_inbox', user: person.id })
    return open
  })
  return OF_TASKS[name]!(task, language)
}

/** The value of `InstanceID eq '…'` within a filter. */
function filteredTask(req: cds.Request): unknown {
  const { where = [] } = selectOf(req)
  const at = where.findIndex((token) => (token as Token).ref?.at(-1) === 'InstanceID')
  return at < 0 ? undefined : (where[at + 2] as Token | undefined)?.val
}

// The actions of My Inbox. Each runs in a transaction of its own, not in that of the OData request.

/** Decisions by the keys that workflows of the ERP use. */
const DECISIONS = new Map([
  ['0001', 'approve'],
  ['0002', 'reject'],
] as const)
const LONGEST = 1000

/** The parameters of a function. */
export type FunctionCall = cds.Request<{ [name: string]: unknown }>

const named = ({ data }: FunctionCall, name: string): string => {
  const value = data[name]
  if (typeof value === 'string' && value) return value
  throw invalid(name, 'is needed')
}

/** A comment may be missing or empty. */
function textOf({ data }: FunctionCall, name: string): string | null {
  const text = String(data[name] ?? '').trim()
  if (text.length > LONGEST) throw invalid(name, `may have ${LONGEST} characters at most`)
  if (text.includes('\0')) throw invalid(name, 'holds a character that is not text')
  return text || null
}

export async function listDecisionOptions(req: FunctionCall) {
  const [person, InstanceID] = [personOf(req.user), named(req, 'InstanceID')]
  const task = await runDetached('tasks', () => openTaskFor(person, InstanceID))
  if (isFinal(task)) return []
  const language = preferredLanguage(req.locale)
  return [...DECISIONS].map(([DecisionKey, code]) => ({
    ...{
      InstanceID,
      DecisionKey,
      DecisionText: message(`task_${code}`, {}, language),
      CommentMandatory: code === 'reject',
    },
    ...{ ReasonRequired: code === 'reject' ? 'OPTIONAL' : 'UNSUPPORTED' },
    Nature: code === 'approve' ? 'POSITIVE' : 'NEGATIVE',
  }))
}

/** @returns the task's id */
export async function decideInInbox(req: FunctionCall): Promise<string> {
  const [person, localId] = [personOf(req.user), named(req, 'InstanceID')]
  const code = DECISIONS.get(named(req, 'DecisionKey') as '0001')
  if (!code) throw invalid('DecisionKey', `must be one of ${[...DECISIONS.keys()].join(', ')}`)
  const decision = { code, comment: textOf(req, 'Comments'), reason: reasonOf(req) }
  await runDetached('tasks', () => decideTask(person, localId, decision, 'my_inbox'))
  return localId
}

function reasonOf({ data }: FunctionCall): string | null {
  const reason = data.ReasonCode
  if (reason == null || reason === '') return null
  const found = REASON_CODES.find((code) => code === reason)
  if (found) return found
  throw invalid('ReasonCode', `must be one of ${REASON_CODES.join(', ')}`)
}

/** @returns the task's id */
export async function setInboxClaim(req: FunctionCall, isClaimed: boolean): Promise<string> {
  const [person, localId] = [personOf(req.user), named(req, 'InstanceID')]
  await runDetached('tasks', () => setClaim(person, localId, isClaimed))
  return localId
}

export async function addInboxComment(req: FunctionCall) {
  const [person, localId] = [personOf(req.user), named(req, 'InstanceID')]
  const text = textOf(req, 'Text')
  if (!text) throw invalid('Text', 'is needed')
  const { ID, at } = await runDetached('tasks', () => addComment(person, localId, text, 'my_inbox'))
  return {
    ...{ SAP__Origin: ORIGIN, InstanceID: localId, ID, Text: text },
    ...{ CreatedAt: at, CreatedBy: person.id, CreatedByName: person.id },
  }
}
