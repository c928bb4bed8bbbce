// Who a key decides as has agreed to it; a key gives no more than it has, and is nobody's second pair of eyes.
import cds from '@sap/cds'
import { ApiKeys, AuditLog, Delegations, Users } from '../../../srv/base/database/entities.ts'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { lapseDelegations } from '../../../srv/domain/authority/index.ts'
import { lapseKeys } from '../../../srv/domain/keys/index.ts'
import { uncacheKeys } from '../../../srv/domain/keys/verify.ts'
import { upgradeRows } from '../../../srv/base/upgrade/index.ts'
import { changeSettings } from '../../support/settings.ts'
import { act as actAsAdmin, get as getAsAdmin } from '../admin/admin.ts'
import { odata, read } from '../buyer/odata.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { aKey, del, errorOf, get, post } from './api.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const DAY_MS = 86_400_000
const decides = { name: 'desk', scopes: ['proposals:read', 'proposals:decide'] }
const asBuyer = { ...decides, acts_as: 'buyer' }
const NOT_CONFIRMED = { status: 403, code: 'key_not_confirmed' }
const LACKS_SCOPE = { status: 403, code: 'insufficient_scope' }

let shop: Shop
beforeAll(async () => void (shop = await openShop('confirmed', 24)))

const issue = async (body: object = asBuyer, key?: string) =>
  (await post('/keys', body, { key })).json as Required<{ id: string; key: string }>
const confirm = (id: string, as = 'buyer') => odata('POST', 'confirmKey', { as, body: { id } })
const approve = (key: string, ID = shop.take()) =>
  post(`/proposals/prop_${ID}/approve`, {}, { key })
const statusOf = async (id: string) => {
  const { json } = await get('/keys?limit=200')
  return json.data.find((row: { id: string }) => row.id === id)?.status
}
const actsOn = async (object: string) =>
  (await SELECT.from(AuditLog).where({ object }).orderBy('at')).map(
    ({ action, actor }) => `${action} by ${actor}`,
  )

describe('a key that decides as somebody else', () => {
  it('waits for that person, and for nobody else', async () => {
    const { status, json } = await post('/keys', asBuyer)
    expect([status, json.status, json.confirmed_at]).toEqual([201, 'pending_confirmation', null])
    const { id } = json
    const key = json.key!
    expect((await get('/proposals?limit=1', { key })).status).toBe(200)
    for (const as of ['approver', 'admin', 'viewer']) {
      expect((await confirm(id, as)).status).toBe(as === 'approver' ? 404 : 403)
    }
    expect((await confirm(id, '')).status).toBe(401)
    expect(await statusOf(id)).toBe('pending_confirmation')
    expect(errorOf(await approve(key))).toEqual(NOT_CONFIRMED)
    const confirmed = await confirm(id)
    expect([confirmed.status, confirmed.json.status]).toEqual([200, 'active'])
    expect((await confirm(id)).status).toBe(200)
    expect(await statusOf(id)).toBe('active')
    const { json: proposal } = await approve(key)
    expect(proposal).toMatchObject({ status: 'approved', decided_by: 'buyer' })
    expect(await actsOn(`key:${id}`)).toEqual(['key.issued by approver', 'key.confirmed by buyer'])
  })

  it('decides nothing of any kind before', async () => {
    const { key } = await issue()
    const path = `/proposals/prop_${shop.take()}` as const
    const answers = [
      await post(`${path}/approve`, {}, { key }),
      await post(`${path}/snooze`, { until: '2999-01-01T00:00:00Z' }, { key }),
      await post(`${path}/cancel`, { reason: 'other' }, { key }),
      await del(path, { key }),
      await post('/exceptions/exc_1/settle', {}, { key }),
    ]
    for (const answer of answers) expect(errorOf(answer)).toEqual(NOT_CONFIRMED)
    expect(errorOf(await post('/keys', asBuyer, { key }))).toEqual(LACKS_SCOPE)
  })

  it('waits too where a key issues it that acts as the same person', async () => {
    const own = await aKey({ actsAs: 'buyer' })
    const { status, json } = await post('/keys', asBuyer, { key: own })
    expect([status, json.status]).toEqual([201, 'pending_confirmation'])
  })

  it('waits where an administrator issues it, and says so in the app', async () => {
    const wish = { ...decides, actsAs: 'buyer' }
    const { ID, key } = (await actAsAdmin('ApiKeys/issue', wish)).json
    expect(errorOf(await approve(key))).toEqual(NOT_CONFIRMED)
    expect((await getAsAdmin(`ApiKeys('${ID}')`)).json.state).toBe('pending_confirmation')
    await confirm(ID)
    expect((await getAsAdmin(`ApiKeys('${ID}')`)).json.state).toBe('active')
    expect((await approve(key)).status).toBe(200)
  })

  it('needs no confirmation where that person issues it', async () => {
    const { users } = cds.env.requires.auth as unknown as { users: Record<string, unknown> }
    const both = { id: 'both', password: 'both', roles: ['Admin', 'Buyer'] }
    users.both = new cds.User(both as never)
    try {
      const wish = { ...decides, actsAs: 'both' }
      const { key } = (await actAsAdmin('ApiKeys/issue', wish, 'both')).json
      expect((await approve(key)).status).toBe(200)
    } finally {
      delete users.both
    }
  })
})

