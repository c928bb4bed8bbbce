// Parses long answers part by part. V8 keeps what it parses from a longer text in its old space, where garbage waits
// for a collection of everything; of short parts the garbage is gone at once.
import { parseJson } from '../http/json.ts'

/** Bytes of a part; V8's limit is 100 kB. */
const PART = 24_000
/** What a row of V2 begins with, up to its key. */
const START = /^\{"__metadata":\{"\w+":"[^"(]+\(/
const LONGEST_START = 500

/** An answer whose first rows were taken out of it, and what is kept of them. */
export interface Parsed<Kept> {
  kept: Kept[]
  rest: unknown
}

/**
 * Parses an answer; of V2's rows only what is kept of them stays in memory.
 * @throws SyntaxError where the answer is not whole
 */
export function parseRows<Row, Kept>(answer: Buffer, keep: (row: Row) => Kept): Parsed<Kept> {
  const first = answer.indexOf('[') + 1
  const start = START.exec(answer.toString('latin1', first, first + LONGEST_START))?.[0]
  if (!start) return { kept: [], rest: parseJson(answer.toString()) }
  const border = Buffer.from(`},${start}`)
  const kept: Kept[] = []
  let at = first
  for (let end; (end = answer.indexOf(border, at + PART)) >= 0; at = end + 2) {
    const rows = parseJson(`[${answer.toString('utf8', at, end + 1)}]`) as Row[]
    for (const row of rows) kept.push(keep(row))
  }
  return { kept, rest: parseJson(answer.toString('utf8', 0, first) + answer.toString('utf8', at)) }
}
