// What customers have ordered, what is reserved, and stock in inspection: read from files, and counted once.
import cds from '@sap/cds'
import { CurrentCustomerOrders, Evidence, Proposals } from '../../../srv/base/database/entities.ts'
import { replayEvidence } from '../../../srv/domain/proposals/explain/reasons.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { daysAhead } from './late-orders.ts'
import { parseJson } from '../../support/json.ts'

const { SELECT } = cds.ql

const ACCOUNT = 'customer-orders'
const SKUS = ['plain', 'late', 'usual', 'bulk', 'later', 'inspected', 'reserved']
/** Lead time 10 and review period 7: the last of the days that an order must cover. */
const LAST_DAY = 16

const csv = (header: string, rows: unknown[][]) =>
  `${[header, ...rows.map((row) => row.join(','))].join('\n')}\n`
const ordersOf = (rows: unknown[][]) => csv('order,line,sku,location,quantity,due', rows)

const LATE = ['SO-1', 10, 'late', 'L1', 25, daysAgo(2)]
const OTHERS = [
  ['SO-2', 10, 'usual', 'L1', 10, daysAhead(LAST_DAY)],
  ['SO-3', 10, 'bulk', 'L1', 200, daysAhead(LAST_DAY)],
  ['SO-3', 20, 'bulk', 'L1', 100, daysAhead(LAST_DAY)],
  ['SO-4', 10, 'later', 'L1', 900, daysAhead(LAST_DAY + 1)],
]

let source: number
beforeAll(async () => {
  source = await connectFiles(ACCOUNT, {
    'demand.csv': steadyDemand(SKUS),
    'stock.csv': csv(
      'sku,location,on_hand,in_inspection',
      SKUS.map((sku) => [sku, 'L1', 5, sku === 'inspected' ? 30 : '']),
    ),
    'customer_orders.csv': ordersOf([LATE, ...OTHERS]),
    'reservations.csv': csv('reservation,line,sku,location,quantity,due', [
      ['R-1', 1, 'reserved', 'L1', 7, daysAgo(1)],
      ['R-1', 2, 'reserved', 'L1', 5, daysAhead(3)],
      ['R-2', 1, 'bulk', 'L1', 40, daysAhead(LAST_DAY)],
    ]),
    'planning.csv': csv(
      'sku,location,lead_time_days,review_period_days,supplier,unit_cost,currency',
      SKUS.map((sku) => [sku, 'L1', 10, 7, 'S-1', '2.50', 'EUR']),
    ),
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
})

async function proposalOf(sku: string) {
  const where = { source_ID: source, sku, status: 'pending' as const }
  const row = await SELECT.one.from(Proposals).columns('ID').where(where)
  return proposalsAs({}, 'find', { ID: row!.ID })
}

it('adds what is due and not delivered, once', async () => {
  const plain = (await proposalOf('plain')).calculation
  const { calculation, rationale } = await proposalOf('late')
  expect(plain).not.toHaveProperty('backorders')
  expect(calculation).toMatchObject({
    backorders: 25,
    netRequirement: plain.netRequirement + 25,
  })
  expect(rationale).toContain('25 on backorder')
  expect(calculation.drivers).toContain('backorders')
})

it('adds of later orders what the forecast does not expect until then', async () => {
  const plain = (await proposalOf('plain')).calculation
  expect((await proposalOf('usual')).calculation.netRequirement).toBe(plain.netRequirement)
  expect((await proposalOf('later')).calculation.netRequirement).toBe(plain.netRequirement)
  const { calculation } = await proposalOf('bulk')
  expect(calculation.horizonDays).toBe(LAST_DAY + 1)
  const reserved = 300 + 40 - calculation.p50
  expect(calculation).toMatchObject({ reserved, netRequirement: plain.netRequirement + reserved })
})

it('adds what was to be withdrawn by today, and of the rest what the forecast does not expect', async () => {
  const plain = (await proposalOf('plain')).calculation
  const { calculation, rationale } = await proposalOf('reserved')
  expect(calculation).toMatchObject({ reserved: 7, netRequirement: plain.netRequirement + 7 })
  expect(rationale).toContain('7 reserved')
})

it('takes off what is in inspection', async () => {
  const plain = (await proposalOf('plain')).calculation
  const { calculation } = await proposalOf('inspected')
  expect(calculation).toMatchObject({
    inInspection: 30,
    netRequirement: plain.netRequirement - 30,
  })
})

it('shows the terms in the sum, and replays them from the evidence', async () => {
  for (const [sku, term, value] of [
    ['late', 'backorders', 25],
    ['inspected', 'in_inspection', 30],
    ['reserved', 'reserved', 7],
  ] as const) {
    const { ID, quantity } = await proposalOf(sku)
    const { lines } = await proposalsAs({}, 'evidence', { ID })
    expect(lines).toContainEqual(expect.objectContaining({ term, value }))
    await approve(ID)
    const { content } = (await SELECT.one.from(Evidence).where({ proposal: ID }))!
    expect(replayEvidence(parseJson(content!))).toMatchObject({ quantity, matches: true })
  }
})

it('follows what is delivered, and calculates its pairs again', async () => {
  const before = (await proposalOf('bulk')).calculation
  const rows = OTHERS.filter(([order, line]) => order !== 'SO-3' || line !== 10)
  await writeFiles(ACCOUNT, { 'customer_orders.csv': ordersOf(rows) })
  expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  const stored = await SELECT.from(CurrentCustomerOrders).where({ source_ID: source })
  expect(stored.map(({ document, line }) => `${document}/${line}`).sort()).toEqual([
    'SO-2/10',
    'SO-3/20',
    'SO-4/10',
  ])
  const { calculation } = await proposalOf('bulk')
  expect(calculation.reserved).toBe(before.reserved! - 200)
})

it('keeps bad rows apart, and what was known of the others', async () => {
  const bad = ['SO-5', 10, 'plain', 'L1', -4, daysAgo(1)]
  await writeFiles(ACCOUNT, { 'customer_orders.csv': ordersOf([...OTHERS, bad]) })
  expect(await sync(source)).toMatchObject({
    status: 'partial',
    issues: [{ stream: 'customerOrders', code: 'invalid_value' }],
  })
  expect(
    await SELECT.from(CurrentCustomerOrders).where({ source_ID: source, document: 'SO-3' }),
  ).toHaveLength(2)
})
