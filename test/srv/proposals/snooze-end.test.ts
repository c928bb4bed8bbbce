import cds from '@sap/cds'
import { ProposalEvents, Proposals } from '../../../srv/base/database/entities.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { sync, writeFiles } from '../../support/server.ts'
import { openShop, type Shop } from './shop.ts'

const { SELECT, UPDATE } = cds.ql

let shop: Shop
beforeAll(async () => {
  shop = await openShop('wake', 3)
})

const until = new Date(Date.now() + 30 * 86_400_000).toISOString()
const find = (ID: number) => proposalsAs({}, 'find', { ID })
const putOff = async () => {
  const ID = shop.take()
  return proposalsAs({}, 'snooze', { ID, until })
}

async function setStock(onHand: Record<string, number>) {
  const rows = shop.skus.map((sku) => `${sku},L1,${onHand[sku] ?? 30}`)
  await writeFiles('wake', { 'stock.csv': `sku,location,on_hand\n${rows.join('\n')}\n` })
  expect(await sync(shop.source)).toMatchObject({ status: 'succeeded' })
}

it('a snoozed proposal wakes early when the risk has grown, with the numbers of now', async () => {
  const { ID, sku, urgency } = await putOff()
  await setStock({ [sku]: 0 })
  const woken = await find(ID)
  expect(woken).toMatchObject({ status: 'pending', urgency: 'stocked_out', snoozedUntil: null })
  expect(woken).toMatchObject({ calculation: { onHand: 0 }, touched: false })
  const event = await SELECT.one.from(ProposalEvents).where({ proposal: ID, version: 3 })
  expect(event).toMatchObject({ event: 'woken', actor: 'system' })
  expect(event!.comment).toContain('stocked out')
  expect(event!.comment).toContain(urgency.replaceAll('_', ' '))
  await proposalsAs({}, 'approve', { ID })
})

it('and sleeps on while it has not', async () => {
  const { ID, sku } = await putOff()
  await setStock({ [sku]: 34 })
  expect(await find(ID)).toMatchObject({ status: 'snoozed' })
  expect(await shop.historyOf(ID)).toEqual(['created', 'snoozed'])
})

it('what has expired cannot be decided about, though nobody has noted it yet', async () => {
  const ID = shop.take()
  const expiresAt = new Date(Date.now() - 1000).toISOString()
  await UPDATE.entity(Proposals).set({ expiresAt }).where({ ID })
  for (const [event, data] of [
    ['approve', {}],
    ['decline', {}],
    ['snooze', { until }],
  ] as const) {
    await expect(proposalsAs({}, event, { ID, ...data })).rejects.toMatchObject({
      ...{ code: 'proposal_already_decided' },
      options: { members: { current_status: 'expired' } },
    })
  }
})
