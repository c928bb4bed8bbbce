import type { StreamCheck } from '../../adapter.ts'
import type { AnyRecord } from '../../records.ts'
import { problemOf } from '../../rows/values.ts'
import type { OpenFile } from '../file/open-file.ts'
import { Row } from '../row.ts'
import { notesOf } from '../streams.ts'
import type { Table } from '../tables.ts'

/** Rows that are shown. */
const ROWS = 5

/** The first rows as they are understood, and what an admin should look at. */
export async function previewOf(
  opened: OpenFile,
  file: string,
  table: Table,
): Promise<Pick<StreamCheck, 'preview' | 'notes'>> {
  const row = new Row(opened.header.columns, opened.formats)
  const map = table.mapper()
  const preview: string[] = []
  const bad: string[] = []
  for await (const rows of opened.rows()) {
    for (const { line, cells, problem } of rows) {
      if (preview.length === ROWS) break
      try {
        row.moveTo(cells)
        if (problem) bad.push(`${file}, line ${line}: ${problem.message}`)
        else {
          const record = map(row)
          if (record) preview.push(describeRecord(record))
        }
      } catch (error) {
        bad.push(`${file}, line ${line}: ${problemOf(error).message}`)
      }
    }
    break
  }
  const notes = [...notesOf(opened, file), ...bad.slice(0, 1)]
  return { preview, ...(notes.length && { notes }) }
}

/** How a value is said, where its field's name alone would not do. */
const SAID: Record<string, (value: string) => string> = {
  date: (value) => value,
  quantity: (value) => `${value} units`,
  onHand: (value) => `${value} on hand`,
  leadTimeDays: (value) => `lead time ${value} days`,
  reviewPeriodDays: (value) => `review period ${value} days`,
  name: (value) => value,
}
const PLACES = new Set(['sku', 'location'])

/** @example 'A-1 at L1, 2026-11-03, 12 units' */
export function describeRecord(record: AnyRecord): string {
  const { sku, location, ...fields }: Record<string, unknown> = record
  const place = [sku, location].filter((each) => typeof each === 'string').join(' at ')
  const said = Object.entries(fields).flatMap(([field, value]) => {
    if (value === null || value === undefined || PLACES.has(field)) return []
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return [SAID[field]?.(text) ?? `${wordsOf(field)} ${text}`]
  })
  return [...(place ? [place] : []), ...said].join(', ')
}

const wordsOf = (field: string) =>
  field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
