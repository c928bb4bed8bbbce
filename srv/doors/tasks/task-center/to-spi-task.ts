import { REASON_CODES } from '../../../base/texts/codes.ts'
import { codeNames, message } from '../../../base/texts/texts.ts'
import { audiences, MOST_RECIPIENTS, type Recipients } from '../feed/audience.ts'
import { globalIdsOf } from '../person.ts'
import { instance } from '../settings.ts'
import { subjectOf, type Task } from '../task.ts'
import { ATTRIBUTES, attributesOf, DEFINITION, uiLinkOf } from '../texts.ts'
import { type RequestedLanguage, urnOf } from './parameters.ts'

interface LocalText {
  languageCode: string
  text: string
  isDefault: boolean
}

/** A text in each of these languages; the first is the default. */
const localized = (
  wanted: RequestedLanguage[],
  textIn: (each: RequestedLanguage) => string,
): LocalText[] =>
  wanted.map((each, index) => ({
    languageCode: each.code,
    text: textIn(each),
    isDefault: index === 0,
  }))

/** The possible decisions and actions. */
export const RESPONSES = ['approve', 'reject'] as const
export const ACTIONS = ['claim', 'release'] as const

/** The one kind of tasks that there is. */
export async function definition(wanted: RequestedLanguage[]) {
  const name = (key: string) =>
    localized(wanted, ({ language }) => message(`task_${key}`, {}, language))
  const reasons = await reasonsIn(wanted)
  const unsupported = { commentRequired: 'UNSUPPORTED', reasonRequired: 'UNSUPPORTED' }
  const noBulk = [{ name: 'tasks.bulk.operations', value: false }]
  return {
    urn: urnOf('taskdefinition', DEFINITION),
    ...instance(),
    localId: DEFINITION,
    name: name('definition'),
    possibleResponses: [
      {
        ...{ code: 'approve', name: name('approve'), nature: 'POSITIVE' },
        ...{ commentRequired: 'OPTIONAL', reasonRequired: 'UNSUPPORTED', capabilities: noBulk },
      },
      {
        ...{ code: 'reject', name: name('reject'), nature: 'NEGATIVE' },
        ...{ commentRequired: 'REQUIRED', reasonRequired: 'OPTIONAL', capabilities: noBulk },
        possibleReasons: reasons,
      },
    ],
    possibleActions: ACTIONS.map((code) => ({
      ...{ code, name: name(code), nature: 'NEUTRAL', ...unsupported, capabilities: noBulk },
    })),
    customAttributes: Object.entries(ATTRIBUTES).map(([code, attribute], index) => ({
      ...{ code, ...attribute, name: name(code), rank: index + 1 },
    })),
    capabilities: [
      { name: 'attachments', value: false },
      { name: 'attachments.create', value: false },
      { name: 'comments', value: false },
      { name: 'comments.create', value: false },
      { name: 'tasks.description', value: true },
    ],
    taskDetailsSettings: { webUISettings: { uiType: 'Default' } },
  }
}

async function reasonsIn(wanted: RequestedLanguage[]) {
  const languages = wanted.map(({ language }) => language)
  const names = await Promise.all(
    languages.map((language) => codeNames('RejectionReasons', language)),
  )
  const nameIn = new Map(languages.map((language, at) => [language, names[at]!]))
  return REASON_CODES.map((code) => ({
    code,
    name: localized(wanted, ({ language }) => nameIn.get(language)!(code) ?? code),
  }))
}

// A task as SAP Task Center reads it.

/** How tasks are shown, and to whom. */
interface ShownTask {
  wanted: RequestedLanguage[]
  base: string
  recipients: Recipients
  globalIds: Map<string, string>
}

export async function toSpiTasks(tasks: Task[], wanted: RequestedLanguage[], base: string) {
  const known = await audiences()
  const recipientsOf = ({ audience }: Task): Recipients => {
    const found = known.get(audience)
    return found?.recipients ?? found ?? { groups: [], users: [] }
  }
  const people = tasks.flatMap((task) => [
    ...[task.processor ?? [], task.completedBy ?? []].flat(),
    ...recipientsOf(task).users,
  ])
  const globalIds = await globalIdsOf(people)
  return tasks.map((task) =>
    toSpiTask(task, { wanted, base, recipients: recipientsOf(task), globalIds }),
  )
}

function toSpiTask(task: Task, { wanted, base, recipients, globalIds }: ShownTask) {
  const idOf = (user: string | null) => (user === null ? null : (globalIds.get(user) ?? null))
  const processor = idOf(task.processor)
  const users = recipients.users.flatMap((user) => globalIds.get(user) ?? [])
  // A processor must be among the recipients, and hides the task from the others. If Task Center does not know the processor,
  // the task is shown to nobody until it is released.
  const isHidden = task.processor !== null && processor === null
  const recipientUsers = isHidden ? [] : [...new Set([...(processor ? [processor] : []), ...users])]
  return {
    urn: urnOf('task', task.localId),
    ...instance(),
    localId: task.localId,
    definitionId: urnOf('taskdefinition', DEFINITION),
    status: task.status,
    createdAt: task.createdAt,
    modifiedAt: new Date(task.stamp).toISOString(),
    subject: localized(wanted, ({ language }) => subjectOf(task, language)),
    createdBy: null,
    processor,
    dueAt: task.dueAt,
    completedAt: task.completedAt,
    completedBy: idOf(task.completedBy),
    priority: task.priority,
    uiLink: uiLinkOf(task, base),
    recipientUsers: recipientUsers.slice(0, MOST_RECIPIENTS),
    recipientGroups: isHidden ? [] : recipients.groups,
    ...codesOf(task),
    customAttributes: attributesOf(task),
  }
}

/** The decisions and actions that this status allows. */
function codesOf({ status }: Task) {
  if (status === 'READY') return { validResponseCodes: [...RESPONSES], validActionCodes: ['claim'] }
  if (status === 'RESERVED') {
    return { validResponseCodes: [...RESPONSES], validActionCodes: [...ACTIONS] }
  }
  if (status === 'FOR_RESUBMISSION') return { validResponseCodes: ['reject'], validActionCodes: [] }
  return { validResponseCodes: [], validActionCodes: [] }
}