describe('a rotated key', () => {
  it('is confirmed anew, while the old one goes on', async () => {
    const old = await issue()
    await confirm(old.id)
    const { json } = await post(`/keys/${old.id}/rotate`)
    expect(json.status).toBe('pending_confirmation')
    expect(errorOf(await approve(json.key!))).toEqual(NOT_CONFIRMED)
    expect((await approve(old.key)).status).toBe(200)
    expect(await statusOf(old.id)).toBe('rotated')
    await confirm(json.id)
    expect((await approve(json.key!)).status).toBe(200)
  })
})

describe('a key whose person may approve no longer', () => {
  it('decides nothing, and says why', async () => {
    const { users } = cds.env.requires.auth as unknown as { users: Record<string, unknown> }
    const named = (roles: string[]) => new cds.User({ id: 'moved', roles } as never)
    users.moved = named(['Viewer', 'Buyer'])
    try {
      const key = await aKey({ actsAs: 'moved' })
      users.moved = named(['Viewer'])
      uncacheKeys()
      const { json } = await post('/proposals/prop_1/approve', {}, { key })
      expect((json as unknown as { error: object }).error).toMatchObject({
        code: 'insufficient_scope',
        message: 'moved, as whom this key acts, holds no role that may approve.',
      })
    } finally {
      delete users.moved
    }
  })
})

describe('a key that issues keys', () => {
  it('gives and rotates only what it has itself', async () => {
    const { key } = await issue({ name: 'keys', scopes: ['keys:manage', 'forecasts:read'] })
    expect(errorOf(await post('/keys', asBuyer, { key }))).toEqual({
      ...LACKS_SCOPE,
      target: 'scopes',
    })
    const { id } = await issue()
    const rotated = await post(`/keys/${id}/rotate`, undefined, { key })
    expect(errorOf(rotated)).toMatchObject(LACKS_SCOPE)
    expect(await statusOf(id)).toBe('pending_confirmation')
    const same = { name: 'same', scopes: ['forecasts:read'] }
    expect((await post('/keys', same, { key })).status).toBe(201)
  })

  it('gives no more rows than it sees', async () => {
    const { users } = cds.env.requires.auth as unknown as { users: Record<string, unknown> }
    const attr = { locations: ['L1'] }
    users.bound = new cds.User({ id: 'bound', roles: ['Viewer', 'Buyer'], attr } as never)
    try {
      const key = await aKey({ actsAs: 'bound' })
      const wish = { name: 'all', scopes: ['proposals:read'] }
      for (const acts_as of [undefined, 'approver']) {
        expect(errorOf(await post('/keys', { ...wish, acts_as }, { key }))).toEqual({
          ...LACKS_SCOPE,
          target: 'acts_as',
        })
      }
      expect((await post('/keys', { ...wish, acts_as: 'bound' }, { key })).status).toBe(201)
    } finally {
      delete users.bound
    }
  })
})

describe('four eyes', () => {
  beforeAll(() => changeSettings({ secondApproverAbove: '1.00' }))
  afterAll(() => changeSettings({ secondApproverAbove: null }))

  it('are never those of two keys: the second pair is a person’s', async () => {
    const ID = shop.take()
    const first = await issue()
    await confirm(first.id)
    const second = await aKey({ actsAs: 'approver' })
    expect((await approve(first.key, ID)).json.status).toBe('awaiting_second_approval')
    const refused = await approve(second, ID)
    expect(errorOf(refused)).toEqual({ status: 403, code: 'four_eyes_required' })
    const path = `Proposals(${ID})/BuyerService.approve` as const
    expect((await odata('POST', path, { as: 'approver', body: {} })).json.status).toBe('approved')
  })
})

describe('in the app', () => {
  it('people see the keys in their name alone, and confirm and revoke them', async () => {
    const { id, key } = await issue()
    const mine = (await read('ApiKeys')).json.value
    expect(new Set(mine.map(({ actsAs }) => actsAs))).toEqual(new Set(['buyer']))
    const [row] = mine.filter(({ ID }) => ID === id)
    expect(row).toMatchObject({ status: 'pending_confirmation', canConfirm: true, canRevoke: true })
    expect(JSON.stringify(mine)).not.toContain('secretHash')
    const path = `ApiKeys('${id}')` as const
    for (const as of ['approver', 'admin']) {
      expect((await read(path, { as })).status).toBe(404)
      for (const action of ['confirm', 'revoke']) {
        const answer = await odata('POST', `${path}/BuyerService.${action}`, { as, body: {} })
        expect([403, 404]).toContain(answer.status)
      }
    }
    const confirmed = await odata('POST', `${path}/BuyerService.confirm`, { body: {} })
    expect(confirmed.json).toMatchObject({ status: 'active', canConfirm: false })
    expect((await approve(key)).status).toBe(200)
    const revoked = await odata('POST', `${path}/BuyerService.revoke`, { body: {} })
    expect(revoked.json).toMatchObject({ status: 'revoked', canRevoke: false })
    expect(errorOf(await approve(key)).code).toBe('invalid_api_key')
    expect((await confirm(id)).status).toBe(404)
    expect(await actsOn(`key:${id}`)).toContain('key.revoked by buyer')
  })

  it.each(['0000000000000000', 'x', "'", '', null])('there is no key %j', async (id) => {
    const { status } = await confirm(id as string)
    expect([400, 404]).toContain(status)
  })
})

