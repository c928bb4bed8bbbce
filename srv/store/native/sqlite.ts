// Prepared statements on the transaction's own connection: several times CAP's rows a second.
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as others } from 'node:timers/promises'
import { driverConnection, inTransaction, prepareStatement } from '../../cap/connection.ts'
import {
  blockOf,
  blocksOf,
  type DemandDay,
  type DemandRow,
  type DocumentDay,
} from './demand-row.ts'

/** Rows written before other work gets its turn. */
const SLICE = 5_000

const UPSERT = `INSERT INTO restock_DemandRows (block, date, series, document, quantity, price, promo, seenIn)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (block, date, series, document) DO UPDATE SET
    quantity = excluded.quantity, price = excluded.price, promo = excluded.promo, seenIn = excluded.seenIn
  WHERE quantity IS NOT excluded.quantity OR price IS NOT excluded.price OR promo IS NOT excluded.promo`

const STAMP =
  'UPDATE restock_DemandRows SET seenIn = ? WHERE block = ? AND date = ? AND series = ? AND document = ?'

const DAYS = `SELECT series, date, quantity, promo FROM restock_DemandRows
  WHERE block = ? AND date BETWEEN ? AND ? AND series IN (SELECT value FROM json_each(?)) ORDER BY date`

const DOCUMENTS = `SELECT series, document, date FROM restock_DemandRows
  WHERE block = ? AND date >= ? AND document IN (SELECT value FROM json_each(?))`

const flag = (value: boolean | null) => (value === null ? null : Number(value))

export async function upsertDemand(rows: DemandRow[], read: number, whole: boolean) {
  const dbc = await driverConnection<DatabaseSync>()
  const [upsert, stamp] = [prepareStatement(dbc, UPSERT), prepareStatement(dbc, STAMP)]
  const changed: number[] = []
  for (let at = 0; at < rows.length; at += SLICE) {
    if (at) await others()
    for (const { series, date, document, quantity, price, promo } of rows.slice(at, at + SLICE)) {
      const block = blockOf(series)
      const result = upsert.run(block, date, series, document, quantity, price, flag(promo), read)
      if (result.changes) changed.push(series)
      else if (whole) stamp.run(read, block, date, series, document)
    }
  }
  return changed
}

export async function readDays(series: number[], from: string, to: string): Promise<DemandDay[]> {
  return inTransaction(async () => {
    const statement = prepareStatement(await driverConnection<DatabaseSync>(), DAYS)
    statement.setReturnArrays(true)
    const rows = blocksOf(series).flatMap(
      (block) => statement.all(block, from, to, JSON.stringify(series)) as unknown as DemandDay[],
    )
    for (const row of rows) if (row[3] !== null) row[3] = Boolean(row[3])
    return rows
  })
}

export async function findDocuments(block: number, documents: string[], from: string) {
  const statement = prepareStatement(await driverConnection<DatabaseSync>(), DOCUMENTS)
  return statement.all(block, from, JSON.stringify(documents)) as unknown as DocumentDay[]
}
