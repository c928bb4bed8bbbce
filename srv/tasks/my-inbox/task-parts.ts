// What stands beside a task in My Inbox, as its expansion or read by itself.
import type cds from '@sap/cds'
import { runDetached } from '../../cap/context.ts'
import { settings } from '../../config.ts'
import { readAs, TaskComments } from '../../store/entities.ts'
import { descriptionOf } from '../description.ts'
import { uiLinkOf } from '../links.ts'
import { personOf } from '../person.ts'
import { invalid } from '../refusal.ts'
import type { Task } from '../task.ts'
import { type Language, message, preferredLanguage } from '../../texts.ts'
import { attributesOf, ATTRIBUTES, DEFINITION } from '../definition.ts'
import { keepShown } from '../shown.ts'
import { openTaskFor } from '../work.ts'
import { ORIGIN } from './functions.ts'

type Fields = Record<string, unknown>

export type Row = Fields & { InstanceID: string }

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
export const selectOf = ({ query }: cds.Request) => (query as unknown as Query).SELECT

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
  GUI_Link: uiLinkOf(task, settings().publicUrl ?? ''),
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

/** By the name of the navigation. */
export const expansions: Record<string, Expansion> = {
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

/** By its key, through its task or as a list; a list of what belongs to tasks is that of one task. */
export async function readTaskParts(name: string, req: cds.Request) {
  const language = preferredLanguage(req.locale)
  const found = OF_THE_SERVICE[name]?.(language) ?? (await ofTask(name, req, language))
  const rows = [found].flat() as Fields[]
  const keys = (req.params.at(-1) ?? {}) as Fields
  const named = typeof keys === 'object' ? Object.entries(keys) : []
  const fit = rows.filter((row) =>
    named.every(([key, value]) => !(key in row) || row[key] === value),
  )
  return selectOf(req).one ? (fit[0] ?? null) : Object.assign(fit, { $count: fit.length })
}

async function ofTask(name: string, req: cds.Request, language: Language): Promise<unknown> {
  const keys = req.params as Fields[]
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
