// A small company in files: 300 SKUs, whose stock moves every few seconds, so that each sync has something to do.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const SKUS = 300
const DAYS = 90

const skus = Array.from({ length: SKUS }, (_, at) => `SKU-${at + 1}`)

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Moved into its place when it is whole. */
function write(folder: string, name: string, lines: string[]) {
  const file = path.join(folder, name)
  writeFileSync(`${file}.part`, `${lines.join('\n')}\n`)
  renameSync(`${file}.part`, file)
}

export function writeCompany(folder: string) {
  mkdirSync(folder, { recursive: true })
  const demand = skus.flatMap((sku, at) =>
    Array.from({ length: DAYS }, (_, day) =>
      [sku, 'L1', daysAgo(day + 1), 1 + ((at + day) % 7)].join(),
    ),
  )
  write(folder, 'demand.csv', ['sku,location,date,quantity', ...demand])
  const planning = skus.map((sku, at) => [sku, 'L1', 7, `S-${at % 9}`, '3.00', 'EUR'].join())
  write(folder, 'planning.csv', [
    'sku,location,lead_time_days,supplier,unit_cost,currency',
    ...planning,
  ])
  moveStock(folder)
}

export const moveStock = (folder: string) =>
  write(folder, 'stock.csv', [
    'sku,location,on_hand',
    ...skus.map((sku) => [sku, 'L1', Math.floor(Math.random() * 60)].join()),
  ])
