// What is printed. Names from a server could contain commands for the terminal: control characters are removed or escaped.

/** Control characters, and characters that change the writing direction. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const SPACES = /[\t\n\r]+/g

/** Prints lines of the result to stdout. */
export function print(...lines: string[]): void {
  for (const line of lines) process.stdout.write(`${toSafeText(line)}\n`)
}

/** Prints a line about progress or errors to stderr. */
export function note(line: string): void {
  process.stderr.write(`${toSafeText(line)}\n`)
}

/** Prints the unchanged body of the API's answer for `--json`; `{}` where there is none. */
export function printJson({ text }: { text: string }): void {
  printDocument(text.trim() === '' ? '{}' : text)
}

/** Like `printJson`, but on one line, for commands that print several documents. */
export function printJsonLine({ text }: { text: string }): void {
  printDocument(/[\r\n]/.test(text.trim()) ? JSON.stringify(JSON.parse(text)) : text)
}

/** Prints a document; control characters are escaped only on a terminal. */
export function printDocument(text: string): void {
  const document = process.stdout.isTTY ? toSafeDocument(text) : text
  process.stdout.write(document.endsWith('\n') ? document : `${document}\n`)
}

/** Text on one line without control characters. */
export function toSafeText(text: string): string {
  return text.replace(SPACES, ' ').replace(UNSAFE, '')
}

/** JSON, or CSV, for a terminal: line breaks stay, other control characters become `\u001b` and the like. */
function toSafeDocument(text: string): string {
  return text.replace(UNSAFE, (character) =>
    /[\n\r\t]/.test(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** `1 line`, `3 lines`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** The words of a code: `overdue order` for `overdue_order`. */
export const words = (code: string) => code.replaceAll('_', ' ')

/** `504.00 EUR`; the amount alone where no currency is known. */
export const money = (amount: string, currency: string | null | undefined) =>
  `${amount} ${currency ?? ''}`.trim()

const STEP_EVERY_MS = 2000

/** Reports the current step; `end` clears it from a terminal. Elsewhere it is at most one line every two seconds. */
export function createStepReport(stream: NodeJS.WriteStream) {
  let notedAt = Date.now()
  const tell = (what: string) => {
    if (stream.isTTY) return void stream.write(`\r\u001b[K${what}`)
    if (Date.now() - notedAt < STEP_EVERY_MS) return
    notedAt = Date.now()
    stream.write(`${what}\n`)
  }
  const end = () => void (stream.isTTY && stream.write('\r\u001b[K'))
  return Object.assign(tell, { end })
}
