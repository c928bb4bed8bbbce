import { isTyped, typedDay } from './typed.ts'

const WRAPPED = /^="(.*)"$/s
const QUOTED = /^'\d+$/
const SHORTENED = /^\d([.,]\d+)?E\+\d{1,3}$/i

/** A code as it was meant, where Excel was kept from taking it for a number: `="007"`, `'007`. */
export function codeIn(cell: string): string {
  const text = cell.trim()
  if (text.startsWith('=')) return WRAPPED.exec(text)?.[1]?.trim() ?? text
  return text.startsWith("'") && QUOTED.test(text) ? text.slice(1) : text
}

/** What Excel has made of a code, which cannot be undone; null for what can be one. */
export function faultOfCode(cell: string): string | null {
  if (cell.includes('+') && SHORTENED.test(cell.trim()))
    return 'is a number that Excel shortened: format the column as text and export again'
  if (isTyped(cell) && typedDay(cell) !== null)
    return 'is a date: format the column as text before the code is typed'
  return null
}
