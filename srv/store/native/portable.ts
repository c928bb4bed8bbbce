// Portable CQN for every other database.
import cds from '@sap/cds'
import { sameValues } from '../written.ts'
import type { DemandDay, DemandRow } from './demand-row.ts'

const { SELECT, UPSERT } = cds.ql

const VALUES = ['quantity', 'price', 'promo']
const keyOf = ({ series, date, document }: DemandRow) => `${series} ${date} ${document}`

export async function upsertDemand(rows: DemandRow[], read: number, whole: boolean) {
  const dates = rows.map(({ date }) => date).sort()
  const found: DemandRow[] = await SELECT.from('restock.Demand')
    .columns('series', 'date', 'document', ...VALUES)
    .where({
      series: { in: [...new Set(rows.map(({ series }) => series))] },
      date: { between: dates[0], and: dates.at(-1) },
    })
  const stored = new Map(
    found.map((row) => [keyOf(row), row as unknown as Record<string, unknown>]),
  )
  const changed = rows.filter((row) => {
    const before = stored.get(keyOf(row))
    return !before || !sameValues(before, { ...row }, VALUES)
  })
  const written = whole ? rows : changed
  if (written.length) {
    const entries = written.map((row) => ({ ...row, seenIn: read }))
    await UPSERT.into('restock.Demand').entries(entries)
  }
  return changed.map(({ series }) => series)
}

export async function readDays(series: number[], from: string, to: string): Promise<DemandDay[]> {
  const rows = await SELECT.from('restock.Demand')
    .columns('series', 'date', 'sum(quantity) as quantity', 'max(promo) as promo')
    .where({ series: { in: series }, date: { between: from, and: to } })
    .groupBy('series', 'date')
    .orderBy('series', 'date')
  return rows.map((row: Record<string, unknown>) => [
    Number(row.series),
    String(row.date),
    Number(row.quantity),
    row.promo === null ? null : Boolean(row.promo),
  ])
}
