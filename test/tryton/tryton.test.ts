// Every figure that Restock holds of a Tryton company beside what Tryton itself computes: `npm run test:tryton`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import cds from '@sap/cds'
import {
  CurrentCustomerOrders,
  CurrentOpenOrders,
  CurrentReservations,
  DemandRows,
  Planning,
  PriceBreaks,
  Proposals,
  readAs,
  Series,
  Snapshots,
  Stock,
} from '../../srv/base/database/entities.ts'
import { server, sync } from '../support/server.ts'
import { call, errorOf, get, post } from '../srv/v1/api.ts'
import { startTryton } from './real-tryton.ts'
import type { Figures, RealTryton, Terms } from './real-tryton.ts'

const { SELECT } = cds.ql

let tryton: RealTryton
let source: number

beforeAll(async () => {
  expect(server).toBeDefined()
  tryton = await startTryton()
}, 1_800_000)
afterAll(() => tryton?.close())

/** Lines `what warehouse sku day: figure`, of which those of zero are left out. */
type Lines = Map<string, number>

const rounded = (value: number) => Math.round(value * 1e6) / 1e6

function add(lines: Lines, key: string, value: number): void {
  const sum = rounded((lines.get(key) ?? 0) + value)
  if (sum === 0) lines.delete(key)
  else lines.set(key, sum)
}

function linesOf({ onHand, forecast, demand, onOrder }: Figures): Lines {
  const lines: Lines = new Map()
  for (const [place, of] of Object.entries(onHand)) {
    for (const [sku, value] of Object.entries(of)) add(lines, `on hand ${place} ${sku}`, value)
  }
  for (const [place, of] of Object.entries(forecast)) {
    for (const [sku, value] of Object.entries(of)) add(lines, `forecast ${place} ${sku}`, value)
  }
  for (const [place, days] of Object.entries(demand)) {
    for (const [day, of] of Object.entries(days)) {
      for (const [sku, value] of Object.entries(of)) {
        add(lines, `demand ${place} ${sku} ${day}`, value)
      }
    }
  }
  for (const [place, sku, value] of onOrder) add(lines, `on order ${place} ${sku}`, value)
  return lines
}

interface StockRow {
  sku: string
  location: string
  onHand: number
  backorders: number
}
interface OpenRow {
  sku: string
  location: string
  quantity: number
}

async function storedLines(): Promise<Lines> {
  const lines: Lines = new Map()
  const of = { source_ID: source }
  const snapshot = { ...of, record: 'stock' }
  const { generation } = (await SELECT.one.from(Snapshots).where(snapshot)) ?? { generation: null }
  for (const row of await readAs<StockRow>(SELECT.from(Stock).where({ ...of, generation }))) {
    const quantity = Number(row.onHand) - Number(row.backorders ?? 0)
    add(lines, `on hand ${row.location} ${row.sku}`, quantity)
    add(lines, `forecast ${row.location} ${row.sku}`, quantity)
  }
  const onOrder = await readAs<OpenRow>(SELECT.from(CurrentOpenOrders).where(of))
  for (const { sku, location, quantity } of onOrder) {
    add(lines, `on order ${location} ${sku}`, Number(quantity))
    add(lines, `forecast ${location} ${sku}`, Number(quantity))
  }
  for (const entity of [CurrentCustomerOrders, CurrentReservations]) {
    const promised = await readAs<OpenRow>(SELECT.from(entity).where(of))
    for (const { sku, location, quantity } of promised) {
      add(lines, `forecast ${location} ${sku}`, -Number(quantity))
    }
  }
  const series = await SELECT.from(Series).columns('ID', 'sku', 'location').where(of)
  const pairs = new Map(series.map(({ ID, sku, location }) => [ID, `${location} ${sku}`]))
  const rows = await readAs<{ series: number; date: string; quantity: number }>(
    SELECT.from(DemandRows).columns('series', 'date', 'quantity'),
  )
  for (const row of rows) {
    const pair = pairs.get(row.series)
    if (pair) add(lines, `demand ${pair} ${row.date}`, Number(row.quantity))
  }
  return lines
}

