// All that is stored of a source, as sorted lines: two sources that read the same ERP have the same.
import cds from '@sap/cds'
import {
  type AnyRow,
  DemandRows,
  readAs,
  Series,
  Snapshots,
} from '../../srv/base/database/entities.ts'
import { TABLES } from '../../srv/base/database/records/tables.ts'

const { SELECT } = cds.ql

type Kind = keyof typeof TABLES

export async function storedRows(source: number): Promise<string[]> {
  const lines = await demandOf(source)
  for (const kind of Object.keys(TABLES) as Kind[]) lines.push(...(await rowsOf(source, kind)))
  return lines.sort()
}

async function rowsOf(source: number, kind: Kind): Promise<string[]> {
  const { entity, key, values, generations } = TABLES[kind]
  const snapshot = { source_ID: source, record: kind }
  const visible = generations
    ? await SELECT.one.from(Snapshots).columns('generation').where(snapshot)
    : null
  const where = { source_ID: source, ...(generations && { generation: visible?.generation ?? -1 }) }
  const rows = await readAs<AnyRow>(
    SELECT.from(entity)
      .columns(...key, ...values)
      .where(where),
  )
  return rows.map((row) => {
    const named = [...key, ...values].map((column) => `${column} ${textOf(row[column])}`)
    return `${kind}: ${named.join(', ')}`
  })
}

/** Of each pair and day the sum of its documents. */
async function demandOf(source: number): Promise<string[]> {
  const of = { source_ID: source }
  const series = await SELECT.from(Series).columns('ID', 'sku', 'location').where(of)
  const pairs = new Map(series.map(({ ID, sku, location }) => [ID, `${sku}, ${location}`]))
  const rows = await readAs<{ series: number; date: string; quantity: unknown }>(
    SELECT.from(DemandRows).columns('series', 'date', 'sum(quantity) as quantity')
      .where`series in (select ID from restock.Series where source.ID = ${source})`.groupBy(
      'series',
      'date',
    ),
  )
  return rows
    .filter(({ quantity }) => Number(quantity))
    .map(
      ({ series: ID, date, quantity }) => `demand: ${pairs.get(ID)}, ${date}, ${textOf(quantity)}`,
    )
}

/** Databases answer numbers as numbers or as text. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  const number = typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' ? String(Math.round(number * 1e6) / 1e6) : String(value)
}
