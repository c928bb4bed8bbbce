// node bench/pilot/files.ts <folder> [pairs]: a made-up company's exports, as a csv source has them.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { type Days, toDate } from '../../engine/index.ts'
import { BEFORE, FIRST_DAY, HALF_YEAR, makeWorld, type World } from './world.ts'

/** Writes what its systems know on a morning. */
export async function writeFiles(
  folder: string,
  { pairs, habit }: World,
  until: Days,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const date = (day: Days) => toDate(FIRST_DAY + day)
  const days = Array.from({ length: until }, (_, day) => day)
  await write(
    folder,
    'items',
    'sku,group,supplier,unit_cost,currency',
    pairs,
    ({ sku, supplier, unitCost }) => [`${sku},G${supplier % 3},V${supplier},${unitCost},EUR`],
  )
  await write(
    folder,
    'planning',
    'sku,location,lead_time_days,review_period_days,lot_size',
    pairs,
    (pair) => [`${pair.sku},L1,${pair.leadTimeDays},${habit.review},${pair.lotSize}`],
  )
  await write(folder, 'demand', 'sku,location,date,quantity', pairs, ({ sku, sold }) =>
    days.flatMap((day) => (sold[day]! > 0 ? [`${sku},L1,${date(day)},${sold[day]}`] : [])),
  )
  await write(folder, 'stock_history', 'sku,location,date,on_hand', pairs, ({ sku, stock }) =>
    days.map((day) => `${sku},L1,${date(day)},${stock[day]}`),
  )
  await write(
    folder,
    'receipts',
    'order,line,sku,location,ordered_on,received_on,quantity',
    pairs,
    ({ sku, supplier, orders }, line) =>
      orders.flatMap(({ day, takes, quantity }) =>
        day + takes < until
          ? [`${supplier}/${day},${line},${sku},L1,${date(day)},${date(day + takes)},${quantity}`]
          : [],
      ),
  )
  await write(
    folder,
    'open_orders',
    'order,line,sku,location,ordered_on,quantity',
    pairs,
    ({ sku, supplier, orders }, line) =>
      orders.flatMap(({ day, takes, quantity }) =>
        day < until && day + takes >= until
          ? [`${supplier}/${day},${line},${sku},L1,${date(day)},${quantity}`]
          : [],
      ),
  )
}

async function write<Row>(
  folder: string,
  stem: string,
  head: string,
  rows: Row[],
  linesOf: (row: Row, at: number) => string[],
) {
  const file = createWriteStream(join(folder, `${stem}.csv`))
  file.write(`${head}\n`)
  for (const [at, row] of rows.entries()) {
    const lines = linesOf(row, at)
    if (lines.length && !file.write(`${lines.join('\n')}\n`)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}

if (import.meta.main) {
  const [folder = '', pairs = '200'] = process.argv.slice(2)
  await writeFiles(folder, makeWorld(3, Number(pairs)), BEFORE + 2 * HALF_YEAR)
}
