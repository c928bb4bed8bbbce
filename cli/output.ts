import { toSafeText, toSafeDocument } from './text.ts'

/** A line of the result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** A line about the work itself: it never mixes with the result. */
export function note(line: string): void {
  process.stderr.write(`${toSafeText(line)}\n`)
}

/** What `--json` prints: the API's body as it came, `{}` where there is none. */
export function printJson({ text }: { text: string }): void {
  printDocument(text.trim() === '' ? '{}' : text)
}

/** As `printJson`, but always on one line, for commands that print more than one document. */
export function printJsonLine({ text }: { text: string }): void {
  printDocument(/[\r\n]/.test(text.trim()) ? JSON.stringify(JSON.parse(text)) : text)
}

/** A whole document; only a terminal gets its control characters escaped. */
export function printDocument(text: string): void {
  const document = process.stdout.isTTY ? toSafeDocument(text) : text
  process.stdout.write(document.endsWith('\n') ? document : `${document}\n`)
}
