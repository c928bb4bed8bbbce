// A made-up company from June to September, lived through by the clock: each figure of its months against a count by hand.
import { jest } from '@jest/globals'
import cds from '@sap/cds'
import { parse } from 'csv-parse/sync'
import { toDate, toEpochDay } from '../../../engine/index.ts'
import { MeasuredMonths, MeasuredValues, Proposals } from '../../../srv/base/database/entities.ts'
import { addDay } from '../../../srv/domain/proposals/run/measured-values.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { restock } from '../../cli/run.ts'
import { callAs, proposalsAs } from '../../support/buyer.ts'
import { connectFiles, serverUrl, sync, writeFiles } from '../../support/server.ts'
import { read } from '../buyer/odata.ts'
import { aKey, get } from '../v1/api.ts'

const { SELECT, UPDATE } = cds.ql
/** Timers stay real, only the clock is moved. */
const TIMERS = [
  'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate',
  'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout',
] as const // prettier-ignore
const DAY_MS = 86_400_000
const moveTo = (day: string, hour = 6) =>
  jest.useFakeTimers({ doNotFake: [...TIMERS], now: toEpochDay(day) * DAY_MS + hour * 3_600_000 })

const LOCATION: Record<string, string> = { A: 'L1', B: 'L2', C: 'L1', D: 'L1', E: 'L1' }
const SKUS = Object.keys(LOCATION)
const daysFrom = (first: string, days: number) =>
  Array.from({ length: days }, (_, at) => toDate(toEpochDay(first) + at))

/** 15 days of June until its end, 14 of July from its start on, 2 of August, none of September. */
const DAYS = [
  ...daysFrom('2026-06-16', 15),
  ...daysFrom('2026-07-01', 14),
  ...daysFrom('2026-08-10', 2),
]

/** Of the other days it is written down what a sync would have measured. */
const SYNCED = [...['2026-06-16', '2026-06-20', '2026-07-01', '2026-07-10', '2026-08-10']]

/** Of A three days of July are without stock, of B four of June. */
function onHand(sku: string, day: string) {
  if (sku === 'A') return day >= '2026-07-10' && day <= '2026-07-12' ? 0 : 60
  if (sku === 'B') return day >= '2026-06-20' && day <= '2026-06-23' ? 0 : 50
  return sku === 'E' ? 10 : 30
}

/** 4 a day of each. */
const demandFile = (until: string) =>
  [
    'sku,location,date,quantity',
    ...SKUS.flatMap((sku) =>
      daysFrom('2026-04-01', toEpochDay(until) - toEpochDay('2026-04-01')).map(
        (day) => `${sku},${LOCATION[sku]},${day},4`,
      ),
    ),
    '',
  ].join('\n')

const stockFile = (day: string) =>
  ['sku,location,on_hand', ...SKUS.map((sku) => `${sku},${LOCATION[sku]},${onHand(sku, day)}`), '']
    .join('\n') // prettier-ignore

/** A lead time and a review period of a week; of C nobody knows the cost. */
const PLANNING = [
  'sku,location,lead_time_days,review_period_days,moq,lot_size,supplier,unit_cost,currency',
  ...SKUS.map((sku) => {
    const cost = { B: '5.00,USD', C: ',' }[sku] ?? '3.00,EUR'
    return `${sku},${LOCATION[sku]},7,7,1,1,S-1,${cost}`
  }),
  '',
].join('\n')

/** As shipped: a unit short costs 0.4 of its cost, a unit carried 0.25 of it a year. */
const [SHORT, CARRIED] = [0.4, 0.25 / 365]

const NOTHING = {
  ...{ pairDays: 0, uncostedDays: 0, stockoutDays: 0, unitsShort: 0 },
  ...{ stockValue: 0, shortageCost: 0, carryingCost: 0 },
  ...{ plannedPairDays: 0, plannedStockoutDays: 0, plannedUnitsShort: 0 },
  ...{ plannedStockValue: 0, plannedShortageCost: 0, plannedCarryingCost: 0 },
  ...{ demandValue: 0, shortValue: 0, plannedDemandValue: 0, plannedShortValue: 0 },
}

