import cds from '@sap/cds'
import {
  AuditLog,
  Delegations,
  ProposalEvents,
  RoleLimits,
} from '../../../srv/base/database/entities.ts'
import {
  clearRoleLimit,
  clearUserLimit,
  createDelegation,
  endDelegation,
  setRoleLimit,
  setUserLimit,
} from '../../../srv/domain/authority/index.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { openShop, type Shop } from './shop.ts'
import { changeSettings } from '../../support/settings.ts'

const { SELECT, UPDATE } = cds.ql

let shop: Shop
beforeAll(async () => {
  shop = await openShop('limits', 20)
})

const as =
  (id: string, roles: string[]) =>
  <T>(work: () => Promise<T>) =>
    cds.tx<T>({ user: { id, roles, attr: { via: 'ui' } } } as never, work as never)
const byAdmin = as('admin', ['Viewer', 'Admin'])
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const delegate = (fromUser: string, toUser: string, from = -1, to = 1) =>
  byAdmin(() =>
    createDelegation({ fromUser, toUser, validFrom: inHours(from), validTo: inHours(to) }),
  )
const lastEvent = async (ID: number) =>
  (await SELECT.one.from(ProposalEvents).where({ proposal: ID }).orderBy('version desc'))!
const code = (code: string, target?: string) => (target ? { code, options: { target } } : { code })

describe('who may decide', () => {
  it.each([['Admin'], ['Viewer'], ['Auditor']])('is nobody who is only %s', async (role) => {
    const ID = shop.take()
    const who = { id: role.toLowerCase(), roles: [role] }
    for (const [event, data] of [
      ['approve', {}],
      ['decline', {}],
      ['snooze', { until: inHours(1) }],
      ['cancel', { reason: 'price' }],
    ] as const) {
      await expect(proposalsAs(who, event, { ID, ...data })).rejects.toMatchObject({
        ...{ code: 'insufficient_scope', status: 403 },
      })
    }
    expect(await shop.historyOf(ID)).toEqual(['created'])
  })
})

