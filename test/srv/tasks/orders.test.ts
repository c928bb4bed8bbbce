// One task for all lines of an order to a supplier.
import cds from '@sap/cds'
import { Proposals, Stock } from '../../../srv/base/database/entities.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { openShop } from '../proposals/shop.ts'
import { act, call, caughtUp, pullAll, respond, type SpiTask, START, taskOf } from './inbox.ts'
import { changeSettings } from '../../support/settings.ts'

const { SELECT, UPDATE } = cds.ql

let order: string

const urnOfOrder = (localId: string) => `urn:sap.odm.bpm.task:restock:default:default:${localId}`

const openOrders = async () =>
  (await pullAll({ modifiedAfter: START, lastId: null })).filter(
    ({ localId, status }) => localId.startsWith('order_') && status === 'READY',
  )

interface List {
  value: {
    proposal: string
    status: string
    excluded: boolean
    quantity: number
    proposedQuantity: number
  }[]
}

const linesOf = async (urn: string, user = 'approver') =>
  (await call<List>('GET', `/tasks/${urn}/lines`, { user })).json.value

const attributesOf = async (urn: string) => {
  const { json } = await taskOf(urn)
  return Object.fromEntries(json.customAttributes.map(({ code, value }) => [code, value]))
}

beforeAll(async () => {
  await openShop('orders', 8)
  await caughtUp()
  changeSettings({ tasks: { grouping: 'supplier' } })
  await caughtUp()
})

afterAll(() => {
  changeSettings({ tasks: {} })
})

it('the tasks of single proposals give way to one of the whole order', async () => {
  const all = await pullAll({ modifiedAfter: START, lastId: null })
  const single = all.filter(({ localId }) => localId.startsWith('prop_'))
  expect(new Set(single.map(({ status }) => status))).toEqual(new Set(['CANCELED']))
  const [task, ...others] = await openOrders()
  expect(others).toEqual([])
  order = task!.urn
  expect((await taskOf(order)).json.subject[0]!.text).toMatch(/8 lines from S-1/)
  expect(await linesOf(order)).toHaveLength(8)
})

it('a line may be left out or ordered in another quantity', async () => {
  const [first, second] = await linesOf(order)
  const before = await attributesOf(order)
  const change = {
    lines: [
      { proposal: first!.proposal, excluded: true },
      { proposal: second!.proposal, quantity: second!.proposedQuantity + 10 },
    ],
  }
  const path = `/tasks/${order}/lines`
  for (const body of [{}, { lines: [] }, { lines: [{ proposal: 'prop_99999' }] }]) {
    expect((await call('PATCH', path, { user: 'buyer', body })).status).toBe(400)
  }
  expect((await call('PATCH', path, { user: 'auditor', body: change })).status).toBe(403)
  const { status, json } = await call<List>('PATCH', path, { user: 'buyer', body: change })
  expect(status).toBe(200)
  expect(json.value[0]).toMatchObject({ excluded: true })
  expect(json.value[1]!.quantity).toBe(second!.proposedQuantity + 10)
  const after = await attributesOf(order)
  const expected = Number(before.quantity) - first!.proposedQuantity + 10
  expect(Number(after.quantity)).toBe(expected)
})

it('a line that is decided elsewhere leaves the order open', async () => {
  const [, , third] = await linesOf(order)
  await proposalsAs({}, 'decline', { ID: Number(third!.proposal.slice(5)) })
  await caughtUp()
  const task = (await taskOf(order)).json
  expect(task).toMatchObject({ status: 'READY' })
  expect(task.subject[0]!.text).toMatch(/6 lines/)
})

it('one stale line holds the whole decision up, and is named', async () => {
  const line = (await linesOf(order)).at(-1)!
  const { sku } = (await SELECT.one.from(Proposals).where({ ID: Number(line.proposal.slice(5)) }))!
  await UPDATE.entity(Stock).set({ onHand: 90 }).where({ sku })
  const answer = await respond(order, { code: 'approve' })
  expect(answer.status).toBe(409)
  expect(answer.error).toMatchObject({ code: 'proposal_stale' })
  expect(answer.error?.details).toHaveLength(1)
  const statuses = (await linesOf(order)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 'approved')).toEqual([])
  await UPDATE.entity(Stock).set({ onHand: 30 }).where({ sku })
})

it('one decision approves what is left, once', async () => {
  await act(order, 'claim')
  expect((await respond(order, { code: 'approve' }, 'buyer')).status).toBe(409)
  const answer = await respond(order, { code: 'approve', comment: 'all of it' })
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject({ status: 'COMPLETED', completedBy: 'approver' })
  const [first, second, third, ...rest] = await linesOf(order)
  expect(first).toMatchObject({ status: 'pending', excluded: true })
  expect(third).toMatchObject({ status: 'rejected' })
  for (const line of [second!, ...rest]) expect(line.status).toBe('approved')
  const { quantity } = (await SELECT.one
    .from(Proposals)
    .where({ ID: Number(second!.proposal.slice(5)) }))!
  expect(Number(quantity)).toBe(second!.quantity)
  expect((await respond(order, { code: 'approve' })).status).toBe(409)
})

it('what was left out comes in the next order', async () => {
  await caughtUp()
  const [first] = await linesOf(order)
  const ID = Number(first!.proposal.slice(5))
  await UPDATE.entity(Proposals)
    .set({ version: { '+=': 1 } })
    .where({ ID })
  await proposalsAs({}, 'snooze', { ID, until: new Date(Date.now() + 3_600_000).toISOString() })
  await caughtUp()
  const all: SpiTask[] = await pullAll({ modifiedAfter: START, lastId: null })
  const next = all.filter(({ localId, urn }) => localId.startsWith('order_') && urn !== order)
  expect(next).toMatchObject([{ status: 'FOR_RESUBMISSION' }])
  expect(await linesOf(urnOfOrder(next[0]!.localId))).toMatchObject([
    { proposal: first!.proposal, excluded: false },
  ])
})

it('back to single proposals, those that are open have their tasks again', async () => {
  changeSettings({ tasks: {} })
  await caughtUp()
  const all = await pullAll({ modifiedAfter: START, lastId: null })
  const open = all.filter(({ status }) => !['COMPLETED', 'CANCELED'].includes(status))
  expect(open).toMatchObject([{ status: 'FOR_RESUBMISSION' }])
  expect(open[0]!.localId).toMatch(/^prop_/)
})
