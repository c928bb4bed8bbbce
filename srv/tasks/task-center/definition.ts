import { REASON_CODES } from '../../reason-codes.ts'
import { type AttributeCode, ATTRIBUTES, DEFINITION } from '../definition.ts'
import { instance } from '../settings.ts'
import { REASONS, type Text, TEXTS } from '../texts.ts'
import type { Wanted } from './parameters.ts'
import { urnOf } from './urn.ts'

export interface LocalText {
  languageCode: string
  text: string
  isDefault: boolean
}

/** A text in each of these languages; the first is the default. */
export const localized = (wanted: Wanted[], textIn: (each: Wanted) => string): LocalText[] =>
  wanted.map((each, index) => ({
    languageCode: each.code,
    text: textIn(each),
    isDefault: index === 0,
  }))

/** What a task may be answered with, and what may be done before. */
export const RESPONSES = ['approve', 'reject'] as const
export const ACTIONS = ['claim', 'release'] as const

/** The one kind of tasks that there is. */
export function definition(wanted: Wanted[]) {
  const name = (text: Text) => localized(wanted, ({ language }) => text[language])
  const unsupported = { commentRequired: 'UNSUPPORTED', reasonRequired: 'UNSUPPORTED' }
  const noBulk = [{ name: 'tasks.bulk.operations', value: false }]
  return {
    urn: urnOf('taskdefinition', DEFINITION),
    ...instance(),
    localId: DEFINITION,
    name: name(TEXTS.definition),
    possibleResponses: [
      {
        ...{ code: 'approve', name: name(TEXTS.approve), nature: 'POSITIVE' },
        ...{ commentRequired: 'OPTIONAL', reasonRequired: 'UNSUPPORTED', capabilities: noBulk },
      },
      {
        ...{ code: 'reject', name: name(TEXTS.reject), nature: 'NEGATIVE' },
        ...{ commentRequired: 'REQUIRED', reasonRequired: 'OPTIONAL', capabilities: noBulk },
        possibleReasons: REASON_CODES.map((code) => ({ code, name: name(REASONS[code]!) })),
      },
    ],
    possibleActions: ACTIONS.map((code) => ({
      ...{ code, name: name(TEXTS[code]), nature: 'NEUTRAL', ...unsupported, capabilities: noBulk },
    })),
    customAttributes: Object.entries(ATTRIBUTES).map(([code, attribute], index) => ({
      ...{ code, ...attribute, name: name(TEXTS[code as AttributeCode]), rank: index + 1 },
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
