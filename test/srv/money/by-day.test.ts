// Limits hold for all that a person approves for a supplier on a day.
import cds from '@sap/cds'
import { ApprovedValues, Delegations, Proposals } from '../../../srv/base/database/entities.ts'
import {
  clearUserLimit,
  createDelegation,
  endDelegation,
  setUserLimit,
} from '../../../srv/domain/authority/index.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { changeSettings } from '../../support/settings.ts'
import { odata } from '../buyer/odata.ts'
import { aKey, call } from '../v1/api.ts'
import { byAdmin, forgetApprovals, type Lines, openLines } from './supplier.ts'

const { SELECT, UPDATE } = cds.ql

let lines: Lines
beforeAll(async () => {
  lines = await openLines('by-day', 85)
})
afterEach(async () => {
  changeSettings({ secondApproverAbove: null, approvalLimitsPer: 'both' })
  await byAdmin(() => clearUserLimit('buyer'))
  await byAdmin(() => clearUserLimit('approver'))
  for (const { ID } of await SELECT.from(Delegations).where({ endedAt: null })) {
    await byAdmin(() => endDelegation(ID))
  }
  await forgetApprovals()
})

const buyer = { id: 'buyer' }
const exceeded = { code: 'approval_limit_exceeded' }
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const setLimit = (user: string, values: object) => byAdmin(() => setUserLimit({ user, ...values }))
const delegate = (fromUser: string, toUser: string) =>
  byAdmin(() => createDelegation({ fromUser, toUser, validFrom: inHours(-1), validTo: inHours(1) }))
const approvedOf = (ids: number[]) =>
  SELECT.from(Proposals).where({ ID: { in: ids }, status: 'approved' })

it('many lines of 9,999 do not pass a limit of 10,000', async () => {
  const ids = Array.from({ length: 25 }, lines.take)
  const headers = { 'Content-Type': 'application/json' }
  const body = { proposals: ids.join() }
  const requests = [{ id: '1', method: 'POST', url: 'approveMany', body, headers }]
  expect((await odata('POST', '$batch', { body: { requests } })).status).toBe(200)
  expect(await approvedOf(ids)).toHaveLength(1)
  const [, second] = ids
  await expect(approve(second!, {}, buyer)).rejects.toThrow(
    'your approvals of today for this supplier would come to 19,998.00 EUR; your limit is 10,000.00 EUR',
  )
  const key = await aKey({ actsAs: 'buyer' })
  const byKey = await call('POST', `/proposals/prop_${second}/approve`, { key })
  expect(byKey.error).toMatchObject(exceeded)
})

it('many decisions by one call are added up, and each refused one says why', async () => {
  const key = await aKey({ actsAs: 'buyer' })
  const ids = Array.from({ length: 4 }, lines.take)
  const decisions = ids.map((ID) => ({ id: `prop_${ID}`, action: 'approve' }))
  const { json } = await call('POST', '/proposals/decisions', { key, body: { decisions } })
  expect(json.summary).toMatchObject({ succeeded: 1, failed: 3 })
  expect(json.results[3]).toMatchObject({
    error: { ...exceeded, message: expect.stringContaining('your limit is 10,000.00 EUR') },
  })
})

