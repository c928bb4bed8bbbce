import { aKey, del, errorOf, get, post } from './api.ts'
import { pending, readDemand } from './demand.ts'

let ids: string[]

beforeAll(async () => {
  await readDemand('decisions')
  ids = await pending()
})

/** A pending proposal that no other test touches. */
const next = () => ids.pop()!
const read = async (id: string) => (await get(`/proposals/${id}`)).json
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const events = async (id: string) =>
  (await get(`/proposals/${id}/history`)).json.data.map(({ event }: { event: string }) => event)

describe('approving', () => {
  it('needs no body, and again changes nothing', async () => {
    const id = next()
    const { status, json } = await post(`/proposals/${id}/approve`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ id, status: 'approved', decided_by: 'approver', version: 2 })
    const again = await post(`/proposals/${id}/approve`)
    expect([again.status, again.json]).toEqual([200, json])
    expect(await events(id)).toEqual(['created', 'approved'])
  })

  it('says who decided, through which door and why', async () => {
    const id = next()
    await post(`/proposals/${id}/approve`, { comment: 'For the fair' })
    const { data } = (await get(`/proposals/${id}/history`)).json
    expect(data.at(-1)).toMatchObject({
      ...{ by: 'approver', via: 'api', event: 'approved', comment: 'For the fair', version: 2 },
    })
  })

  it('may order another quantity; the calculation stays', async () => {
    const id = next()
    const before = await read(id)
    const quantity = before.quantity + before.calculation.lot_size
    const { json } = await post(`/proposals/${id}/approve`, { quantity, expected_version: 1 })
    expect(json).toMatchObject({ quantity, calculation: before.calculation })
    expect(json.value).toBe((quantity * 1.25).toFixed(2))
    const other = await post(`/proposals/${id}/approve`, { quantity: before.quantity })
    expect(errorOf(other)).toEqual({ status: 409, code: 'proposal_already_decided' })
    expect(other.error?.current_status).toBe('approved')
  })

  it('refuses a quantity that breaks the lot size, and names the nearest that do not', async () => {
    const answer = await post(`/proposals/${ids[0]}/approve`, { quantity: 21 })
    expect(errorOf(answer)).toMatchObject({ status: 422, code: 'quantity_not_orderable' })
    expect(JSON.stringify(answer.error?.details)).toMatch(/\b20\b.*\b30\b/)
  })

  it.each([
    [{ quantity: 0 }, 'quantity'],
    [{ quantity: -10 }, 'quantity'],
    [{ quantity: 10.5 }, 'quantity'],
    [{ quantity: '10' }, 'quantity'],
    [{ quantity: 1e300 }, 'quantity'],
    [{ expected_version: 0 }, 'expected_version'],
    [{ expected_version: 3e9 }, 'expected_version'],
    [{ comment: 'x'.repeat(1001) }, 'comment'],
    [{ comment: 'a\u0000' }, 'comment'],
    [{ colour: 'red' }, 'colour'],
  ])('refuses %j', async (body, target) => {
    const expected = { status: 400, code: 'invalid_parameter', target }
    expect(errorOf(await post(`/proposals/${ids[0]}/approve`, body))).toEqual(expected)
    expect((await post('/proposals/prop_999999/approve', body)).status).toBe(404)
  })

  it('is refused where the caller saw an older version', async () => {
    const answer = await post(`/proposals/${ids[0]}/approve`, { expected_version: 2 })
    expect(errorOf(answer)).toMatchObject({ status: 412, code: 'version_mismatch' })
  })

  it('is refused above the key’s own limit', async () => {
    const key = await aKey({ maxOrderValue: '1.00' })
    const answer = await post(`/proposals/${ids[0]}/approve`, {}, { key })
    expect(errorOf(answer)).toEqual({ status: 403, code: 'approval_limit_exceeded' })
    expect((await read(ids[0]!)).status).toBe('pending')
  })

  it('is won by exactly one of many', async () => {
    const id = next()
    const { quantity } = await read(id)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        post(`/proposals/${id}/approve`, { quantity: quantity + 10 * at }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    expect(await events(id)).toEqual(['created', 'approved'])
  })
})

