// What is wrong with a row of the ERP, in the language of whoever reads it. Adapters say it in English, and so it is stored; the
// sentences that are often said have a form in each language in _i18n/messages.json, as `fault_…`.
import cds from '@sap/cds'
import cronstrue from 'cronstrue/dist/cronstrue-i18n.js'
import { NEVER } from '../time/cron.ts'
import { languageOf, message } from './texts.ts'

/** A sentence with names where values stand: text, name, text, name … text. */
interface Form {
  key: string
  parts: string[]
}

let forms: Form[] | null = null

/** Those that say more come first: `is empty: …` before `is empty`. */
function formsOf(): Form[] {
  const texts = cds.i18n.messages.texts4('')
  return Object.keys(texts)
    .filter((key) => key.startsWith('fault_'))
    .sort((a, b) => texts[b]!.length - texts[a]!.length)
    .map((key) => ({ key, parts: texts[key]!.split(/\{(\w+)\}/) }))
}

/** The values by which a form becomes the sentence; null where it cannot. */
function valuesIn(sentence: string, parts: string[]): Record<string, string> | null {
  const [first = '', ...others] = parts
  if (!sentence.startsWith(first)) return null
  const values: Record<string, string> = {}
  let from = first.length
  for (let at = 0; at < others.length; at += 2) {
    const text = others[at + 1]!
    const isLast = at + 2 === others.length
    const end = isLast ? sentence.lastIndexOf(text) : sentence.indexOf(text, from + 1)
    if (end <= from) return null
    values[others[at]!] = sentence.slice(from, end)
    from = end + text.length
  }
  return from === sentence.length ? values : null
}

/** The sentence in the language of the request where its form is known; as it is where not, and in English. */
export function writtenFault(sentence: string, locale = cds.context?.locale ?? 'en'): string {
  const language = languageOf(locale) ?? 'en'
  if (language === 'en') return sentence
  forms ??= formsOf()
  for (const { key, parts } of forms) {
    const values = valuesIn(sentence, parts)
    if (values) return cds.i18n.messages.at(key, language, values) ?? sentence
  }
  return sentence
}

// A schedule in words.

/** `At 01:30 (Europe/Berlin)` for `30 1 * * *`; an expression that cannot be said stays as it is. */
export function writtenSchedule(expression: string, timeZone: string, language?: string): string {
  if (!expression || expression === NEVER) return message('schedule_never', {}, language)
  const locale = languageOf(language ?? cds.context?.locale ?? 'en') ?? 'en'
  try {
    return `${cronstrue.toString(expression, { locale, use24HourTimeFormat: true })} (${timeZone})`
  } catch {
    return expression
  }
}
