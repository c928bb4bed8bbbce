// The table of docs/reference/security.md, from what each call was answered.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { format } from 'prettier'
import { serverUrl } from '../../../support/server.ts'
import type { Caller } from './callers.ts'
import type { Call } from './calls.ts'

const FILE = path.resolve(import.meta.dirname, '../../../../docs/reference/security.md')
const TABLE = /(?<=<!-- endpoints -->\n)[^]*(?=<!-- \/endpoints -->)/

/** Allowed, refused, or not offered to anybody. */
export type Cell = '✓' | '–' | ''

export interface Row {
  what: string
  cells: Cell[]
}

const NOT_OFFERED = [405, 501]
/** Also 503, which the pages of the apps answer until UI5 has been built. */
const NO_FAULTS = [501, 503]
const REFUSED = [401, 403]

async function cellOf(call: Call, { headers }: Caller, own: Record<string, string>): Promise<Cell> {
  const { method, path, body } = call
  const send = () =>
    fetch(serverUrl() + path, {
      ...{ method, redirect: 'manual' },
      headers: { ...headers, ...own, ...(body && { 'Content-Type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
  // A connection on which a call was refused is closed, perhaps while the next one takes it.
  const response = await send().catch(send)
  const text = await response.text()
  const { status } = response
  if (status === 429 || (status >= 500 && !NO_FAULTS.includes(status))) {
    throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
  }
  if (NOT_OFFERED.includes(status)) return ''
  return REFUSED.includes(status) ? '–' : '✓'
}

/** @param own headers of a caller that this door needs, such as a token against forged calls */
export async function rowsOf(
  calls: Call[],
  callers: Caller[],
  own: (caller: Caller) => Promise<Record<string, string>> = async () => ({}),
): Promise<Row[]> {
  const ownHeaders = await Promise.all(callers.map(own))
  const rows: Row[] = []
  for (const call of calls) {
    const cells = await Promise.all(
      callers.map((caller, at) => cellOf(call, caller, ownHeaders[at]!)),
    )
    // Who may not call at all is refused before it is known whether the method is offered.
    if (cells.includes('✓')) rows.push({ what: call.what, cells: cells.map((cell) => cell || '–') })
  }
  return rows
}

/** Rows with the same cells stand together. */
export function tableOf(callers: Caller[], rows: Row[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const groups = Map.groupBy(rows, ({ what, cells }) => [/^read /.test(what), ...cells].join(' '))
  return [
    line(['', ...callers.map(({ name }) => name)]),
    line(['---', ...callers.map(() => ':-:')]),
    ...[...groups.values()].map((same) =>
      line([together(same.map(({ what }) => what)), ...same[0]!.cells]),
    ),
  ].join('\n')
}

function together(names: string[]): string {
  if (!names.every((name) => name.startsWith('read '))) return names.join(', ')
  return `read ${names.map((name) => name.slice('read '.length)).join(', ')}`
}

/** The text of the page as it is, and as it should be. */
export async function pageWith(tables: Record<string, string>) {
  const text = readFileSync(FILE, 'utf8')
  const parts = Object.entries(tables).map(([title, table]) => `### ${title}\n\n${table}`)
  const generated = await format(`\n${parts.join('\n\n')}\n`, { parser: 'markdown' })
  const expected = text.replace(TABLE, () => `\n${generated}\n`)
  if (process.env.WRITE_DOCS) writeFileSync(FILE, expected)
  return { text: readFileSync(FILE, 'utf8'), expected }
}