const measuredOn = (day: string) =>
  SKUS.map((sku) => {
    const [unitCost, currency] = { B: [5, 'USD'] as const, C: [0, ''] as const }[sku] ?? [3, 'EUR']
    const units = onHand(sku, day)
    const short = units ? 0 : 4
    return {
      ...{ ...NOTHING, location: LOCATION[sku]!, skuGroup: '', currency, pairDays: 1 },
      ...{ uncostedDays: unitCost ? 0 : 1, stockoutDays: units ? 0 : 1, unitsShort: short },
      ...{ stockValue: unitCost * units, shortageCost: unitCost * short * SHORT },
      carryingCost: unitCost * units * CARRIED,
      ...{ demandValue: unitCost * 4, shortValue: unitCost * short },
    }
  })

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
    if (SYNCED.includes(day)) {
      await writeFiles('months', { 'demand.csv': demandFile(day), 'stock.csv': stockFile(day) })
      expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded' })
    } else await cds.tx(() => addDay(source, day, measuredOn(day)))
    if (day === '2026-06-16') {
      await proposalsAs({ id: 'buyer' }, 'approve', { ID: await idOf('D'), quantity: 100 })
      await proposalsAs({}, 'decline', { ID: await idOf('E'), reason: 'too_much' })
    }
    if (day === '2026-07-14') {
      await proposalsAs({}, 'approve', { ID: await idOf('C'), quantity: 99 })
    }
  }
  // A second run of a day counts it no second time.
  await cds.tx(() => addDay(source, DAYS.at(-1)!, measuredOn(DAYS.at(-1)!)))
}, 480_000)
afterAll(() => jest.useRealTimers())

const months = async (key?: string) =>
  (await get(`/reports/months?source=src_${source}&from=2026-06&to=2026-09`, key ? { key } : {}))
    .json.data
const monthOf = async (month: string) => (await months()).find((each) => each.month === month)!

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const share = (value: number) => Number(value.toFixed(4))
const euros = (amount: number) => amount.toFixed(2)

/**
 * On hand of a pair on each of the days after a review, each as it begins: at 4 a day with an order up to 56 (two weeks) now and
 * a week later, which take a week.
 */
function plannedStock(stock: number, days: number): number[] {
  const after = (day: number) => {
    if (day < 7) return stock - 4 * day
    if (day < 14) return Math.max(stock, 56) - 4 * day
    return 56 - 4 * (day - 7 * Math.floor((day - 7) / 7))
  }
  return Array.from({ length: days }, (_, day) => Math.max(0, after(day)))
}

it('tells what was measured, what too rarely, and what never', async () => {
  const found = await months()
  expect(found.map(({ month, days, lacks }) => [month, days, lacks])).toEqual([
    ['2026-09', 0, 'not_measured'],
    ['2026-08', 2, 'too_few_days'],
    ['2026-07', 14, null],
    ['2026-06', 15, null],
  ])
  expect(found.slice(0, 2).map(({ figures }) => figures)).toEqual([null, null])
  expect(found[3]).toMatchObject({ first_day: '2026-06-16', last_day: '2026-06-30' })
  expect(found[0]).toMatchObject({ first_day: null, last_day: null, decisions: [] })
})

it('adds up a month that was measured from its plan to its end', async () => {
  const { figures } = await monthOf('2026-06')
  const [a, b, d, e] = [60, 50, 30, 10].map((stock) => plannedStock(stock, 15))
  // E is planned to be empty on the days 3 to 6, at 4 units each.
  expect(e!.filter((units) => units === 0)).toHaveLength(4)
  const planned = 3 * sum([...a!, ...d!, ...e!])
  const came = 3 * 15 * (60 + 30 + 10)
  expect(figures).toEqual({
    ...{ pairs: 5, without_cost: 1 },
    stockouts: { planned: Number((4 / 75).toFixed(4)), came: Number((4 / 75).toFixed(4)) },
    units_short: { planned: 16, came: 16 },
    money: [
      {
        currency: 'EUR',
        stock_value: { planned: euros(planned / 15), came: euros(came / 15) },
        carrying_cost: { planned: euros(planned * CARRIED), came: euros(came * CARRIED) },
        shortage_cost: { planned: euros(16 * 3 * SHORT), came: '0.00' },
        // 16 of the 4 a day of three items are planned to be short.
        fill_rate: { planned: share(1 - 16 / (4 * 3 * 15)), came: 1 },
      },
      {
        currency: 'USD',
        stock_value: { planned: euros((5 * sum(b!)) / 15), came: euros((5 * 50 * 11) / 15) },
        carrying_cost: {
          planned: euros(5 * sum(b!) * CARRIED),
          came: euros(5 * 50 * 11 * CARRIED),
        },
        shortage_cost: { planned: '0.00', came: euros(16 * 5 * SHORT) },
        fill_rate: { planned: 1, came: share(11 / 15) },
      },
    ],
  })
})

