import { REASON_CODES } from '../../reason-codes.ts'
import { ATTRIBUTES, DEFINITION } from '../definition.ts'
import { instance } from '../settings.ts'
import { codeNames, message } from '../../texts.ts'
import type { RequestedLanguage } from './parameters.ts'
import { urnOf } from './urn.ts'

export interface LocalText {
  languageCode: string
  text: string
  isDefault: boolean
}

/** A text in each of these languages; the first is the default. */
export const localized = (
  wanted: RequestedLanguage[],
  textIn: (each: RequestedLanguage) => string,
): LocalText[] =>
  wanted.map((each, index) => ({
    languageCode: each.code,
    text: textIn(each),
    isDefault: index === 0,
  }))

/** What a task may be answered with, and what may be done before. */
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