describe('limits', () => {
  afterEach(async () => {
    await byAdmin(() => clearUserLimit('buyer'))
    await byAdmin(() => clearUserLimit('approver'))
    await byAdmin(() => clearRoleLimit('Buyer'))
  })

  it('of a user stand before those of the role', async () => {
    const ID = shop.take()
    await byAdmin(() => setUserLimit({ user: 'buyer', maxOrderValue: '1.00', locations: null }))
    await expect(approve(ID, {}, { id: 'buyer' })).rejects.toMatchObject(
      code('approval_limit_exceeded'),
    )
    await byAdmin(() => setUserLimit({ user: 'buyer', maxOrderValue: '500.00', locations: null }))
    expect(await approve(ID, {}, { id: 'buyer' })).toMatchObject({ status: 'approved' })
  })

  it('of a role stand before the configured ones', async () => {
    const ID = shop.take()
    await byAdmin(() => setRoleLimit({ role: 'Buyer', maxOrderValue: '2.50' }))
    await expect(approve(ID, {}, { id: 'buyer' })).rejects.toThrow('your limit is 2.50')
    const limit = await SELECT.one.from(RoleLimits).where({ role: 'Buyer' })
    expect(Number(limit?.maxOrderValue)).toBe(2.5)
    expect(await approve(ID)).toMatchObject({ decidedBy: 'approver' })
  })

  it('of key and person: the tighter one holds', async () => {
    const ID = shop.take()
    await byAdmin(() => setUserLimit({ user: 'buyer', maxOrderValue: '1.00', locations: null }))
    await expect(approve(ID, {}, { id: 'buyer', maxOrderValue: '9000.00' })).rejects.toMatchObject(
      code('approval_limit_exceeded'),
    )
    await expect(approve(ID, {}, { id: 'approver', maxOrderValue: '1.00' })).rejects.toMatchObject(
      code('approval_limit_exceeded'),
    )
  })

  it('name locations, for every decision', async () => {
    const ID = shop.take()
    await byAdmin(() => setUserLimit({ user: 'buyer', maxOrderValue: null, locations: ['L9'] }))
    await expect(approve(ID, {}, { id: 'buyer' })).rejects.toThrow('location L1')
    await expect(proposalsAs({ id: 'buyer' }, 'decline', { ID })).rejects.toThrow('location L1')
    await byAdmin(() =>
      setUserLimit({ user: 'buyer', maxOrderValue: null, locations: ['L1', 'L9'] }),
    )
    expect(await approve(ID, {}, { id: 'buyer' })).toMatchObject({ status: 'approved' })
  })

  it.each([
    [setUserLimit, { user: 'nobody', maxOrderValue: '1.00' }, 'user'],
    [setUserLimit, { user: 'viewer', maxOrderValue: '1.00' }, 'user'],
    [setUserLimit, { user: 'buyer', maxOrderValue: '-1' }, 'maxOrderValue'],
    [setUserLimit, { user: 'buyer', maxOrderValue: 'much' }, 'maxOrderValue'],
    [setUserLimit, { user: 'buyer', maxOrderValue: null, locations: [] }, 'locations'],
    [setRoleLimit, { role: 'Admin', maxOrderValue: '1.00' }, 'role'],
  ])('refuse %p %j', async (set, data, target) => {
    await expect(byAdmin(() => set(data as never))).rejects.toMatchObject(
      code('invalid_parameter', target),
    )
  })

  it('are an administrator’s to set, and not about oneself', async () => {
    const data = { user: 'buyer', maxOrderValue: '9.00' }
    await expect(as('buyer', ['Buyer'])(() => setUserLimit(data))).rejects.toMatchObject(
      code('insufficient_scope'),
    )
    await expect(as('buyer', ['Buyer', 'Admin'])(() => setUserLimit(data))).rejects.toMatchObject(
      code('four_eyes_required'),
    )
    await expect(
      as('buyer', ['Buyer', 'Admin'])(() => setRoleLimit({ role: 'Buyer' })),
    ).rejects.toMatchObject(code('four_eyes_required'))
  })

  it('are written to the audit trail, before and after', async () => {
    await byAdmin(() => setUserLimit({ user: 'buyer', maxOrderValue: '7.00', locations: null }))
    const acts = await SELECT.from(AuditLog).where({ object: 'user:buyer' })
    expect(acts).toContainEqual(
      expect.objectContaining({
        ...{
          action: 'limit.set',
          actor: 'admin',
          via: 'ui',
          detail: expect.stringContaining('7.00'),
        },
      }),
    )
  })
})

describe('a delegation', () => {
  const ended = async () => {
    const open = await SELECT.from(Delegations).where({ endedAt: null })
    for (const { ID } of open) await byAdmin(() => endDelegation(ID))
  }
  beforeEach(async () => {
    await byAdmin(() => setUserLimit({ user: 'buyer', maxOrderValue: '1.00', locations: null }))
  })
  afterEach(ended)

  it('reaches as far as the absent person, and the history says so', async () => {
    const ID = shop.take()
    await delegate('approver', 'buyer')
    const approved = await approve(ID, {}, { id: 'buyer' })
    expect(approved).toMatchObject({ status: 'approved', decidedBy: 'buyer' })
    expect(await lastEvent(ID)).toMatchObject({ actor: 'buyer', onBehalfOf: 'approver' })
    await proposalsAs({ id: 'buyer' }, 'cancel', { ID, reason: 'price' })
    expect(await lastEvent(ID)).toMatchObject({ actor: 'buyer', onBehalfOf: null })
  })

  it('is not passed on by the one who has it', async () => {
    const { users } = cds.env.requires.auth as unknown as { users: Record<string, object> }
    users.deputy = { password: 'deputy', roles: ['Viewer', 'Buyer'] }
    await byAdmin(() => setUserLimit({ user: 'deputy', maxOrderValue: '1.00', locations: null }))
    const ID = shop.take()
    await delegate('approver', 'buyer')
    await delegate('buyer', 'deputy')
    await expect(approve(ID, {}, { id: 'deputy' })).rejects.toMatchObject(
      code('approval_limit_exceeded'),
    )
    expect(await approve(ID, {}, { id: 'buyer' })).toMatchObject({ status: 'approved' })
    delete users.deputy
  })

  it.each([
    ['before its time', 1, 2],
    ['after its time', -2, -1],
  ])('does not hold %s', async (_, from, to) => {
    const ID = shop.take()
    const { ID: delegation } = await delegate('approver', 'buyer', Math.min(from, -1), 1)
    await UPDATE.entity(Delegations)
      .set({ validFrom: inHours(from), validTo: inHours(to) })
      .where({ ID: delegation })
    await expect(approve(ID, {}, { id: 'buyer' })).rejects.toMatchObject(
      code('approval_limit_exceeded'),
    )
  })

  it('does not hold when it was ended, and ending again is no fault', async () => {
    const ID = shop.take()
    const { ID: delegation } = await delegate('approver', 'buyer')
    await byAdmin(() => endDelegation(delegation))
    await byAdmin(() => endDelegation(delegation))
    await expect(approve(ID, {}, { id: 'buyer' })).rejects.toMatchObject(
      code('approval_limit_exceeded'),
    )
  })

  it('gives nobody a role', async () => {
    const ID = shop.take()
    await delegate('approver', 'buyer')
    await expect(approve(ID, {}, { id: 'buyer', roles: ['Admin'] })).rejects.toMatchObject(
      code('insufficient_scope'),
    )
  })

  it.each([
    [{ fromUser: 'buyer', toUser: 'buyer' }, 'toUser'],
    [{ fromUser: 'viewer', toUser: 'buyer' }, 'fromUser'],
    [{ fromUser: 'approver', toUser: 'admin' }, 'toUser'],
    [{ fromUser: 'approver', toUser: 'buyer', validTo: inHours(-3) }, 'validTo'],
    [{ fromUser: 'approver', toUser: 'buyer', validFrom: 'soon' }, 'validFrom'],
  ])('is refused with %j', async (wish, target) => {
    const times = { validFrom: inHours(-1), validTo: inHours(1) }
    await expect(byAdmin(() => createDelegation({ ...times, ...wish }))).rejects.toMatchObject(
      code('invalid_parameter', target),
    )
  })
})

