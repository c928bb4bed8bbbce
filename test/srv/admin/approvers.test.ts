import { act, call, errorOf, get, rows } from './admin.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('a limit', () => {
  it('of a user is set and cleared', async () => {
    const limit = { user: 'buyer', maxOrderValue: 2500.5, locations: ['L1', 'L2'] }
    expect((await act('UserLimits/setUserLimit', limit)).json).toMatchObject({
      ...{ user: 'buyer', maxOrderValue: '2500.50', locations: 'L1, L2', changedBy: 'admin' },
    })
    expect((await call('DELETE', `UserLimits('buyer')`)).status).toBe(204)
    expect((await get(`UserLimits('buyer')`)).status).toBe(404)
  })

  it('of a role is set and cleared', async () => {
    const { json } = await act('RoleLimits/setRoleLimit', {
      role: 'Buyer',
      maxOrderValue: '900.00',
    })
    expect(json).toMatchObject({ role: 'Buyer', maxOrderValue: '900.00' })
    expect((await call('DELETE', `RoleLimits('Buyer')`)).status).toBe(204)
  })

  it.each([
    ['UserLimits', { user: 'viewer' }, 400, 'user'],
    ['UserLimits', { user: 'admin' }, 403, 'user'],
    ['UserLimits', {}, 400, 'user'],
    ['UserLimits', { user: 'buyer', maxOrderValue: -1 }, 400, 'maxOrderValue'],
    ['RoleLimits', { role: 'Viewer' }, 400, 'role'],
  ])('%s with %j names the field', async (entity, limit, status, target) => {
    expect(errorOf(await act(`${entity}/set${entity.slice(0, -1)}`, limit))).toMatchObject({
      status,
      target,
    })
  })
})

describe('a delegation', () => {
  const good = { fromUser: 'approver', toUser: 'buyer', validFrom: inDays(1), validTo: inDays(8) }

  it('is made and ended', async () => {
    const { json } = await act('Delegations/delegate', good)
    expect(json).toMatchObject({ toUser: 'buyer', state: 'coming', isEndable: true })
    const ended = await act(`Delegations(${json.ID})/end`)
    expect(ended.json).toMatchObject({ state: 'ended', isEndable: false })
    const [log] = await rows(`AuditLog?$filter=action eq 'delegation.created'`)
    expect(log).toMatchObject({ actor: 'admin', object: 'user:approver' })
  })

  it.each([
    [{ fromUser: 'viewer' }, 'fromUser'],
    [{ toUser: 'nobody' }, 'toUser'],
    [{ toUser: 'approver' }, 'toUser'],
    [{ validTo: inDays(-1) }, 'validTo'],
    [{ validFrom: undefined }, 'validFrom'],
  ])('with %j names the field', async (wrong, target) => {
    const answer = await act('Delegations/delegate', { ...good, ...wrong })
    expect(errorOf(answer)).toMatchObject({ status: 400, target })
  })
})

describe('the page of a user', () => {
  const userOf = async (user: string) => (await get(`Approvers('${user}')`)).json

  it('says what counts: the limit of the roles, until there is one of their own', async () => {
    expect(await userOf('buyer')).toMatchObject({
      ...{ roles: 'Buyer', seesLocations: 'All', seesGroups: 'All', approvesAt: 'All' },
      ...{ hasOwnLimit: false, maxOrderValue: null, mayChange: true },
      limitText: expect.stringMatching(/^10,000.00 EUR per line/),
    })
    const limit = { maxOrderValue: '2500', currency: 'USD', locations: 'L1, 0000001010' }
    const { json } = await act(`Approvers('buyer')/setLimit`, limit)
    expect(json).toMatchObject({
      limitText: expect.stringMatching(/^2,500.00 USD per line/),
      ...{ hasOwnLimit: true, maxOrderValue: '2500.00', currency: 'USD' },
      ...{ approvesAt: 'L1, 1010', limitLocations: 'L1, 0000001010' },
    })
    expect((await get(`UserLimits('buyer')`)).json).toMatchObject({ currency: 'USD' })
    const cleared = await act(`Approvers('buyer')/clearLimit`)
    expect(cleared.json).toMatchObject({ hasOwnLimit: false, approvesAt: 'All' })
  })

  it('adds a deputy, whom both pages show', async () => {
    const times = { validFrom: inDays(1), validTo: inDays(8) }
    expect(
      (await act(`Approvers('approver')/addDeputy`, { toUser: 'buyer', ...times })).status,
    ).toBe(200)
    const [deputy] = await rows(`Approvers('approver')/deputies?$filter=state eq 'coming'`)
    expect(deputy).toMatchObject({ toUser: 'buyer', isEndable: true })
    const [other] = await rows(`Approvers('buyer')/standsInFor?$filter=state eq 'coming'`)
    expect(other).toMatchObject({ ID: deputy!.ID, fromUser: 'approver' })
    const wrong = await act(`Approvers('approver')/addDeputy`, { toUser: 'nobody', ...times })
    expect(errorOf(wrong)).toMatchObject({ status: 400, target: 'toUser' })
  })

  it('changes nothing for oneself, and nothing for an auditor', async () => {
    const own = await act(`Approvers('admin')/setLimit`, { maxOrderValue: '1' })
    expect(own.status).toBe(403)
    for (const action of ['setLimit', 'clearLimit', 'addDeputy']) {
      expect((await act(`Approvers('buyer')/${action}`, {}, 'auditor')).status).toBe(403)
    }
    expect((await get(`Approvers('buyer')`, 'auditor')).json.mayChange).toBe(false)
  })
})
