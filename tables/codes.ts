import { isTyped, typedDay } from './typed.ts'

const WRAPPED = /^="(.*)"$/s
const QUOTED = /^'\d+$/
/** What cells of Excel show instead of a result, in English and German. */
const ERROR = /^#(N\/A|NV|REF!|BEZUG!|VALUE!|WERT!|NAME\?|DIV\/0!|NUM!|ZAHL!|NULL!)$/
/** Accents apart from their letters, as file names of macOS have them. */
const APART = /[\u0300-\u036f]/
/** Digits of a number beyond those that Excel keeps. */
/** Signs without a width at an edge of a code, which web pages leave there: nobody sees them. */
const UNSEEN = /^[\u200b-\u200f\u2060]|[\u200b-\u200f\u2060]$/
const LONG = /^\d{16,}/
const SHORTENED = /^\d([.,]\d+)?E\+\d{1,3}$/i

/**
 * A code as it was meant, where Excel was kept from taking it for a number: `="007"`, `'007`. Accents are
 * part of their letters, so that a code that looks alike in two files is one.
 */
export function codeIn(cell: string): string {
  let trimmed = cell.trim()
  while (UNSEEN.test(trimmed)) trimmed = trimmed.replace(UNSEEN, '').trim()
  const text = APART.test(trimmed) ? trimmed.normalize('NFC') : trimmed
  if (text.startsWith('=')) return WRAPPED.exec(text)?.[1]?.trim() ?? text
  return text.startsWith("'") && QUOTED.test(text) ? text.slice(1) : text
}

/** What Excel has made of a code, which cannot be undone; null for what can be one. */
export function faultOfCode(cell: string): string | null {
  if (cell.includes('+') && SHORTENED.test(cell.trim()))
    return 'is a number that Excel shortened: format the column as text and export again'
  if (cell.startsWith('#') && ERROR.test(cell.trim()))
    return 'is an error of Excel: mend the formula and export again'
  if (isTyped(cell) && typedDay(cell) !== null)
    return 'is a date: format the column as text before the code is typed'
  if (isTyped(cell) && LONG.test(cell.trim()))
    return 'is a number of more than 15 digits, of which Excel keeps 15: format the column as text before the code is typed'
  return null
}