describe('whoever has left', () => {
  const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString()
  const delegation = (fromUser: string, toUser: string) => ({
    ...{ ID: cds.utils.uuid(), fromUser, toUser, createdBy: 'admin' },
    ...{ validFrom: new Date(Date.now() - 60_000).toISOString(), validTo: inOneHour() },
  })
  const delegations = [delegation('buyer', 'approver'), delegation('approver', 'buyer')]
  const house = () =>
    runDetached('housekeeping', async () => {
      await lapseKeys()
      await lapseDelegations()
    })
  /** As in production: people are those who have signed in. */
  const withoutConfiguredUsers = async (work: () => Promise<void>) => {
    const { requires } = cds.env as unknown as { requires: { auth: object } }
    const { auth } = requires
    requires.auth = { ...auth, users: undefined }
    try {
      await work()
    } finally {
      requires.auth = auth
    }
  }
  const signedIn = async (ID: string, daysAgo: number) => {
    const seenAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString()
    await DELETE.from(Users).where({ ID })
    await INSERT.into(Users).entries({ ID, roles: ['Buyer'], seenAt })
  }

  beforeAll(() => INSERT.into(Delegations).entries(delegations))
  afterAll(() => DELETE.from(Delegations))

  it('loses the keys until they are confirmed anew, and the delegations', async () => {
    const { id, key } = await issue()
    await confirm(id)
    await withoutConfiguredUsers(async () => {
      await signedIn('buyer', 89)
      await signedIn('approver', 1)
      await house()
      expect(await statusOf(id)).toBe('active')
      await signedIn('buyer', 91)
      await house()
      expect(await statusOf(id)).toBe('user_left')
    })
    expect(errorOf(await approve(key))).toEqual(NOT_CONFIRMED)
    expect((await get('/proposals?limit=1', { key })).status).toBe(200)
    expect(await actsOn(`key:${id}`)).toContain('key.lapsed by system')
    const { value } = (await getAsAdmin('Delegations')).json
    expect(value.map(({ state }) => state)).toEqual(['user_left', 'user_left'])
    expect(await actsOn('user:buyer')).toContain('delegation.lapsed by system')
    expect((await confirm(id)).json.status).toBe('active')
    expect((await approve(key)).status).toBe(200)
    await house()
    expect(await statusOf(id)).toBe('active')
  })

  it('or is removed loses both for good', async () => {
    const { id, key } = await issue()
    await confirm(id)
    await DELETE.from(Delegations)
    await INSERT.into(Delegations).entries(delegation('buyer', 'approver'))
    const answer = await actAsAdmin(`Approvers('buyer')/removePerson`)
    expect(answer.status).toBeLessThan(300)
    expect(errorOf(await approve(key)).code).toBe('invalid_api_key')
    expect((await SELECT.one.from(ApiKeys).where({ ID: id }))!.revokedAt).toBeTruthy()
    const [ended] = await SELECT.from(Delegations)
    expect(ended).toMatchObject({ endedAt: expect.any(String), lapsedAt: expect.any(String) })
    expect(await actsOn('user:buyer')).toContain('user.removed by admin')
    expect((await actAsAdmin(`Approvers('nobody')/removePerson`)).status).toBe(404)
  })
})

describe('a key lives a year at most', () => {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

  it.each([
    ['expires_in_days', 366],
    ['expires_at', inDays(367)],
  ])('%s %s is refused', async (name, value) => {
    const answer = await post('/keys', { name: 'old', scopes: ['forecasts:read'], [name]: value })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target: name })
  })

  it('also one of a former version', async () => {
    const { id } = await issue({ name: 'old', scopes: ['forecasts:read'], expires_in_days: 365 })
    await UPDATE.entity(ApiKeys)
      .set({ expiresAt: inDays(3000) })
      .where({ ID: id })
    await upgradeRows()
    const { expiresAt } = (await SELECT.one.from(ApiKeys).where({ ID: id }))!
    expect(Date.parse(expiresAt!)).toBeLessThan(Date.now() + 367 * DAY_MS)
  })

  it('and decides nothing after an upgrade until it is confirmed', async () => {
    const key = await aKey()
    const [, id] = key.split('_')
    await UPDATE.entity(ApiKeys).set({ confirmedAt: null }).where({ ID: id })
    await runDetached('cache', lapseKeys)
    expect(errorOf(await approve(key))).toEqual(NOT_CONFIRMED)
  })
})
