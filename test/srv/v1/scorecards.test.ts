// A year of 2,000 receipts with splits, early and cancelled ones: the scorecards against a count by hand.
import { noise } from '../../engine/forecast/demand.ts'
import { restock } from '../../cli/run.ts'
import { connectFiles, daysAgo, serverUrl, steadyDemand, sync } from '../../support/server.ts'
import { read } from '../buyer/odata.ts'
import { aKey, get } from './api.ts'

const RECEIPTS = 2_000
const SUPPLIERS = ['S-1', 'S-2', 'S-3', 'S-4']

/** What was counted while the receipts were made up. */
interface Count {
  lines: number
  outstanding: number
  onTime: number
  early: number
  inFull: number
  both: number
  lateDays: number[]
  months: Map<string, number>
}

const counts = new Map<string, Count>(
  SUPPLIERS.map((supplier) => [
    supplier,
    {
      ...{ lines: 0, outstanding: 0, onTime: 0, early: 0, inFull: 0, both: 0 },
      ...{ lateDays: [], months: new Map() },
    },
  ]),
)

const receipts: string[] = []
const open: string[] = []
const random = noise(4)
const whole = (below: number) => Math.floor(Math.abs(random()) * 1e6) % below

/** @param delay of the half that decides; null: it has not come */
function count(supplier: string, due: number, delay: number | null, isInFull: boolean) {
  const own = counts.get(supplier)!
  own.lines++
  const days = delay ?? due
  if (delay === null) own.outstanding++
  if (days <= 0) own.onTime++
  if (days < 0) own.early++
  if (isInFull) own.inFull++
  if (isInFull && days <= 0) own.both++
  if (days > 0) own.lateDays.push(days)
  const month = daysAgo(due).slice(0, 7)
  own.months.set(month, (own.months.get(month) ?? 0) + 1)
}

for (let at = 0; receipts.length < RECEIPTS; at++) {
  const supplier = SUPPLIERS[at % SUPPLIERS.length]!
  const due = 30 + whole(300)
  const receive = (line: string, delay: number, quantity: number) =>
    receipts.push(
      `P${at},${line},A,L1,${supplier},${daysAgo(due + 20)},${daysAgo(due)},${daysAgo(due - delay)},${quantity}`,
    )
  const delay = whole(21) - 10
  const kind = at % 6
  if (kind === 0) {
    // In two parts, the larger one decides; what comes after the day is missing from "in full".
    receive('10', delay, 70)
    receive('10', delay + 5, 30)
    count(supplier, due, delay, delay + 5 <= 0)
  } else if (kind === 1) {
    // A sample ahead, and the rest.
    receive('10', delay - 8, 10)
    receive('10', delay, 90)
    count(supplier, due, delay, delay <= 0)
  } else if (kind === 2) {
    // A part is still open: not in full, and there if it is the larger one.
    receive('10', delay, 60)
    open.push(`P${at},10,A,L1,40,${daysAgo(due)},${supplier}`)
    count(supplier, due, delay, false)
  } else if (kind === 3) {
    // Cancelled: neither received nor open.
    if (at % 12 === 3) open.push(`P${at},10,A,L1,100,${daysAgo(due)},${supplier}`)
    if (at % 12 === 3) count(supplier, due, null, false)
  } else {
    receive('10', delay, 100)
    count(supplier, due, delay, delay <= 0)
  }
}

let source: number

beforeAll(async () => {
  source = await connectFiles('scorecards', {
    'demand.csv': steadyDemand(['A']),
    'receipts.csv': `order,line,sku,location,supplier,ordered_on,due,received_on,quantity\n${receipts.join('\n')}\n`,
    'open_orders.csv': `order,line,sku,location,quantity,due,supplier\n${open.join('\n')}\n`,
  })
  await sync(source)
})

it('equal what was counted by hand', async () => {
  expect(receipts.length).toBeGreaterThanOrEqual(RECEIPTS)
  const { data } = (await get('/scorecards')).json
  expect(data.map(({ supplier }) => supplier)).toEqual(SUPPLIERS)
  for (const card of data) {
    const own = counts.get(card.supplier)!
    const late = own.lateDays.length
    expect(card).toMatchObject({ lines: own.lines, outstanding: own.outstanding })
    expect(card.most_days_late).toBe(Math.max(...own.lateDays))
    const shares = {
      ...{ on_time: own.onTime, early: own.early, late, in_full: own.inFull },
      on_time_in_full: own.both,
    }
    for (const [name, number] of Object.entries(shares))
      expect([name, card[name as 'on_time']]).toEqual([name, number / own.lines])
    const sum = own.lateDays.reduce((total, days) => total + days, 0)
    expect(card.days_late).toBeCloseTo(sum / late, 9)
    expect(new Map(card.months.map(({ month, lines }) => [month, lines]))).toEqual(
      new Map([...own.months].sort(([a], [b]) => (a < b ? -1 : 1))),
    )
    const others = data.filter(({ supplier }) => supplier !== card.supplier)
    const sorted = others.map(({ on_time: share }) => share!).sort((a, b) => a - b)
    expect(card.peers_on_time).toBe(sorted[1])
  }
})

it('tell how prices changed, by the month of the order', async () => {
  const dearer = await connectFiles('scorecards-prices', {
    'demand.csv': steadyDemand(['A']),
    'receipts.csv': [
      'order,line,sku,location,supplier,ordered_on,due,received_on,quantity,unit_cost',
      `Q1,10,A,L1,S-P,${daysAgo(100)},${daysAgo(90)},${daysAgo(90)},10,2.00`,
      `Q2,10,A,L1,S-P,${daysAgo(50)},${daysAgo(40)},${daysAgo(40)},10,2.10`,
      '',
    ].join('\n'),
    'open_orders.csv': `order,line,sku,location,quantity,due,supplier,ordered_on,unit_cost\nQ3,10,A,L1,20,${daysAgo(-5)},S-P,${daysAgo(3)},2.20\n`,
  })
  await sync(dearer)
  const [card] = (await get('/scorecards?supplier=S-P')).json.data
  expect(card!.price_change).toBeCloseTo(0.1, 9)
  const changeOf = (days: number) =>
    card!.months.find(({ month }) => month === daysAgo(days).slice(0, 7))?.price_change
  expect(changeOf(50)).toBeCloseTo(0.05, 9)
  expect(changeOf(3)).toBeCloseTo(2.2 / 2.1 - 1, 9)
})

it('are shown by the command line', async () => {
  const env = { RESTOCK_URL: `${serverUrl()}/v1`, RESTOCK_API_KEY: await aKey() }
  const { stdout } = await restock(['report', 'suppliers'], { env })
  expect(stdout).toMatch(/S-3 +\d+ +\d+\.\d %/)
  const one = (await get('/scorecards?supplier=S-2')).json.data
  expect(one).toHaveLength(1)
  expect((await get('/scorecards?limit=1')).json).toMatchObject({ has_more: true })
})

it('are a page of the buyer’s app', async () => {
  const of = (supplier: string) =>
    read(`scorecard(source=${source},supplier='${supplier}')` as 'scorecard()')
  const [card] = (await get('/scorecards?supplier=S-2')).json.data
  const { json } = await of('S-2')
  expect(json).toMatchObject({
    ...{ source, supplier: 'S-2', lines: card!.lines, onTime: card!.on_time },
    peersOnTime: card!.peers_on_time,
  })
  expect(json.months.map(({ month }) => month)).toEqual(card!.months.map(({ month }) => month))
  expect((await of('S-9')).json).toMatchObject({ lines: 0, onTime: null, months: [] })
})