describe('four eyes', () => {
  beforeAll(async () => {
    changeSettings({ secondApproverAbove: '2.00' })
    await byAdmin(() => setUserLimit({ user: 'buyer', maxOrderValue: '1.00', locations: null }))
  })
  afterAll(async () => {
    changeSettings({ secondApproverAbove: null })
    await byAdmin(() => clearUserLimit('buyer'))
  })

  it('let a buyer begin above the own limit, and the approver end it', async () => {
    const ID = shop.take()
    const first = await approve(ID, {}, { id: 'buyer' })
    expect(first).toMatchObject({ status: 'awaiting_second_approval', firstApprover: 'buyer' })
    expect(await approve(ID)).toMatchObject({ status: 'approved', decidedBy: 'approver' })
    expect(await shop.historyOf(ID)).toEqual(['created', 'awaiting_second_approval', 'approved'])
  })

  it('are not those of one person at two doors', async () => {
    const ID = shop.take()
    await approve(ID, {}, { id: 'approver', via: 'ui' })
    await expect(
      approve(ID, {}, { id: 'approver', via: 'api', maxOrderValue: '9999.00' }),
    ).rejects.toMatchObject(code('four_eyes_required'))
  })

  it('are not those of a deputy who uses the first approver’s right', async () => {
    const ID = shop.take()
    await approve(ID)
    const { ID: delegation } = await delegate('approver', 'buyer')
    await expect(approve(ID, {}, { id: 'buyer' })).rejects.toMatchObject(
      code('approval_limit_exceeded'),
    )
    await byAdmin(() => endDelegation(delegation))
  })

  it('are not those of a deputy and then the absent person', async () => {
    const ID = shop.take()
    const { ID: delegation } = await delegate('approver', 'buyer')
    const first = await approve(ID, {}, { id: 'buyer' })
    expect(first).toMatchObject({ firstApprover: 'buyer', firstApproverFor: 'approver' })
    await expect(approve(ID)).rejects.toMatchObject(code('four_eyes_required'))
    await byAdmin(() => endDelegation(delegation))
  })

  it('agree on what the first one saw, or less', async () => {
    const ID = shop.take()
    const first = await approve(ID, {}, { id: 'buyer' })
    await expect(approve(ID, { quantity: first.quantity + 10 })).rejects.toMatchObject(
      code('four_eyes_required', 'quantity'),
    )
    expect(await approve(ID, { quantity: first.quantity })).toMatchObject({ status: 'approved' })
  })
})