it('holds the measured days of a month against as many planned ones', async () => {
  const { figures } = await monthOf('2026-07')
  // The plan is of 31 days, of which 14 were measured. The 100 of D come on the seventh day.
  const b = 5 * sum(plannedStock(50, 31))
  expect(figures!.money[1]).toEqual({
    currency: 'USD',
    stock_value: { planned: euros(b / 31), came: '250.00' },
    carrying_cost: { planned: euros((14 / 31) * b * CARRIED), came: euros(250 * 14 * CARRIED) },
    shortage_cost: { planned: '0.00', came: '0.00' },
    fill_rate: { planned: 1, came: 1 },
  })
  expect(figures).toMatchObject({
    ...{ pairs: 5, without_cost: 1 },
    // E again: four days of 5 · 31 planned ones.
    stockouts: { planned: Number((4 / 155).toFixed(4)), came: Number((3 / 70).toFixed(4)) },
    units_short: { planned: Number(((14 / 31) * 16).toFixed(1)), came: 12 },
  })
  expect(figures!.money[0]).toMatchObject({
    stock_value: { came: euros((3 * (60 * 11 + 40 * 14)) / 14) },
    shortage_cost: { planned: euros((14 / 31) * 16 * 3 * SHORT), came: euros(12 * 3 * SHORT) },
  })
})

/** What a quantity came to in two weeks of 4 a day: it arrives on the seventh day, and what is short is lost. */
function costOf(stock: number, quantity: number) {
  let [left, short, carried] = [stock, 0, 0]
  for (let day = 0; day < 14; day++) {
    if (day === 7) left += quantity
    short += Math.max(0, 4 - left)
    left = Math.max(0, left - 4)
    carried += left
  }
  return 3 * (short * SHORT + carried * CARRIED)
}

describe('decisions', () => {
  const edit = { what: 'edited', person: 'buyer', reason: null, lines: 1, evaluated: 1 }
  const rejection = { what: 'rejected', person: 'approver', reason: 'too_much', lines: 1 }

  it('are told by person and reason, with what they were worth', async () => {
    const { decisions } = await monthOf('2026-06')
    const worthOf = (stock: number, proposed: number, decided: number) => {
      const [asProposed, asDecided] = [costOf(stock, proposed), costOf(stock, decided)]
      return [
        {
          currency: 'EUR',
          ...{ as_proposed: euros(asProposed), as_decided: euros(asDecided) },
          worth: euros(asProposed - asDecided),
        },
      ]
    }
    const counts = { evaluated: 1, too_recent: 0, without_cost: 0 }
    expect(decisions).toEqual([
      { ...rejection, ...counts, worth: worthOf(10, 46, 0) },
      { ...edit, ...counts, worth: worthOf(30, 26, 100) },
    ])
    // What is decided about an item without a cost is counted, and worth nothing that can be told.
    expect((await monthOf('2026-07')).decisions).toEqual([
      expect.objectContaining({ what: 'edited', evaluated: 1, without_cost: 1, worth: [] }),
    ])
  })

  it('are too recent until their days have passed', async () => {
    moveTo('2026-08-11')
    const ID = await idOf('A').catch(() => null)
    expect(ID).toBeNull()
    await proposalsAs({ id: 'buyer' }, 'decline', { ID: await idOf('B'), reason: 'price' })
    expect((await monthOf('2026-08')).decisions).toMatchObject([
      { what: 'rejected', person: 'buyer', reason: 'price', evaluated: 0, too_recent: 1 },
    ])
  })

  it('of others are a sum to a buyer, who sees the own ones', async () => {
    const query = { source, from: '2026-06', to: '2026-06', limit: 10 }
    const [june] = (await proposalsAs({ id: 'buyer' }, 'months', query)).data
    expect(june!.decisions.map(({ person, what }) => [person, what])).toEqual([
      ['buyer', 'edited'],
      [null, 'rejected'],
    ])
    await proposalsAs({}, 'setPolicy', {
      rule: { level: 'sku', sku: 'E', responsible: 'approver', teamLead: 'buyer' },
    })
    const [led] = (await proposalsAs({ id: 'buyer' }, 'months', query)).data
    expect(led!.decisions.map(({ person }) => person)).toEqual(['approver', 'buyer'])
  })
})

it('tells whoever is restricted of the own rows alone', async () => {
  const attr = { via: 'ui', locations: ['L2'] }
  const user = new cds.User({ id: 'local', roles: ['Viewer', 'Auditor'], attr } as never)
  const query = { source, from: '2026-06', to: '2026-06', limit: 10 }
  const [june] = (await callAs(user, 'months', query)).data
  expect(june!.figures).toMatchObject({ pairs: 1, unitsShort: { came: 16 } })
  expect(june!.figures!.money.map(({ currency }) => currency)).toEqual(['USD'])
  expect(june!.decisions).toEqual([])
})

