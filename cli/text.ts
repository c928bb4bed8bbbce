// Escapes control characters, because names from a server could contain commands for the terminal.

/** Control characters, and characters that change the writing direction. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const SPACES = /[\t\n\r]+/g
const MAX_CELL_LENGTH = 160

/** Text on one line without control characters. */
export function toSafeText(text: string): string {
  return text.replace(SPACES, ' ').replace(UNSAFE, '')
}

/** Any value as the text of a table cell: a dash if empty, cut if very long. */
export function toCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–'
  const text = toSafeText(String(value))
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH - 1)}…` : text
}

/** JSON, or CSV, for a terminal: line breaks stay, other control characters become `\u001b` and the like. */
export function toSafeDocument(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' || character === '\r' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** `1 line`, `3 lines`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
