// Orders that do not name their proposal, and approvals that no order was ever made of.
import cds from '@sap/cds'
import { Exceptions, ProposalEvents, Proposals } from '../../../srv/base/database/entities.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { daysAgo, sync, writeFiles } from '../../support/server.ts'
import { handOver } from '../../../srv/domain/proposals/index.ts'
import { openShop, type Shop } from './shop.ts'

const { SELECT, UPDATE } = cds.ql

let shop: Shop
beforeAll(async () => {
  shop = await openShop('unmatched', 15)
})

const find = (ID: number) => proposalsAs({}, 'find', { ID })
const today = daysAgo(0)
const due = daysAgo(-5)

interface Orders {
  open?: string[]
  received?: string[]
}

async function read({ open = [], received = [] }: Orders) {
  const orders = ['order,line,sku,location,quantity,due,reference,supplier,ordered_on', ...open]
  const receipts = [
    'order,line,sku,location,supplier,ordered_on,due,received_on,quantity,reference',
    ...received,
  ]
  await writeFiles('unmatched', {
    'open_orders.csv': `${orders.join('\n')}\n`,
    'receipts.csv': `${receipts.join('\n')}\n`,
  })
  expect(await sync(shop.source)).toMatchObject({ status: 'succeeded', issues: [] })
}

async function approved() {
  const proposal = await find(shop.take())
  await approve(proposal.ID)
  return proposal
}

const decidedDaysAgo = (ID: number, days: number) =>
  UPDATE.entity(Proposals)
    .set({ decidedAt: new Date(Date.now() - days * 86_400_000).toISOString() })
    .where({ ID })

const commentOf = async (ID: number) =>
  (await SELECT.one.from(ProposalEvents).where({ proposal: ID, event: 'ordered' }))?.comment

it('takes an order of the same supplier, SKU, location, quantity and day', async () => {
  const { ID, sku, quantity } = await approved()
  await read({ open: [`5000,10,${sku},L1,${quantity},${due},,S-1,${today}`] })
  expect(await find(ID)).toMatchObject({
    ...{ status: 'ordered', erpOrder: '5000', matchedBy: 'likeness', flag: null },
  })
  expect(await commentOf(ID)).toBe(
    'ERP order 5000, found by supplier, SKU, location, quantity and day',
  )
})

it.each([
  [
    'another quantity',
    (sku: string, q: number) => `5100,10,${sku},L1,${q + 10},${due},,S-1,${today}`,
  ],
  ['another supplier', (sku: string, q: number) => `5100,10,${sku},L1,${q},${due},,S-2,${today}`],
  ['another location', (sku: string, q: number) => `5100,10,${sku},L2,${q},${due},,S-1,${today}`],
  [
    'an earlier day',
    (sku: string, q: number) => `5100,10,${sku},L1,${q},${due},,S-1,${daysAgo(9)}`,
  ],
  [
    'another reference',
    (sku: string, q: number) => `5100,10,${sku},L1,${q},${due},prop_1,S-1,${today}`,
  ],
])('passes over an order with %s', async (_, line) => {
  const { ID, sku, quantity } = await approved()
  await read({ open: [line(sku, quantity)] })
  expect(await find(ID)).toMatchObject({ status: 'approved', erpOrder: null })
})

it('knows what was ordered and received between two syncs', async () => {
  const [named, alike] = [await approved(), await approved()]
  await read({
    received: [
      `5200,10,${named.sku},L1,S-1,${today},${due},${today},${named.quantity},prop_${named.ID}`,
      `5201,10,${alike.sku},L1,S-1,${today},${due},${today},${alike.quantity},`,
    ],
  })
  expect(await find(named.ID)).toMatchObject({ status: 'ordered', matchedBy: 'reference' })
  expect(await find(alike.ID)).toMatchObject({ status: 'ordered', matchedBy: 'likeness' })
  expect(await commentOf(named.ID)).toBe('ERP order 5200, received')
})

it('takes several orders that have the quantity together', async () => {
  const { ID, sku, quantity } = await approved()
  const [first, second] = [10, quantity - 10].map(
    (part, at) => `521${at},10,${sku},L1,${part},${due},,S-1,${today}`,
  )
  await read({ open: [first!] })
  expect(await find(ID)).toMatchObject({ status: 'approved' })
  await read({ open: [first!, second!] })
  expect(await find(ID)).toMatchObject({ status: 'ordered', erpOrder: '5210, 5211' })
  expect(await commentOf(ID)).toBe(
    'ERP order 5210, 5211, found by supplier, SKU, location, quantity and day',
  )
  // Neither of them is the order of another approval.
  const { ID: _, ...row } = (await SELECT.one.from(Proposals).where({ ID }))!
  const other = { ...row, ID: 900_001, status: 'approved', erpOrder: null, matchedBy: null }
  const entry = { ...other, quantity: 10, basis: null }
  await cds.ql.INSERT.into(Proposals).entries(entry as never)
  await read({ open: [first!, second!] })
  expect(await find(other.ID)).toMatchObject({ status: 'approved', erpOrder: null })
})

