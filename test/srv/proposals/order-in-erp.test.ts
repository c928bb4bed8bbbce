import cds from '@sap/cds'
import { ProposalEvents, Proposals } from '../../../srv/base/database/entities.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { daysAgo, sync, writeFiles } from '../../support/server.ts'
import { openShop, type Shop } from './shop.ts'

const { SELECT, UPDATE } = cds.ql

let shop: Shop
beforeAll(async () => {
  shop = await openShop('loop', 10)
})

const find = (ID: number) => proposalsAs({}, 'find', { ID })

/** Writes the open orders of the ERP and reads them. */
async function order(...lines: string[]) {
  const header = 'order,line,sku,location,quantity,due,reference'
  await writeFiles('loop', { 'open_orders.csv': `${[header, ...lines].join('\n')}\n` })
  expect(await sync(shop.source)).toMatchObject({ status: 'succeeded' })
}
const due = daysAgo(-5)

it('an order that names the proposal marks it as ordered, and nothing is counted twice', async () => {
  const { ID, sku, series, quantity } = await find(shop.take())
  await approve(ID)
  await order(`4500,10,${sku},L1,${quantity},${due},prop_${ID}`)
  expect(await find(ID)).toMatchObject({ status: 'ordered', quantity, decidedBy: 'approver' })
  expect(await shop.historyOf(ID)).toEqual(['created', 'approved', 'ordered'])
  const event = await SELECT.one.from(ProposalEvents).where({ proposal: ID, event: 'ordered' })
  expect(event).toMatchObject({ actor: 'system', via: 'system', comment: 'ERP order 4500' })
  const open = await SELECT.from(Proposals).where({ series, status: 'pending' })
  for (const { calculation_openProposals } of open) expect(calculation_openProposals).toBe(0)
})

it('says where another quantity was ordered, over all lines', async () => {
  const { ID, sku, quantity } = await find(shop.take())
  await approve(ID)
  const half = quantity / 2
  await order(
    `4501,10,${sku},L1,${half},${due},prop_${ID}`,
    `4502,10,${sku},L1,${half - 5},${due},prop_${ID}`,
  )
  const event = await SELECT.one.from(ProposalEvents).where({ proposal: ID, event: 'ordered' })
  expect(event!.comment).toBe(
    `ERP order 4501, 4502, of which ${quantity - 5} are open; ${quantity} were approved`,
  )
})

it.each([
  ['names none of ours', (ID: number) => `order ${ID}`],
  ['names another', (ID: number) => `prop_${ID + 1_000_000}`],
  ['is too large a number', () => 'prop_9999999999'],
  ['is part of a longer word', (ID: number) => `my_prop_${ID} prop_${ID}a`],
])('passes over a reference that %s', async (_, reference) => {
  const { ID, sku } = await find(shop.take())
  await approve(ID)
  await order(`4600,10,${sku},L1,10,${due},${reference(ID)}`)
  expect(await find(ID)).toMatchObject({ status: 'approved', flag: null })
})

it('finds the number among others in the reference, as of an order that was made of several drafts', async () => {
  const { ID, sku, quantity } = await find(shop.take())
  await approve(ID)
  await order(`4650,10,${sku},L1,${quantity},${due},"S00012, prop_${ID + 1}, prop_${ID}"`)
  expect(await find(ID)).toMatchObject({ status: 'ordered', matchedBy: 'reference' })
})

it('passes over an order of another SKU', async () => {
  const { ID } = await find(shop.take())
  await approve(ID)
  await order(`4700,10,something else,L1,10,${due},prop_${ID}`)
  expect(await find(ID)).toMatchObject({ status: 'approved' })
})

it('flags what is not seen in time, changes nothing else, and takes the flag back', async () => {
  const { ID, sku, quantity } = await find(shop.take())
  await approve(ID)
  await order()
  expect(await find(ID)).toMatchObject({ status: 'approved', flag: null })
  const decidedAt = new Date(Date.now() - 8 * 86_400_000).toISOString()
  await UPDATE.entity(Proposals).set({ decidedAt }).where({ ID })
  await order(`4800,10,nothing of it,L1,1,${due},`)
  expect(await find(ID)).toMatchObject({ status: 'approved', flag: 'not_seen_in_erp', version: 2 })
  await order(`4801,10,${sku},L1,${quantity},${due},PROP_${ID}`)
  expect(await find(ID)).toMatchObject({ status: 'ordered', flag: null })
})
