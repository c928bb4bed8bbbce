// After an incremental sync only those pairs are calculated that something has changed about, and the
// result is that of calculating all.
import cds from '@sap/cds'
import { BlockedPairs, Proposals, Series, Sources } from '../../../srv/base/database/entities.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { connectFiles, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { someOf } from '../../support/some-of.ts'

const { SELECT, UPDATE } = cds.ql

const SKUS = Array.from({ length: 12 }, (_, at) => `S${at}`)
const LOCATIONS = ['L1', 'L2']
const SEED = Number(process.env.RESTOCK_SEED ?? 1)

/** The same numbers for the same seed. */
let state = SEED
function random(below: number) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

interface Pair {
  sku: string
  location: string
  onHand: number | null
  lead: number
  lot: number
  supplier: string
  ordered: number
  daily: number
}

const pairs: Pair[] = SKUS.flatMap((sku) =>
  LOCATIONS.map((location) => ({
    ...{ sku, location, onHand: random(120), lead: 3 + random(9), lot: 1 + random(9) },
    ...{ supplier: `P${random(3)}`, ordered: 0, daily: 1 + random(8) },
  })),
)

const body = (csv: string) => csv.slice(csv.indexOf('\n') + 1)
const csv = (header: string, rows: string[]) => `${[header, ...rows].join('\n')}\n`
const place = ({ sku, location }: Pair) => `${sku},${location}`

const files = () => ({
  'demand.csv': csv(
    'sku,location,date,quantity',
    pairs.map((pair) =>
      body(steadyDemand([pair.sku], { ...pair, quantity: pair.daily })).trimEnd(),
    ),
  ),
  'stock.csv': csv(
    'sku,location,on_hand',
    pairs.filter(({ onHand }) => onHand !== null).map((pair) => `${place(pair)},${pair.onHand}`),
  ),
  'planning.csv': csv(
    'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency',
    pairs.map((pair) => `${place(pair)},${pair.lead},5,${pair.lot},${pair.supplier},3.00,EUR`),
  ),
  'open_orders.csv': csv(
    'order,line,sku,location,quantity,due',
    pairs
      .filter(({ ordered }) => ordered > 0)
      .map((pair, at) => `O${at},1,${place(pair)},${pair.ordered},`),
  ),
})

/** Changes some pairs in one way each. */
function change() {
  for (let many = 1 + random(4); many > 0; many--) {
    const pair = pairs[random(pairs.length)]!
    const ways = [
      () => (pair.onHand = random(150)),
      () => (pair.onHand = pair.onHand === null ? random(100) : null),
      () => (pair.lead = 2 + random(12)),
      () => (pair.lot = 1 + random(20)),
      () => (pair.supplier = `P${random(3)}`),
      () => (pair.ordered = random(2) * random(60)),
      () => (pair.daily = 1 + random(9)),
    ]
    ways[random(ways.length)]!()
  }
}

const rounds = (many: number) =>
  someOf(
    Array.from({ length: many }, (_, at) => at),
    2,
  )

let source: number
beforeAll(async () => {
  source = await connectFiles('due', files())
  await sync(source)
})

const marked = async () =>
  (
    await SELECT.from(Series)
      .columns('sku', 'location')
      .where({ source_ID: source, dueForProposal: true })
  ).length

/** All that somebody could see of the proposals, but for the day until which they stand. */
const visible = async () => ({
  proposals: (await SELECT.from(Proposals).where({ source_ID: source }).orderBy('ID')).map(
    // Classes are found anew when everything is calculated.
    ({ expiresAt: _e, abcClass: _c, ...rest }) => rest,
  ),
  blocked: await SELECT.from(BlockedPairs)
    .where({ source_ID: source })
    .orderBy('series', 'missing'),
})

/** A sync that calculates what is due leaves nothing to do to one that calculates all. */
async function expectNothingLeft() {
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  const before = await visible()
  await proposalsAs({}, 'refresh', { source, sync: null })
  expect({ seed: SEED, ...(await visible()) }).toEqual({ seed: SEED, ...before })
}

it('marks nothing once everything is calculated', async () => {
  await sync(source)
  expect(await marked()).toBe(0)
})

it('calculates only what has changed', async () => {
  const [, pair] = pairs
  pair!.onHand = 0
  await writeFiles('due', files())
  const far = new Date(Date.now() + 1e9).toISOString()
  await UPDATE.entity(Proposals).set({ expiresAt: far }).where({ source_ID: source })
  await sync(source)
  const renewed = await SELECT.from(Proposals)
    .columns('sku', 'location')
    .where({ source_ID: source, status: 'pending', expiresAt: { '!=': far } })
  for (const { sku, location } of renewed) {
    expect({ sku, location }).toEqual({ sku: pair!.sku, location: pair!.location })
  }
})

it('equals calculating everything, over random changes', async () => {
  for (const round of rounds(12)) {
    change()
    await writeFiles('due', files())
    if (round % 3 === 2) {
      const open = await SELECT.from(Proposals)
        .columns('ID')
        .where({ source_ID: source, status: 'pending' })
      const { ID } = open[random(open.length)]!
      if (random(2)) await proposalsAs({}, 'decline', { ID, reason: 'other' })
      else await approve(ID).catch(() => undefined)
    }
    await expectNothingLeft()
  }
})

it('equals it where a supplier’s order is filled as a whole', async () => {
  const rule = { level: 'supplier', supplier: 'P1', minimumOrderValue: '2000.00' }
  await proposalsAs({}, 'setPolicy', { rule })
  for (const _ of rounds(8)) {
    change()
    await writeFiles('due', files())
    await expectNothingLeft()
  }
})

it('keeps the marks of what a broken-off run did not reach', async () => {
  const [pair] = pairs
  pair!.onHand = pair!.onHand === 1 ? 2 : 1
  await writeFiles('due', files())
  const before = await marked()
  await UPDATE.entity(Series)
    .set({ dueForProposal: true })
    .where({ source_ID: source, sku: pair!.sku })
  expect(await marked()).toBeGreaterThan(before)
  await expectNothingLeft()
  expect(await marked()).toBe(0)
})

it('calculates everything on a new day', async () => {
  await UPDATE.entity(Sources).set({ proposedOn: '2026-01-01' }).where({ ID: source })
  const far = new Date(Date.now() + 1e9).toISOString()
  const pending = { source_ID: source, status: 'pending' }
  await UPDATE.entity(Proposals).set({ expiresAt: far }).where(pending)
  await sync(source)
  const left = await SELECT.from(Proposals).where({ ...pending, expiresAt: far })
  expect(left).toEqual([])
})
