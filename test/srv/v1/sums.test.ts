// What was read of an ERP, held against its own reports: `GET /sources/{id}/sums` and `restock doctor compare`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Erp, startErp } from '../../../sandbox/index.ts'
import { restockHere } from '../../cli/run.ts'
import { connectFiles, daysAgo, serverUrl, sync } from '../../support/server.ts'
import { connect, leave } from '../s4hana/source.ts'
import { aKey, call } from './api.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-compare-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SKUS = 14
const places = ['L1', 'L2', 'L3']
const pairs = Array.from({ length: SKUS }, (_, at) => places.map((place) => ({ at, place }))).flat()
const demand = pairs.flatMap(({ at, place }) =>
  Array.from({ length: 100 }, (_, day) => ({ day, quantity: (at * 7 + day * day) % 9 }))
    .filter(({ quantity }) => quantity)
    .map(({ day, quantity }) => `S${at},${place},${daysAgo(day + 1)},${quantity}`),
)
const stock = pairs.map(({ at, place }) => `S${at},${place},${at % 13}`)
const orders = pairs
  .filter(({ at }) => at % 4 === 0)
  .map(({ at, place }) => `PO${at},${place},S${at},${place},${10 + at},${daysAgo(-7)}`)
const HEADS = {
  demand: 'sku,location,date,quantity',
  stock: 'sku,location,on_hand',
  open_orders: 'document,line,sku,location,quantity,due',
}
type List = keyof typeof HEADS
const rowsOf: Record<List, string[]> = { demand, stock, open_orders: orders }
const textOf = (list: List, rows: string[]) => `${[HEADS[list], ...rows].join('\n')}\n`

interface Differences {
  sums: object[]
  rows: { location: string; month: string | null; sku: string; report: number; read: number }[]
}

async function compare(source: string, list: List, text: string, ...more: string[]) {
  const file = path.join(folder, 'report.csv')
  writeFileSync(file, text)
  const env = { RESTOCK_URL: `${serverUrl()}/v1`, RESTOCK_API_KEY: await aKey() }
  const args = ['doctor', 'compare', source, '--list', list, '--file', file, ...more]
  return restockHere(args, env)
}

async function differences(source: string, list: List, rows: string[]) {
  const { code, stdout, stderr } = await compare(source, list, textOf(list, rows), '--json')
  if (!stdout) throw new Error(stderr)
  return { code, found: JSON.parse(stdout) as Differences }
}

describe('files of a company', () => {
  let source = ''
  beforeAll(async () => {
    const files = Object.entries(rowsOf).map(([list, rows]) => [
      `${list}.csv`,
      textOf(list as List, rows),
    ])
    const ID = await connectFiles('compared', Object.fromEntries(files) as Record<string, string>)
    expect(await sync(ID, 'full')).toMatchObject({ issues: [] })
    source = `src_${ID}`
  })

  it.each(Object.keys(HEADS) as List[])('%s is equal to its own report', async (list) => {
    const { code, stdout } = await compare(source, list, textOf(list, rowsOf[list]))
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/, 0 of them differ\.\nNo row differs\./),
    ])
  })

  // Each changes one report, and is found in the row that it changes.
  const at = (rows: string[], sku: string) => rows.findIndex((row) => row.includes(`${sku},L2`))
  const without = (rows: string[], sku: string) => rows.toSpliced(at(rows, sku), 1)
  const edited = (rows: string[], sku: string) =>
    rows.with(at(rows, sku), rows[at(rows, sku)]!.replace(`${sku},L2`, `${sku}X,L2`))
  it.each<[string, List, string[], string[]]>([
    ['a row is missing', 'stock', without(stock, 'S7'), ['S7']],
    ['a row is twice there', 'stock', [...stock, 'S7,L2,1'], ['S7']],
    ['two rows are off by as much', 'stock', [...stock, 'S7,L2,1', 'S8,L2,-1'], ['S7', 'S8']],
    ['a code is another one', 'stock', edited(stock, 'S7'), ['S7', 'S7X']],
    ['a location is another one', 'stock', [...stock, 'S7,L9,4'], ['S7']],
    ['an order is missing', 'open_orders', without(orders, 'S8'), ['S8']],
    ['an order is larger', 'open_orders', [...orders, 'PO8,9,S8,L2,1,'], ['S8']],
    ['a day is missing', 'demand', without(demand, 'S7'), ['S7']],
    ['a return is missing', 'demand', [...demand, `S7,L2,${daysAgo(5)},-1`], ['S7']],
    ['a day lies in another month', 'demand', [...demand, 'S7,L2,2020-02-29,3'], ['S7']],
  ])('%s: found', async (_, list, rows, skus) => {
    const { code, found } = await differences(source, list, rows)
    expect(found.rows.map(({ sku }) => sku)).toEqual(skus)
    expect(code).toBe(1)
  })

  it('leaves out days of demand from one on', async () => {
    const before = daysAgo(20)
    const rows = demand.filter((row) => row.split(',')[2]! < before)
    const { code } = await compare(source, 'demand', textOf('demand', rows), '--before', before)
    expect(code).toBe(0)
  })

  it('refuses what it cannot add up, and names it', async () => {
    const ask = (query: string) => call('GET', `/sources/${source}/sums?${query}` as '/sources')
    for (const [query, target] of [
      ['', 'list'],
      ['list=sales', 'list'],
      ['list=stock&month=2026-01', 'month'],
      ['list=demand&month=2026-13&location=L1', 'month'],
      ['list=demand&month=2026-01', 'location'],
      ['list=demand&location=L1', 'month'],
      ['list=stock&before=2026-01-01', 'before'],
    ] as const) {
      const { status, error } = await ask(query)
      expect([status, error]).toEqual([400, expect.objectContaining({ target })])
    }
    const { stderr, code } = await compare(source, 'stock', 'sku,location,on_hand\nA,,1\n')
    expect([code, stderr]).toEqual([1, expect.stringContaining('line 2: the location is empty')])
  })
})

describe('the sandbox of S/4HANA', () => {
  let erp: Erp
  afterAll(() => leave(erp))

  it('is equal to what it would print', async () => {
    erp = await startErp({ size: 40, days: 60 })
    const { source } = await connect(erp)
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    const truth = [...erp.truth()]
    const reports: Record<List, string[]> = {
      stock: truth.map((pair) => `${pair.sku},${pair.location},${pair.onHand - pair.backorders}`),
      open_orders: truth.flatMap(({ sku, location, openOrders, inTransfer }) => [
        ...openOrders.map(
          (line) => `${line.order},${line.item},${sku},${location},${line.quantity},`,
        ),
        ...(inTransfer
          ? [`StockInTransfer(${location}),${sku},${sku},${location},${inTransfer},`]
          : []),
      ]),
      demand: truth.flatMap(({ sku, location, demand: days }) =>
        days.map(({ date, quantity }) => `${sku},${location},${date},${quantity}`),
      ),
    }
    for (const list of Object.keys(HEADS) as List[])
      expect(await differences(`src_${source}`, list, reports[list])).toEqual({
        code: 0,
        found: { sums: [], rows: [] },
      })
  })
})