function differences(is: Lines, should: Lines): string[] {
  const keys = new Set([...is.keys(), ...should.keys()])
  return [...keys]
    .filter((key) => (is.get(key) ?? 0) !== (should.get(key) ?? 0))
    .map((key) => `${key}: ${is.get(key)}, not ${should.get(key)}`)
}

interface PlanningRow {
  sku: string
  location: string
  supplier: string | null
  leadTimeDays: number | null
  lotSize: number | null
  unitCost: number | null
}
interface BreakRow {
  sku: string
  fromQuantity: number
  unitCost: number
}

/** Money has four decimals. */
const CENT = 0.0001

async function termsThatDiffer(terms: Record<string, Terms>): Promise<string[]> {
  const of = { source_ID: source }
  const rows = await readAs<PlanningRow>(SELECT.from(Planning).where(of))
  const breaks = await readAs<BreakRow>(SELECT.from(PriceBreaks).where(of).orderBy('fromQuantity'))
  const bySku = Map.groupBy(breaks, ({ sku }) => sku)
  return rows.flatMap((row) => {
    const should = terms[row.sku]
    if (!should) return []
    const priceAt = (quantity: number) =>
      bySku.get(row.sku)?.findLast(({ fromQuantity }) => Number(fromQuantity) <= quantity)
        ?.unitCost ?? row.unitCost
    const isSame =
      row.supplier === should.supplier &&
      row.leadTimeDays === should.leadTimeDays &&
      (row.lotSize === null ? null : Number(row.lotSize)) ===
        (should.step > 1 ? should.step : null) &&
      should.prices.every(([quantity, price]) => Math.abs(Number(priceAt(quantity)) - price) < CENT)
    return isSame ? [] : [JSON.stringify({ row, should })]
  })
}

async function compare(): Promise<number> {
  const figures = tryton.figures()
  const should = linesOf(figures)
  expect(differences(await storedLines(), should)).toEqual([])
  expect(await termsThatDiffer(figures.terms)).toEqual([])
  return should.size + Object.keys(figures.terms).length
}

const connect = (
  { name, password } = tryton.reader,
  { account = tryton.url, options = {} }: { account?: string; options?: object } = {},
) =>
  post('/sources', {
    ...{ type: 'tryton', account, role: 'Restock (read)', options },
    ...{ client_id: name, client_secret: password },
  })

it('refuses a database that is not there, and a company that is not named or cannot be read', async () => {
  const wrong = await connect(undefined, { account: tryton.url.replace(/erp$/, 'nowhere') })
  expect(errorOf(wrong)).toMatchObject({ status: 400, target: 'account' })
  expect(wrong.text).toContain('has no Tryton database called nowhere')
  const said = { status: 400, target: 'options.company' }
  const [ofBranch, ofBoth] = tryton.readersOfBoth
  const open = await connect(ofBoth)
  expect(errorOf(open)).toMatchObject(said)
  expect(open.text).toContain('1 (Restock Test Company), 2 (Branch)')
  expect(errorOf(await connect(undefined, { options: { company: '2' } }))).toMatchObject(said)
  const hidden = await connect(ofBranch, { options: { company: '1' } })
  expect(errorOf(hidden)).toMatchObject(said)
  expect(hidden.text).toContain('sees nothing of 1 (Restock Test Company)')
})

