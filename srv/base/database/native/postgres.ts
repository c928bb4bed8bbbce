// Arrays as parameters, one statement a page.
import { toEpochDay } from '../../../../engine/index.ts'
import { driverConnection } from '../../cap/connection.ts'
import { inTransaction } from '../../cap/context.ts'
import {
  blockOf,
  blocksOf,
  type DemandDay,
  type DemandRow,
  type DemandRowList,
  type DocumentDay,
} from './demand-row.ts'

/** Columns in which no row has a value are null as a whole; no document is an empty one. */
const ROWS = `(SELECT block, date '1970-01-01' + day AS date, series, coalesce(document, '') AS document, quantity, price, promo
  FROM unnest($1::int[], $2::int[], $3::int[], $4::text[], $5::float8[], $6::float8[], $7::boolean[])
    AS sent (block, day, series, document, quantity, price, promo)) AS row`

/**
 * Rows that are not stored, or otherwise: a conflict without a change would lock its row, which is a write. What is stored is
 * read in the blocks and days of the rows alone.
 */
const CHANGED = `INSERT INTO restock_DemandRows AS d (block, date, series, document, quantity, price, promo, seenIn)
  SELECT row.block, row.date, row.series, row.document, row.quantity, row.price, row.promo, $8::int FROM ${ROWS}
  LEFT JOIN (SELECT * FROM restock_DemandRows
    WHERE block = ANY($9::int[]) AND date BETWEEN date '1970-01-01' + $10::int AND date '1970-01-01' + $11::int
  ) AS old ON old.block = row.block AND old.date = row.date AND old.series = row.series
    AND old.document = row.document
  WHERE old.series IS NULL
    OR (old.quantity, old.price, old.promo) IS DISTINCT FROM (row.quantity, row.price, row.promo)
  ON CONFLICT (block, date, series, document) DO UPDATE SET
    quantity = excluded.quantity, price = excluded.price, promo = excluded.promo, seenIn = excluded.seenIn
  RETURNING d.series`

const UPSERT = `INSERT INTO restock_DemandRows AS d (block, date, series, document, quantity, price, promo, seenIn)
  SELECT block, date, series, document, quantity, price, promo, $8::int FROM ${ROWS}
  ON CONFLICT (block, date, series, document) DO UPDATE SET
    quantity = excluded.quantity, price = excluded.price, promo = excluded.promo, seenIn = excluded.seenIn
  WHERE (d.quantity, d.price, d.promo) IS DISTINCT FROM (excluded.quantity, excluded.price, excluded.promo)`

const STAMP = `UPDATE restock_DemandRows AS d SET seenIn = $8::int FROM ${ROWS}
  WHERE d.block = row.block AND d.date = row.date AND d.series = row.series AND d.document = row.document
    AND d.seenIn <> $8::int`

const DAYS = `SELECT series, to_char(date, 'YYYY-MM-DD') AS day, quantity, promo FROM restock_DemandRows
  WHERE block = ANY($1::int[]) AND series = ANY($2::int[]) AND date BETWEEN $3::date AND $4::date
  ORDER BY block, date`

const DOCUMENTS = `SELECT series, document, to_char(date, 'YYYY-MM-DD') AS date FROM restock_DemandRows
  WHERE block = $1::int AND date >= $2::date AND document = ANY($3::text[])`

const rowsOf = (list: DemandRowList) => Array.from({ length: list.length }, (_, at) => list.at(at)!)

function columnsOf(rows: DemandRow[]) {
  const blocks = rows.map(({ series }) => blockOf(series))
  const days = rows.map(({ date }) => toEpochDay(date))
  const values = [
    listed(blocks),
    listed(days),
    listed(rows.map(({ series }) => series)),
    rows.some(({ document }) => document) ? rows.map(({ document }) => document) : null,
    listed(rows.map(({ quantity }) => quantity)),
    listed(rows.map(({ price }) => price)),
    listed(rows.map(({ promo }) => promo)),
  ]
  const inOrder = Int32Array.from(new Set(days)).sort()
  return { values, within: [[...new Set(blocks)], inOrder.at(0), inOrder.at(-1)] }
}

/** An array of PostgreSQL as text, which the driver makes value by value; null without a value. */
const listed = (values: (number | boolean | null)[]) =>
  values.some((value) => value !== null)
    ? `{${values.map((value) => value ?? 'NULL').join(',')}}`
    : null

interface Day extends Pick<DemandRow, 'series' | 'quantity' | 'promo'> {
  day: string
}

interface Client {
  query<Row>(sql: string, values: unknown[]): Promise<{ rows: Row[]; rowCount: number }>
}

export async function upsertDemand(
  list: DemandRowList,
  read: number,
  stamps: (row: DemandRow) => boolean,
) {
  const client = await driverConnection<Client>()
  const rows = rowsOf(list)
  const { values, within } = columnsOf(rows)
  const { rows: changed } = await client.query<DemandRow>(CHANGED, [...values, read, ...within])
  const stamped = changed.length < rows.length ? rows.filter(stamps) : []
  if (stamped.length) await client.query(STAMP, [...columnsOf(stamped).values, read])
  return changed.map(({ series }) => series)
}

export async function insertDemand(rows: DemandRowList, read: number) {
  const client = await driverConnection<Client>()
  return (await client.query(UPSERT, [...columnsOf(rowsOf(rows)).values, read])).rowCount
}

export async function readDays(series: number[], from: string, to: string): Promise<DemandDay[]> {
  return inTransaction(async () => {
    const client = await driverConnection<Client>()
    const { rows } = await client.query<Day>(DAYS, [blocksOf(series), series, from, to])
    return rows.map(({ series, day, quantity, promo }): DemandDay => [series, day, quantity, promo])
  })
}

export async function findDocuments(block: number, documents: string[], from: string) {
  const client = await driverConnection<Client>()
  const { rows } = await client.query<DocumentDay>(DOCUMENTS, [block, from, documents])
  return rows
}
