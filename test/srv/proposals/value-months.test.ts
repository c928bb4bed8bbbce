// A made-up company from June to September, lived through with the clock: each figure of its months against a count by hand.
import { jest } from '@jest/globals'
import { toDate, toEpochDay } from '../../../engine/index.ts'
import { connectFiles, sync, writeFiles } from '../../support/server.ts'
import { proposalsAs } from '../../support/buyer.ts'
import cds from '@sap/cds'
import { Proposals } from '../../../srv/base/database/entities.ts'
import { aKey, get } from '../v1/api.ts'

const { SELECT } = cds.ql
/** Timers stay real, only the clock is moved. */
const TIMERS = [
  'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate',
  'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout',
] as const // prettier-ignore
const DAY_MS = 86_400_000
const moveTo = (day: string) =>
  jest.useFakeTimers({ doNotFake: [...TIMERS], now: toEpochDay(day) * DAY_MS + 6 * 3_600_000 })

const HISTORY_FROM = toEpochDay('2026-03-01')
const SKUS = ['A', 'B', 'C', 'D', 'E']

/** 16 days of June, 20 of July, 5 of August, none of September. */
const DAYS = [
  ...Array.from({ length: 16 }, (_, at) => toDate(toEpochDay('2026-06-15') + at)),
  ...Array.from({ length: 20 }, (_, at) => toDate(toEpochDay('2026-07-01') + at)),
  ...Array.from({ length: 5 }, (_, at) => toDate(toEpochDay('2026-08-10') + at)),
]

/** A is out of stock for three days of July, B for four of June; C costs nobody knows what. */
const onHand = (sku: string, day: string) => {
  if (sku === 'A') return day >= '2026-07-10' && day <= '2026-07-12' ? 0 : 60
  if (sku === 'B') return day >= '2026-06-20' && day <= '2026-06-23' ? 0 : 50
  return 30
}

const demandFile = (until: string) => {
  const lines = ['sku,location,date,quantity']
  for (const sku of SKUS)
    for (let day = HISTORY_FROM; day < toEpochDay(until); day++)
      lines.push(`${sku},${sku === 'B' ? 'L2' : 'L1'},${toDate(day)},4`)
  return `${lines.join('\n')}\n`
}
const stockFile = (day: string) =>
  `sku,location,on_hand\n${SKUS.map((sku) => `${sku},${sku === 'B' ? 'L2' : 'L1'},${onHand(sku, day)}\n`).join('')}`

const PLANNING =
  'sku,location,lead_time_days,review_period_days,moq,lot_size,supplier,unit_cost,currency\n' +
  ['A,L1,7,7,1,1,S-1,3.00,EUR', 'B,L2,7,7,1,1,S-2,5.00,USD', 'C,L1,7,7,1,1,S-1,,', 'D,L1,7,7,1,1,S-1,3.00,EUR', 'E,L1,7,7,1,1,S-1,3.00,EUR', ''].join('\n')

let source: number
const idOf = async (sku: string) =>
  (await SELECT.one.from(Proposals).where({ source_ID: source, sku, status: 'pending' }))!.ID

beforeAll(async () => {
  moveTo(DAYS[0]!)
  source = await connectFiles('months', {
    'demand.csv': demandFile(DAYS[0]!),
    'stock.csv': stockFile(DAYS[0]!),
    'planning.csv': PLANNING,
  })
  for (const day of DAYS) {
    moveTo(day)
    await writeFiles('months', { 'demand.csv': demandFile(day), 'stock.csv': stockFile(day) })
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded' })
    if (day === '2026-06-16') {
      await proposalsAs({ id: 'buyer' }, 'approve', { ID: await idOf('D'), quantity: 100 })
      await proposalsAs({}, 'decline', { ID: await idOf('E'), reason: 'too_much' })
    }
  }
})
afterAll(() => jest.useRealTimers())

it('prints', async () => {
  const { json, text } = await get(`/reports/months?source=src_${source}&from=2026-06&to=2026-09`)
  process.stdout.write(JSON.stringify(json ?? text, null, 1))
  const rows = await SELECT.from('restock.MeasuredValues')
  process.stdout.write(JSON.stringify(rows, null, 1))
})
