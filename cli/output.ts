import { toSafeText, toSafeDocument } from './text.ts'

/** Prints a line of the result to stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
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
