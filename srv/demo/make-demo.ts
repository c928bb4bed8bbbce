import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { type DemandLine, readHistory } from './histories.ts'
import { makeMasterData } from './master-data.ts'

const SETS = ['pasta_daily.csv.gz', 'online_retail_daily_sparse.csv.gz']

const COLUMNS = {
  items: ['sku', 'name', 'unit', 'supplier', 'unit_cost', 'currency'],
  locations: ['location', 'name'],
  stock: ['sku', 'location', 'on_hand'],
  open_orders: ['order', 'line', 'sku', 'location', 'quantity', 'due'],
  planning: ['sku', 'location', 'lead_time_days', 'review_period_days', 'moq', 'lot_size'],
  demand: ['sku', 'location', 'date', 'quantity', 'price', 'promo'],
}

/**
 * Writes the demo's csv source: real demand, moved to the present, and made-up master data.
 * The folder appears whole or not at all.
 * @param shipped the folder of the shipped histories; @param folder where the csv files go
 */
export async function makeDemo(shipped: string, folder: string, today: string) {
  const histories = []
  for (const set of SETS) histories.push(await readHistory(path.join(shipped, set), today))
  const lines = histories.flat()
  const { openOrders, ...master } = makeMasterData(lines, today)
  const tables = { ...master, open_orders: openOrders, demand: demandRows(lines) }
  const draft = `${folder}.draft-${process.pid}`
  await mkdir(draft, { recursive: true })
  for (const [name, rows] of Object.entries(tables)) {
    const file = path.join(draft, `${name}.csv.gz`)
    await writeTable(file, COLUMNS[name as keyof typeof COLUMNS], rows)
  }
  await replaceFolder(folder, draft)
}

/** In a moment: another service may be reading the folder, or making it at the same time. */
async function replaceFolder(folder: string, draft: string) {
  const old = `${draft}-old`
  await rename(folder, old).catch(ignore('ENOENT'))
  // What the other one has put there meanwhile is the same.
  await rename(draft, folder).catch(ignore('ENOTEMPTY', 'EEXIST'))
  for (const left of [draft, old]) await rm(left, { recursive: true, force: true })
}

const ignore =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code!)) throw error
  }

function* demandRows(lines: DemandLine[]): Iterable<string[]> {
  for (const line of lines) yield COLUMNS.demand.map((column) => line[column as keyof DemandLine])
}

async function writeTable(file: string, columns: string[], rows: Iterable<Field[]>) {
  const lines = [columns.join(',')]
  for (const row of rows) lines.push(row.map(written).join(','))
  const text = `${lines.join('\n')}\n`
  await writeFile(file, await promisify(gzip)(text, { level: constants.Z_BEST_SPEED }))
}

type Field = string | number

const written = (field: Field) =>
  typeof field === 'string' && field.includes(',') ? `"${field}"` : field
