// Arrays as parameters, one statement a page.
import cds from '@sap/cds'
import { connection } from './connection.ts'
import type { DemandDay, DemandRow } from './demand-row.ts'

const ROWS = `unnest($1::int[], $2::date[], $3::text[], $4::float8[], $5::float8[], $6::boolean[])
  AS row (series, date, document, quantity, price, promo)`

const UPSERT = `INSERT INTO restock_Demand AS d (series, date, document, quantity, price, promo, seenIn)
  SELECT series, date, document, quantity, price, promo, $7::int FROM ${ROWS}
  ON CONFLICT (series, date, document) DO UPDATE SET
    quantity = excluded.quantity, price = excluded.price, promo = excluded.promo, seenIn = excluded.seenIn
  WHERE (d.quantity, d.price, d.promo) IS DISTINCT FROM (excluded.quantity, excluded.price, excluded.promo)
  RETURNING d.series`

const STAMP = `UPDATE restock_Demand AS d SET seenIn = $7::int FROM ${ROWS}
  WHERE d.series = row.series AND d.date = row.date AND d.document = row.document AND d.seenIn <> $7::int`

const DAYS = `SELECT series, to_char(date, 'YYYY-MM-DD') AS day, sum(quantity) AS quantity, bool_or(promo) AS promo
  FROM restock_Demand WHERE series = ANY($1::int[]) AND date BETWEEN $2::date AND $3::date
  GROUP BY series, date ORDER BY series, date`

type Row = Record<string, unknown>

const columns = (rows: DemandRow[]) =>
  (['series', 'date', 'document', 'quantity', 'price', 'promo'] as const).map((name) =>
    rows.map((row) => row[name]),
  )

interface Client {
  query(sql: string, values: unknown[]): Promise<{ rows: Row[] }>
}

export async function upsertDemand(rows: DemandRow[], read: number, whole: boolean) {
  const client = await connection<Client>()
  const values = [...columns(rows), read]
  const { rows: changed } = await client.query(UPSERT, values)
  if (whole && changed.length < rows.length) await client.query(STAMP, values)
  return changed.map(({ series }) => Number(series))
}

export async function readDays(series: number[], from: string, to: string): Promise<DemandDay[]> {
  return cds.tx(async () => {
    const client = await connection<Client>()
    const { rows } = await client.query(DAYS, [series, from, to])
    return rows.map((row): DemandDay => [
      Number(row.series),
      String(row.day),
      Number(row.quantity),
      row.promo as boolean | null,
    ])
  })
}
