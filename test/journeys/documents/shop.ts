// A small shop whose codes are those of the documentation.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const PAIRS = [
  ...['A-100', 'A-200', 'A-300', 'A-400'].map((sku) => [sku, 'L1'] as const),
  ...Array.from({ length: 12 }, (_, i) => [`C-${i + 1}`, 'L2'] as const),
  ['A-100', 'L2'],
  ['B1_1', 'IT_STORE_1'],
] as const

/** 200 days of demand up to yesterday. */
const demandOf = (written: (day: string) => string) =>
  [
    'sku,location,date,quantity,promo',
    ...Array.from({ length: 200 }, (_, i) =>
      PAIRS.map(
        ([sku, location], p) =>
          `${sku},${location},${written(dayAgo(200 - i))},${3 + ((i * (p + 3)) % 7)},${i % 20 < 2 ? 1 : 0}`,
      ),
    ).flat(),
  ].join('\n')

const british = (day: string) => day.split('-').toReversed().join('/')

const FILES = {
  'demand.csv': demandOf((day) => day),
  'stock.csv': [
    'sku,location,on_hand',
    ...PAIRS.map(([sku, location]) => `${sku},${location},5`),
  ].join('\n'),
  // A-400 has no lead time: it is blocked.
  'planning.csv': [
    'sku,location,lead_time_days,review_period_days,moq,lot_size,supplier,unit_cost,currency',
    ...PAIRS.filter(([sku]) => sku !== 'A-400').map(
      ([sku, location]) =>
        `${sku},${location},14,7,40,40,${sku.startsWith('C') ? 'S-8' : 'S-7'},4.20,EUR`,
    ),
  ].join('\n'),
  'open_orders.csv': [
    'order,line,sku,location,quantity,due,supplier',
    `4500000017,10,A-300,L1,60,${dayAgo(3)},S-7`,
  ].join('\n'),
}

/** Makes what the examples name: folders of a csv source, exports, a history. */
export function makeShop(folder: string): void {
  for (const name of ['data/shop', 'data/my-folder', 'exports']) {
    const place = path.join(folder, name)
    mkdirSync(place, { recursive: true })
    for (const [file, text] of Object.entries(FILES)) writeFileSync(path.join(place, file), text)
  }
  // The guide first says how dates are written as they are not, and then mends it.
  writeFileSync(path.join(folder, 'exports/demand.csv'), demandOf(british))
  rmSync(path.join(folder, 'exports/open_orders.csv'))
  writeFileSync(path.join(folder, 'demand.csv'), FILES['demand.csv'])
  writeFileSync(path.join(folder, 'closures.csv'), 'supplier,from,to\nS-7,2026-12-24,2027-01-06\n')
  writeFileSync(path.join(folder, 'sales.csv.gz'), gzipSync(FILES['demand.csv']))
}
