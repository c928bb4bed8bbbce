import type { Request } from 'express'
import { REASON_CODES } from '../../../base/texts/codes.ts'
import {
  codeNames,
  type Language,
  languageOf,
  LANGUAGES,
  message,
} from '../../../base/texts/texts.ts'
import { audiences, MOST_RECIPIENTS, type Recipients } from '../feed/audience.ts'
import { globalIdsOf } from '../person.ts'
import { invalid } from '../refusal.ts'
import { instance } from '../settings.ts'
import { subjectOf, type Task } from '../task.ts'
import { ATTRIBUTES, attributesOf, DEFINITION, uiLinkOf } from '../texts.ts'

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

type Kind = 'task' | 'taskdefinition'

const prefixOf = (kind: Kind) => {
  const { applicationId, applicationInstanceId, tenantId } = instance()
  return `urn:sap.odm.bpm.${kind}:${applicationId}:${applicationInstanceId}:${tenantId}:`
}

const urnOf = (kind: Kind, localId: string) => prefixOf(kind) + localId

/** The local id within a URN of ours; null for any other. */
export function localIdOf(kind: Kind, urn: string): string | null {
  const prefix = prefixOf(kind)
  const localId = urn.startsWith(prefix) ? urn.slice(prefix.length) : ''
  return /^[A-Za-z0-9._-]{1,64}$/.test(localId) ? localId : null
}

/**
 * The position of a URN among the positions of our tasks, in hex: greater than those of all smaller URNs of ours. Any text
 * may be given.
 */
export function placeAfter(urn: string): string {
  const [prefix, given] = [prefixOf('task'), urn]
  if (given.startsWith(prefix)) return Buffer.from(given.slice(prefix.length)).toString('hex')
  return Buffer.compare(Buffer.from(given), Buffer.from(prefix)) < 0 ? '' : 'g'
}

// The query parameters of the SPI; each at most once.

function one(req: Request, name: string): string | null {
  const values = new URL(req.url, 'http://localhost').searchParams.getAll(name)
  if (values.length > 1) throw invalid(name, 'must be given once')
  return values[0] ?? null
}

/** A language as it was asked for, and the one of our texts that answers it. */
interface RequestedLanguage {
  code: string
  language: Language
}

const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/
const MOST_LANGUAGES = 20

/** The requested languages that there are texts in, in the order of the request; English if there are none. */
export function languages(req: Request): RequestedLanguage[] {
  const codes = one(req, 'languages')?.split(',') ?? []
  const isFit = codes.length && codes.length <= MOST_LANGUAGES
  if (!isFit || !codes.every((code) => LANGUAGE.test(code))) {
    throw invalid('languages', 'must name one or more languages, such as en-US,de-DE')
  }
  const known = [...new Set(codes)].flatMap((code) => {
    const language = languageOf(code)
    return language ? [{ code, language }] : []
  })
  return known.length ? known : [{ code: 'en-US', language: LANGUAGES[0] }]
}

/** A whole number of a range. */
export function whole(req: Request, name: string, least: number, most: number, other: number) {
  const text = one(req, name)
  if (text === null) return other
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN
  if (value >= least && value <= most) return value
  throw invalid(name, `must be a whole number of ${least}..${most}`)
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A moment in UTC with exactly three decimals, in milliseconds since 1970. */
export function modifiedAfter(req: Request): number {
  const text = one(req, 'modifiedAfter')
  const time = text && INSTANT.test(text) ? new Date(text) : null
  // JavaScript turns an impossible day into another one, so it is refused.
  if (time && !Number.isNaN(time.getTime()) && time.toISOString() === text) return time.getTime()
  throw invalid('modifiedAfter', 'must be a time in UTC such as 2026-11-21T06:00:00.000Z')
}

const LONGEST_URN = 300

export function lastId(req: Request): string | null {
  const urn = one(req, 'lastId')
  if (urn === null || (urn && urn.length <= LONGEST_URN)) return urn
  throw invalid('lastId', `must be the URN of a task, ${LONGEST_URN} characters at most`)
}