describe('many decisions by one call', () => {
  const decideAll = (decisions: unknown, key?: string) =>
    post('/proposals/decisions', { decisions }, key ? { key } : {})

  it('are each made by itself, in the version that was seen', async () => {
    const [one, two, three, four] = [next(), next(), next(), next()]
    const { quantity, version } = await read(one)
    const answer = await decideAll([
      { id: one, action: 'approve', quantity: quantity + 10, expected_version: version },
      { id: two, action: 'approve', expected_version: version + 1 },
      { id: three, action: 'reject', reason: 'price', comment: 'too dear' },
      { id: four, action: 'snooze', until: tomorrow(), expected_version: version },
      { id: 'prop_999999', action: 'approve' },
      { id: two, action: 'approve', quantity: 21 },
      { id: one, action: 'cancel', reason: 'other' },
      { id: two, action: 'forget' },
      { id: two, action: 'approve', reason: 'price' },
      'prop_1',
    ])
    expect(answer.status).toBe(200)
    const { results, summary } = answer.json
    expect(summary).toEqual({ requested: 10, succeeded: 4, failed: 6 })
    expect(results.map(({ index }) => index)).toEqual([...results.keys()])
    const codes = results.map((each) => (each.status === 'ok' ? 'ok' : each.error.code))
    expect(codes).toEqual([
      ...['ok', 'version_mismatch', 'ok', 'ok', 'proposal_not_found', 'quantity_not_orderable'],
      ...['ok', 'invalid_parameter', 'invalid_parameter', 'invalid_parameter'],
    ])
    expect(results[0]).toMatchObject({ id: one, proposal: { quantity: quantity + 10 } })
    expect(results[1]).toMatchObject({ id: two, error: { current_version: version, changes: [] } })
    expect(results[9]).toMatchObject({ id: null, status: 'error' })
    expect(await events(one)).toEqual(['created', 'approved', 'cancelled'])
    expect(await events(two)).toEqual(['created'])
    expect(await read(three)).toMatchObject({ status: 'rejected', reason: 'price' })
  })

  it('are counted apart, and refused as a whole where they are none or too many', async () => {
    expect(errorOf(await decideAll([]))).toMatchObject({ status: 400, code: 'invalid_request' })
    const many = Array.from({ length: 1001 }, () => ({ id: 'prop_999999', action: 'approve' }))
    const tooMany = await decideAll(many)
    expect(errorOf(tooMany)).toMatchObject({ status: 400, code: 'batch_too_large' })
    expect(tooMany.headers.get('x-ratelimit-limit')).toBe('20')
    expect(errorOf(await post('/proposals/decisions', {}))).toMatchObject({ target: 'decisions' })
    const reader = await aKey({ scopes: ['proposals:read'] })
    expect((await decideAll([], reader)).status).toBe(403)
  })

  it('take the version that was seen, as each decision does by itself', async () => {
    const id = next()
    const off = { expected_version: 9 }
    const refused = { status: 412, code: 'version_mismatch', target: 'expected_version' }
    expect(errorOf(await del(`/proposals/${id}?expected_version=9`))).toEqual(refused)
    const snoozed = await post(`/proposals/${id}/snooze`, { until: tomorrow(), ...off })
    expect(errorOf(snoozed)).toEqual(refused)
    await post(`/proposals/${id}/approve`)
    const cancelled = await post(`/proposals/${id}/cancel`, { reason: 'other', ...off })
    expect(errorOf(cancelled)).toEqual(refused)
  })
})

describe('rejecting', () => {
  it('answers 204, and again', async () => {
    const id = next()
    const query = new URLSearchParams({ reason: 'too_much', comment: 'enough, says Ada' })
    expect((await del(`/proposals/${id}?${query}`)).status).toBe(204)
    expect((await del(`/proposals/${id}`)).status).toBe(204)
    expect(await read(id)).toMatchObject({ status: 'rejected', reason: 'too_much' })
    expect(await events(id)).toEqual(['created', 'rejected'])
    const { data } = (await get(`/proposals/${id}/history`)).json
    expect(data.at(-1)!.comment).toBe('enough, says Ada')
    const late = await post(`/proposals/${id}/approve`)
    expect(late.error).toMatchObject({
      ...{ code: 'proposal_already_decided', current_status: 'rejected' },
    })
  })

  it('knows its reasons', async () => {
    const answer = await del(`/proposals/${ids[0]}?reason=whim`)
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target: 'reason' })
    expect((await del('/proposals/prop_999999?reason=whim')).status).toBe(404)
  })
})

describe('snoozing', () => {
  it('puts a proposal off', async () => {
    const id = next()
    const until = tomorrow()
    const { status, json } = await post(`/proposals/${id}/snooze`, { until })
    expect([status, json.status, json.snoozed_until]).toEqual([200, 'snoozed', until])
    expect((await post(`/proposals/${id}/approve`)).error?.current_status).toBe('snoozed')
    expect((await del(`/proposals/${id}`)).status).toBe(204)
  })

  it.each(['2020-01-01T00:00:00Z', '2099-01-01', '2099-01-01T00:00:00+02:00', 'soon', 7, null])(
    'refuses until %s',
    async (until) => {
      const answer = await post(`/proposals/${ids[0]}/snooze`, { until })
      expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target: 'until' })
    },
  )
})

describe('cancelling', () => {
  it('takes an approval back', async () => {
    const id = next()
    expect((await post(`/proposals/${id}/cancel`, { reason: 'price' })).status).toBe(409)
    await post(`/proposals/${id}/approve`)
    const { status, json } = await post(`/proposals/${id}/cancel`, { reason: 'price' })
    expect([status, json.status, json.reason]).toEqual([200, 'cancelled', 'price'])
  })

  it('needs a reason', async () => {
    for (const body of [{}, { reason: 'whim' }]) {
      const expected = { status: 400, code: 'invalid_parameter', target: 'reason' }
      expect(errorOf(await post(`/proposals/${ids[0]}/cancel`, body))).toEqual(expected)
    }
  })
})
