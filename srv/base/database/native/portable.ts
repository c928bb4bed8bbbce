// Portable CQN for every other database.
import {
  blockOf,
  blocksOf,
  type DemandDay,
  type DemandRow,
  type DemandRowList,
  type DocumentDay,
} from './demand-row.ts'
import { DemandRows, readAs } from '../entities.ts'
import { inChunks } from '../rows.ts'

const VALUES = ['quantity', 'price', 'promo'] as const
const keyOf = ({ series, date, document }: DemandRow) => `${series} ${date} ${document}`

export async function upsertDemand(
  list: DemandRowList,
  read: number,
  stamps: (row: DemandRow) => boolean,
) {
  const rows = Array.from({ length: list.length }, (_, at) => list.at(at)!)
  const dates = rows.map(({ date }) => date).sort()
  const series = [...new Set(rows.map((row) => row.series))]
  const found = await readAs<DemandRow>(
    SELECT.from(DemandRows)
      .columns('series', 'date', 'document', ...VALUES)
      .where({
        block: { in: blocksOf(series) },
        series: { in: series },
        date: { between: dates[0], and: dates.at(-1) },
      }),
  )
  const stored = new Map(found.map((row) => [keyOf(row), row]))
  const changed = rows.filter((row) => {
    const before = stored.get(keyOf(row))
    return !before || !hasSameValues(before, row)
  })
  const isChanged = new Set(changed)
  const written = rows.filter((row) => isChanged.has(row) || stamps(row))
  if (written.length) {
    const entries = written.map((row) => ({ block: blockOf(row.series), ...row, seenIn: read }))
    await UPSERT.into(DemandRows).entries(entries)
  }
  return changed.map(({ series }) => series)
}

export const insertDemand = async (rows: DemandRowList, read: number) =>
  (await upsertDemand(rows, read, () => false)).length

export async function readDays(series: number[], from: string, to: string): Promise<DemandDay[]> {
  const rows = await SELECT.from(DemandRows)
    .columns('series', 'date', 'quantity', 'promo')
    .where({
      block: { in: blocksOf(series) },
      series: { in: series },
      date: { between: from, and: to },
    })
    .orderBy('block', 'date')
  return rows.map((row) => [
    Number(row.series),
    String(row.date),
    Number(row.quantity),
    row.promo === null ? null : Boolean(row.promo),
  ])
}

export async function findDocuments(block: number, documents: string[], from: string) {
  const found: DocumentDay[] = []
  for (const chunk of inChunks(documents)) {
    const rows = await SELECT.from(DemandRows)
      .columns('series', 'document', 'date')
      .where({ block, date: { '>=': from }, document: { in: chunk } })
    found.push(...rows)
  }
  return found
}

/** Whether a stored row says the same as a record; decimals are compared as numbers. */
function hasSameValues(stored: DemandRow, record: DemandRow): boolean {
  return VALUES.every((column) => {
    const [a, b] = [stored[column] ?? null, record[column] ?? null]
    if (a === b) return true
    if (a === null || b === null || typeof b === 'boolean') return false
    return Number(a) === Number(b)
  })
}