it('adds up fractions exactly, over lines and over what has come', async () => {
  const { ID, sku, quantity } = await approved()
  const parts = [quantity - 1, ...Array.from({ length: 10 }, () => 0.1)]
  expect(parts.reduce((sum, part) => sum + part)).not.toBe(quantity)
  const lines = parts.map((part, at) => `5215,${at},${sku},L1,${part},${due},,S-1,${today}`)
  await read({ open: lines })
  expect(await find(ID)).toMatchObject({ status: 'ordered', erpOrder: '5215' })
  expect(await commentOf(ID)).toBe(
    'ERP order 5215, found by supplier, SKU, location, quantity and day',
  )
})

describe('an order that names a hand-over', () => {
  const buyer = new cds.User({ id: 'buyer', roles: ['Viewer', 'Buyer'], attr: {} })
  const handOverOf = async (...IDs: number[]) => {
    const wish = { proposals: IDs, takenBefore: 'again' as const }
    const [taken] = await cds.tx({ user: buyer } as never, () => handOver(wish))
    return `ho_${taken!.ID}`
  }

  it('at another supplier is that of the only line of its pair, and says so', async () => {
    const { ID, sku, quantity } = await approved()
    const reference = await handOverOf(ID)
    await read({ open: [`5220,10,${sku},L1,${quantity},${due},${reference},S-2,${today}`] })
    expect(await find(ID)).toMatchObject({ status: 'ordered', matchedBy: 'reference' })
    expect(await commentOf(ID)).toBe('ERP order 5220 at supplier S-2, approved for S-1')
    const kind = 'order_differs'
    expect(await SELECT.from(Exceptions).where({ kind, document: '5220' })).toHaveLength(1)
  })

  it('is that of the line at its supplier where the pair has several', async () => {
    const { ID, sku, quantity } = await approved()
    const { ID: _, ...row } = (await SELECT.one.from(Proposals).where({ ID }))!
    const transfer = { ...row, ID: 900_002, kind: 'transfer', fromLocation: 'L2', supplier: null }
    await cds.ql.INSERT.into(Proposals).entries({ ...transfer, basis: null } as never)
    const reference = await handOverOf(ID, transfer.ID)
    await read({ open: [`5230,10,${sku},L1,${quantity},${due},${reference},S-1,${today}`] })
    expect(await find(ID)).toMatchObject({ status: 'ordered', erpOrder: '5230' })
    expect(await find(transfer.ID)).toMatchObject({ status: 'approved' })
  })
})

it('an order stands for one proposal only', async () => {
  const first = await approved()
  const line = `5300,10,${first.sku},L1,${first.quantity},${due},,S-1,${today}`
  await read({ open: [line] })
  expect(await find(first.ID)).toMatchObject({ status: 'ordered', erpOrder: '5300' })
  const { ID: _, ...row } = (await SELECT.one.from(Proposals).where({ ID: first.ID }))!
  const second = { ...row, ID: 900_000, status: 'approved', erpOrder: null, matchedBy: null }
  await cds.ql.INSERT.into(Proposals).entries({ ...second, basis: null } as never)
  await read({ open: [line] })
  expect(await find(second.ID)).toMatchObject({ status: 'approved', erpOrder: null })
})

it('stops counting after a time, tells it, and takes it back when the order appears', async () => {
  const { ID, sku, series, quantity } = await approved()
  await read({})
  await decidedDaysAgo(ID, 8)
  await read({ open: [`5400,10,other,L1,1,${due},,,`] })
  expect(await find(ID)).toMatchObject({ status: 'approved', flag: 'not_seen_in_erp' })
  expect(await SELECT.from(Proposals).where({ series, status: 'pending' })).toEqual([])
  await decidedDaysAgo(ID, 15)
  await read({ open: [`5401,10,other,L1,1,${due},,,`] })
  expect(await find(ID)).toMatchObject({ status: 'approved', flag: 'not_counted' })
  const [again] = await SELECT.from(Proposals).where({ series, status: 'pending' })
  expect(again).toMatchObject({ calculation_openProposals: 0 })
  const told = { kind: 'unmatched_approval', document: `prop_${ID}`, quantity }
  expect(await SELECT.from(Exceptions).where({ series })).toMatchObject([told])
  await read({ open: [`5402,10,${sku},L1,${quantity},${due},prop_${ID},S-1,${today}`] })
  expect(await find(ID)).toMatchObject({ status: 'ordered', flag: null })
  expect(await SELECT.from(Exceptions).where({ series, kind: told.kind })).toEqual([])
})
