// A schedule in words.
import cds from '@sap/cds'
import cronstrue from 'cronstrue/dist/cronstrue-i18n.js'
import { NEVER } from '../time/cron.ts'
import { languageOf, message } from './texts.ts'

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
