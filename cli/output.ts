import { safe, safeDocument } from './text.ts'
import type { Answer } from './answer.ts'

/** A line of the result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** A line about the work itself: it never mixes with the result. */
export function note(line: string): void {
  process.stderr.write(`${safe(line)}\n`)
}

/** What `--json` prints: the API's body as it came, `{}` where there is none. */
export function printJson(answer: Answer): void {
  printDocument(answer.text.trim() === '' ? '{}' : answer.text)
}

/** As `printJson`, but always on one line, for commands that print more than one document. */
export function printJsonLine(answer: Answer): void {
  printDocument(/[\r\n]/.test(answer.text.trim()) ? JSON.stringify(answer.body) : answer.text)
}

/** A whole document; only a terminal gets its control characters escaped. */
export function printDocument(text: string): void {
  const document = process.stdout.isTTY ? safeDocument(text) : text
  process.stdout.write(document.endsWith('\n') ? document : `${document}\n`)
}