it('has no share of demand that was measured on a part of the days alone', async () => {
  const month = { source_ID: source, month: '2026-07', currency: 'EUR' }
  const before = await SELECT.from(MeasuredValues).where(month)
  await UPDATE.entity(MeasuredValues).set({ plannedDemandValue: 0 }).where(month)
  const [euros, dollars] = (await monthOf('2026-07')).figures!.money
  expect(euros).toMatchObject({ currency: 'EUR', fill_rate: { planned: null, came: null } })
  expect(dollars!.fill_rate).toEqual({ planned: 1, came: 1 })
  for (const { location, skuGroup, plannedDemandValue } of before)
    await UPDATE.entity(MeasuredValues)
      .set({ plannedDemandValue })
      .where({ ...month, location, skuGroup })
})

it('is a page of the app, and a table of the command line', async () => {
  moveTo('2026-09-10')
  const { json } = await read('valueMonths()')
  const rows = (json as unknown as { value: { month: string; source: number }[] }).value
  expect(rows.filter((row) => row.source === source).map(({ month }) => month)).toEqual([
    ...['2026-09', '2026-08', '2026-07', '2026-06'],
  ])
  const env = { RESTOCK_URL: `${serverUrl()}/v1`, RESTOCK_API_KEY: await aKey() }
  const args = [
    'report',
    'months',
    '--source',
    `src_${source}`,
    '--from',
    '2026-06',
    '--to',
    '2026-08',
  ]
  const { stdout } = await restock(args, { env })
  expect(stdout).toMatch(/2026-06 +src_\d+ +15 +\d+\.\d\d EUR +300\.00 EUR/)
  expect(stdout).toMatch(/2026-06 .* days before 2026-06-16\n/)
  expect(stdout).toMatch(/2026-08 +src_\d+ +2 .*fewer than 14 days measured/)
  expect(stdout).toMatch(/approver +rejected +too much +1 +1 +0 +-33\.\d\d EUR/)
  const csv = (await restock([...args, '--csv'], { env })).stdout
  const table: Record<string, string>[] = parse(csv, { columns: true })
  expect(table.map(({ month, currency }) => `${month} ${currency}`)).toEqual([
    ...['2026-08 ', '2026-07 EUR', '2026-07 USD', '2026-06 EUR', '2026-06 USD'],
  ])
  expect(table[3]).toMatchObject({ days: '15', stock_value_came: '300.00', pairs: '5', lacks: '' })
  expect(table[3]).toMatchObject({ fill_rate_came: '1', lines_edited: '1', lines_rejected: '1' })
  expect(table[0]).toMatchObject({ lacks: 'too_few_days', stock_value_came: '' })
})

it('counts the lines that were made, decided and ordered in a month', async () => {
  const [june, july] = [await monthOf('2026-06'), await monthOf('2026-07')]
  const all = await SELECT.from(Proposals).columns('ID', 'createdAt').where({ source_ID: source })
  const made = [june, july].map(
    ({ month }) =>
      all.filter(({ createdAt }) => new Date(createdAt!).toISOString().startsWith(month)).length,
  )
  expect(june.lines).toEqual({
    proposed: made[0],
    approved: 0,
    edited: 1,
    rejected: 1,
    ordered: 0,
  })
  expect(july.lines).toEqual({
    proposed: made[1],
    approved: 0,
    edited: 1,
    rejected: 0,
    ordered: 0,
  })
  const [approved] = await SELECT.from(Proposals)
    .where({ source_ID: source, sku: 'D' })
    .orderBy('ID')
  await UPDATE.entity(Proposals).set({ status: 'ordered' }).where({ ID: approved!.ID })
  expect((await monthOf('2026-06')).lines).toMatchObject({ edited: 1, ordered: 1 })
  expect((await monthOf('2026-07')).lines).toMatchObject({ ordered: 0 })
})

it('says of months of an earlier version what was measured then, and is kept for five years', async () => {
  const former = { demandValue: null, shortValue: null, plannedDemandValue: null }
  await UPDATE.entity(MeasuredValues)
    .set({ ...former, plannedShortValue: null })
    .where({ source_ID: source, month: '2026-06' })
  const { figures } = await monthOf('2026-06')
  expect(figures!.money[0]).toMatchObject({
    ...{ fill_rate: { planned: null, came: null }, shortage_cost: { came: '0.00' } },
  })
  const monthsKept = async () => {
    const rows = await SELECT.from(MeasuredMonths).where({ source_ID: source }).orderBy('month')
    return rows.map(({ month }) => month)
  }
  await cds.tx(() => addDay(source, '2031-06-01', []))
  expect((await monthsKept())[0]).toBe('2026-06')
  await cds.tx(() => addDay(source, '2031-07-01', []))
  expect((await monthsKept())[0]).toBe('2026-07')
  const values = await SELECT.from(MeasuredValues).where({ source_ID: source, month: '2026-06' })
  expect(values).toEqual([])
})

it('is gone with its source', async () => {
  await removeSource(source)
  expect(await SELECT.from(MeasuredValues).where({ source_ID: source })).toEqual([])
})