it('reads the one company of two that is named', async () => {
  for (const reader of tryton.readersOfBoth) {
    const answer = await connect(reader, { options: { company: '2' } })
    expect(answer.status).toBe(201)
    const branch = Number(answer.json.id.slice(4))
    expect(await sync(branch, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    const of = { source_ID: branch }
    const stored = await readAs<StockRow>(SELECT.from(Stock).where(of))
    expect(stored.map(({ sku, location, onHand }) => [sku, location, Number(onHand)])).toEqual([
      ['A-00001', 'BRANCH', 17],
    ])
    expect(await SELECT.from(CurrentOpenOrders).where(of)).toEqual([])
  }
}, 600_000)

it('has every figure as Tryton computes it, in a full read', async () => {
  const answer = await connect()
  expect({ status: answer.status, now: answer.json.status }).toEqual({
    ...{ status: 201, now: 'connected' },
  })
  expect(answer.json.streams.map(({ status }) => status)).toEqual(
    answer.json.streams.map(() => 'ok'),
  )
  source = Number(answer.json.id.slice(4))
  const begun = Date.now()
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  const seconds = (Date.now() - begun) / 1000
  const figures = await compare()
  expect(figures).toBeGreaterThan(8_000)
  process.stderr.write(`full sync in ${seconds} s; ${figures} figures without a difference\n`)
}, 600_000)

it('has them after a day of changes, cancellations and deletions', async () => {
  tryton.change()
  const result = await sync(source)
  expect(result).toMatchObject({ status: 'succeeded', issues: [] })
  const figures = await compare()
  process.stderr.write(`after changes ${result.rowsRead} rows read; ${figures} figures alike\n`)
}, 600_000)

it('takes a hand-over, and the next sync finds the orders by its number', async () => {
  // Orders for longer: so that there are enough of them.
  const rule = { level: 'default', review_period_days: 90, target_quantile: 0.99 }
  await call('PUT', '/policies', { body: rule })
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded' })
  const proposals: { id: string; supplier: string | null }[] = []
  for (let cursor = ''; ;) {
    const page = (await get(`/proposals?status=pending&limit=200${cursor}` as '/proposals')).json
    proposals.push(...page.data.filter(({ supplier }) => supplier !== null))
    if (!page.next_cursor || proposals.length >= 200) break
    cursor = `&cursor=${page.next_cursor}`
  }
  proposals.splice(200)
  const suppliers = new Set(proposals.map(({ supplier }) => supplier))
  process.stderr.write(`${proposals.length} lines of ${suppliers.size} suppliers\n`)
  expect(proposals.length).toBeGreaterThanOrEqual(40)
  expect(suppliers.size).toBeGreaterThanOrEqual(10)
  await post('/proposals/decisions', {
    decisions: proposals.map(({ id }) => ({ id, action: 'approve' as const })),
  })
  const taken = (await post('/handovers', { source_id: `src_${source}` })).json.data[0]!
  const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-hand-over-'))
  const file = path.join(folder, taken.file_name)
  writeFileSync(file, (await get(`/handovers/${taken.id}/file` as '/handovers/ho_1/file')).text)
  const { lines } = tryton.importOrders(file)
  rmSync(folder, { recursive: true })
  expect(lines).toBe(taken.line_count)
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  const found = await SELECT.from(Proposals).where({ handOver: { '!=': null } })
  const ordered = found.filter(
    ({ status, matchedBy }) => status === 'ordered' && matchedBy === 'reference',
  )
  process.stderr.write(`${lines} lines imported, ${ordered.length} ordered by reference\n`)
  expect(ordered.length / taken.line_count).toBeGreaterThanOrEqual(0.99)
}, 600_000)

it('reads with a user to whom Tryton refuses every write', async () => {
  const call = async (method: string, params: unknown[], authorization?: string) => {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
    const body = JSON.stringify({ id: 1, method, params })
    const answer = await fetch(`${tryton.url}/`, { method: 'POST', headers, body })
    return (await answer.json()) as { result?: unknown; error?: [string, [string]] }
  }
  const { name, password } = tryton.reader
  const { result } = await call('common.db.login', [name, { password }])
  const [user, session] = result as [number, string]
  const header = `Session ${Buffer.from(`${name}:${user}:${session}`).toString('base64')}`
  const { moves } = tryton.figures()
  for (const model of ['stock.move', 'purchase.purchase', 'product.product', 'stock.order_point']) {
    const found = await call(`model.${model}.search`, [[], 0, 1, null, {}], header)
    const ids = found.result as number[]
    const write = await call(`model.${model}.write`, [ids, {}, {}], header)
    expect([model, write.error?.[0]]).toEqual([model, 'UserError'])
    const gone = await call(`model.${model}.delete`, [ids, {}], header)
    expect([model, gone.error?.[0]]).toEqual([model, 'UserError'])
  }
  expect(tryton.figures().moves).toBe(moves)
})
