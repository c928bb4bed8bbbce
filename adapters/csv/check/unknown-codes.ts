import type { StreamCheck } from '../../adapter.ts'
import { codeIn } from '../../../tables/codes.ts'
import { TableRefused } from '../../../tables/refusal.ts'
import { Fatal, Retriable } from '../../errors.ts'
import type { RecordKind } from '../../records.ts'
import type { Drop } from '../file/drop.ts'
import { openFile } from '../file/open-file.ts'
import type { Format } from '../options.ts'
import { findFile } from '../streams.ts'
import { TABLES, type Table } from '../tables.ts'
import type { StreamNote } from './unread-files.ts'

/** Rows that are read of a file: of longer ones it is not known which codes they lack. */
const MAX_ROWS = 200_000
const NAMED = 3

type Codes = Record<'sku' | 'location', Set<string>>

/** Names with stock, planning or orders that were never sold: they are perhaps written otherwise there. */
export async function unknownCodes(
  drop: Drop,
  format: Format,
  checks: readonly StreamCheck[],
  signal: AbortSignal,
): Promise<StreamNote[]> {
  const codesOf = (name: string) =>
    checks.some((each) => each.record === name && each.status === 'ok')
      ? codesOfFile(
          TABLES.find((table) => table.record === name)!,
          drop,
          format,
          signal,
        )
      : null
  const demand = await codesOf('demand')
  if (!demand) return []
  const notes: StreamNote[] = []
  const stock = await codesOf('stock')
  if (stock)
    for (const note of [
      unknownNote('SKUs', [...stock.sku], demand.sku, (sku) => sku),
      unknownNote('locations', [...stock.location], demand.location, spelling(demand.location)),
    ])
      if (note) notes.push({ record: 'stock', note })
  for (const record of ['planning', 'openOrders'] as const) {
    const codes = await codesOf(record)
    const note = codes && spellingNote(record, [...codes.location], demand.location)
    if (note) notes.push({ record, note })
  }
  return notes
}

function unknownNote(
  names: string,
  there: string[],
  known: Set<string>,
  say: (code: string) => string,
): string | null {
  const unknown = there.filter((code) => !known.has(code))
  if (!unknown.length) return null
  const named = unknown.slice(0, NAMED).map(say).join(', ')
  return `${unknown.length} of ${there.length} ${names} with stock have no demand, for example ${named}.`
}

function spellingNote(record: RecordKind, there: string[], known: Set<string>): string | null {
  const say = spelling(known)
  const others = there.filter((code) => !known.has(code) && say(code) !== code)
  if (!others.length) return null
  const { stem } = TABLES.find((table) => table.record === record)!
  const named = others.slice(0, NAMED).map(say).join(', ')
  return `${stem}.csv spells locations otherwise than demand.csv, for example ${named}: they are not joined.`
}

/** A code, with how demand.csv spells it where it does so otherwise. */
function spelling(known: Set<string>): (code: string) => string {
  const spelled = new Map([...known].map((code) => [lettersOf(code), code]))
  return (code) => {
    const other = spelled.get(lettersOf(code))
    return other === undefined ? code : `${code} (${other} in demand.csv)`
  }
}

/** What of a code is left without case, blanks, signs and leading zeros. */
const lettersOf = (code: string) =>
  code
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+(?=.)/, '')

/** All codes of a file; null for a long one, and for one that cannot be read to its end. */
async function codesOfFile(...file: Parameters<typeof readCodes>): Promise<Codes | null> {
  try {
    return await readCodes(...file)
  } catch (error) {
    if (error instanceof Fatal || error instanceof Retriable || error instanceof TableRefused)
      return null
    throw error
  }
}

async function readCodes(
  table: Table,
  drop: Drop,
  format: Format,
  signal: AbortSignal,
): Promise<Codes | null> {
  const found = await findFile(table, drop, signal)
  if (!found) return null
  const file = await found.open()
  try {
    const opened = await openFile(file, table, format, signal)
    const codes: Codes = { sku: new Set(), location: new Set() }
    let rows = 0
    try {
      for await (const batch of opened.rows()) {
        rows += batch.length
        if (rows > MAX_ROWS) return null
        for (const [column, found] of Object.entries(codes)) {
          const index = opened.header.columns.get(column)!
          for (const { cells, problem } of batch) if (!problem) found.add(codeIn(cells[index]!))
          found.delete('')
        }
      }
    } finally {
      await opened.close()
    }
    return codes
  } finally {
    await file.handle.close()
  }
}