it('parallel approvals do not slip through', async () => {
  const ids = Array.from({ length: 12 }, lines.take)
  const key = await aKey({ actsAs: 'buyer' })
  const outcomes = await Promise.allSettled(
    ids.map((ID, at) =>
      at % 2
        ? approve(ID, {}, buyer)
        : call('POST', `/proposals/prop_${ID}/approve`, { key }).then(({ status }) => {
            if (status !== 200) throw new Error(String(status))
          }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await approvedOf(ids)).toHaveLength(1)
  expect(await SELECT.from(ApprovedValues).where({ proposal: { in: ids } })).toHaveLength(1)
})

it('what a deputy approves counts as the absent person’s, not as the deputy’s', async () => {
  await setLimit('approver', { maxOrderValue: '10000.00' })
  await delegate('buyer', 'approver')
  expect(await approve(lines.take(), {}, buyer)).toMatchObject({ status: 'approved' })
  // The approver's own right first; that of the buyer is used up.
  expect(await approve(lines.take())).toMatchObject({ status: 'approved' })
  await expect(approve(lines.take())).rejects.toMatchObject(exceeded)
  await forgetApprovals()
  await approve(lines.take())
  const inNameOf = lines.take()
  await approve(inNameOf)
  expect(await SELECT.from(ApprovedValues).where({ proposal: inNameOf })).toMatchObject([
    { approver: 'approver', holder: 'buyer' },
  ])
  await expect(approve(lines.take(), {}, buyer)).rejects.toMatchObject(exceeded)
})

it('what is cancelled, rejected, for another supplier or of yesterday does not count', async () => {
  const [first, second, third, fourth] = [1, 2, 3, 4].map(lines.take) as [
    number,
    number,
    number,
    number,
  ]
  await proposalsAs(buyer, 'decline', { ID: fourth, reason: 'price' })
  await approve(first, {}, buyer)
  await proposalsAs(buyer, 'cancel', { ID: first, reason: 'price' })
  await approve(second, {}, buyer)
  await UPDATE.entity(ApprovedValues).set({ supplier: 'S-2' }).where({ proposal: second })
  await approve(third, {}, buyer)
  await UPDATE.entity(ApprovedValues).set({ day: '2020-01-01' }).where({ proposal: third })
  expect(await approve(lines.take(), {}, buyer)).toMatchObject({ status: 'approved' })
  await expect(approve(lines.take(), {}, buyer)).rejects.toMatchObject(exceeded)
})

it('a day may have a limit of its own, and each line still has one', async () => {
  await setLimit('buyer', { maxOrderValue: '9999.00', maxDayValue: '20000.00' })
  await approve(lines.take(), {}, buyer)
  await approve(lines.take(), {}, buyer)
  await expect(approve(lines.take(), {}, buyer)).rejects.toThrow('your limit is 20,000.00 EUR')
  await expect(approve(lines.take(), { quantity: 200 }, buyer)).rejects.toThrow(
    'The order is worth 19,998.00 EUR; your limit is 9,999.00 EUR.',
  )
  changeSettings({ approvalLimitsPer: 'supplierAndDay' })
  await forgetApprovals()
  await approve(lines.take(), { quantity: 200 }, buyer)
  await expect(approve(lines.take(), {}, buyer)).rejects.toMatchObject(exceeded)
})

it('holds for each line alone where the setting says so', async () => {
  changeSettings({ approvalLimitsPer: 'line' })
  for (let line = 0; line < 3; line++) {
    expect(await approve(lines.take(), {}, buyer)).toMatchObject({ status: 'approved' })
  }
})

it('a key’s limit holds for what came by that key', async () => {
  const [tight, wide] = [
    await aKey({ actsAs: 'approver', maxOrderValue: '10000.00' }),
    await aKey({ actsAs: 'approver', maxOrderValue: '30000.00' }),
  ]
  const by = async (key: string) =>
    (await call('POST', `/proposals/prop_${lines.take()}/approve`, { key })).status
  expect([await by(tight), await by(tight), await by(wide), await by(tight)]).toEqual([
    ...[200, 403, 200, 403],
  ])
})

it('a second person must agree once all of a day is above the threshold', async () => {
  changeSettings({ secondApproverAbove: '10000.00' })
  await setLimit('buyer', { maxOrderValue: '90000.00' })
  expect(await approve(lines.take(), {}, buyer)).toMatchObject({ status: 'approved' })
  const second = lines.take()
  const awaiting = await approve(second, {}, buyer)
  expect(awaiting).toMatchObject({ status: 'awaiting_second_approval', firstApprover: 'buyer' })
  await expect(approve(second, {}, buyer)).rejects.toMatchObject({ code: 'four_eyes_required' })
  expect(await approve(second)).toMatchObject({ status: 'approved', decidedBy: 'approver' })
  // What two have agreed on leaves the approver's own measure untouched.
  expect(await approve(lines.take())).toMatchObject({ status: 'approved' })
  expect(await approve(lines.take())).toMatchObject({ status: 'awaiting_second_approval' })
})

it('the threshold counts what others approve alone in a person’s name', async () => {
  changeSettings({ secondApproverAbove: '10000.00' })
  await setLimit('approver', { maxOrderValue: '1.00' })
  await setLimit('buyer', { maxOrderValue: '90000.00' })
  await delegate('buyer', 'approver')
  expect(await approve(lines.take())).toMatchObject({ status: 'approved' })
  expect(await approve(lines.take(), {}, buyer)).toMatchObject({
    status: 'awaiting_second_approval',
  })
})
