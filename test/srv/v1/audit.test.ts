import cds from '@sap/cds'
import type { Proposal } from '../../../client/types.ts'
import { AuditLog, Stock } from '../../../srv/base/database/entities.ts'
import { daysAgo } from '../../support/server.ts'
import { aKey, errorOf, get, post } from './api.ts'
import { pending, readDemand } from './demand.ts'

const { UPDATE } = cds.ql

let ids: string[]
beforeAll(async () => {
  await readDemand('audited')
  ids = await pending()
})

describe('evidence', () => {
  it('is the sum, and each decision with its own', async () => {
    const id = ids.pop()!
    const { json: before } = await get(`/proposals/${id}`)
    const { json: undecided } = await get(`/proposals/${id}/evidence`)
    expect(undecided).toMatchObject({ id, quantity: before.quantity, decisions: [] })
    expect(undecided.calculation).toEqual(before.calculation)
    expect(undecided.basis).toMatchObject({ planning: { lead_time_days: 7, lot_size: 10 } })
    const quantity = before.quantity + 10
    await post(`/proposals/${id}/approve`, { quantity, comment: 'fair' })
    const { json } = await get(`/proposals/${id}/evidence`)
    expect(json.lines.at(-1)).toMatchObject({ term: 'quantity', value: before.quantity })
    expect(json.decisions).toMatchObject([
      {
        ...{ event: 'approved', by: 'approver', via: 'api', on_behalf_of: null, version: 2 },
        ...{ quantity, replayed_quantity: before.quantity, comment: 'fair' },
        calculation: before.calculation,
        basis: undecided.basis,
      },
    ])
    expect(json.decisions[0]!.key_id).toMatch(/^[0-9a-f]{16}$/)
  })

  it('knows no such proposal, and takes a scope', async () => {
    expect(errorOf(await get('/proposals/prop_999999/evidence')).code).toBe('proposal_not_found')
    expect(errorOf(await get('/proposals/prop_999999/evidence?x=1')).status).toBe(404)
    const key = await aKey({ scopes: ['audit:read'] })
    const answer = await get(`/proposals/${ids[0]}/evidence`, { key })
    expect(errorOf(answer)).toEqual({ status: 403, code: 'insufficient_scope' })
  })
})

describe('the audit trail', () => {
  it('is verified, also from an earlier head', async () => {
    const { json: first } = await get('/audit/verification')
    expect(first).toMatchObject({ valid: true, broken: null, late: 0 })
    await post(`/proposals/${ids.pop()}/approve`)
    const { json } = await get(`/audit/verification?expect_head=${first.head}`)
    expect(json).toMatchObject({ valid: true, broken: null })
    expect(json.entries).toBeGreaterThan(first.entries)
    const wrong = first.head.replace(/:./, first.head.includes(':0') ? ':1' : ':0')
    expect((await get(`/audit/verification?expect_head=${wrong}`)).json).toMatchObject({
      ...{ valid: false, broken: { problem: 'head_not_found' } },
    })
  })

  it('is verified in pieces', async () => {
    const { json: whole } = await get('/audit/verification')
    const { json: first } = await get('/audit/verification?limit=2')
    expect(first).toMatchObject({
      valid: true,
      entries: 2,
      next_from: expect.stringMatching(/^2:/),
    })
    const rest = await get(`/audit/verification?from=${first.next_from!}`)
    expect(rest.json).toMatchObject({ valid: true, entries: whole.entries, next_from: null })
    const wrong = await get(`/audit/verification?from=2:${'a'.repeat(64)}&limit=2`)
    expect(wrong.json.broken).toMatchObject({ seq: 2, problem: 'head_not_found' })
  })

  it('says what is broken', async () => {
    const set = (actor: string) => UPDATE.entity(AuditLog).set({ actor }).where({ seq: 1 })
    const { data } = (await get('/audit?limit=1')).json
    expect(data[0]).toMatchObject({ seq: 1 })
    await set('somebody')
    expect((await get('/audit/verification')).json).toMatchObject({
      ...{ valid: false, entries: 0 },
      broken: { seq: 1, problem: 'changed', object: data[0]!.object },
    })
    await set(data[0]!.actor)
    expect((await get('/audit/verification')).json.valid).toBe(true)
  })

  it('is listed in order, once each', async () => {
    const seen: { seq: number; action: string }[] = []
    for (let cursor = ''; ;) {
      const { json } = await get(`/audit?limit=7${cursor}`)
      seen.push(...json.data)
      if (!json.has_more) break
      cursor = `&cursor=${json.next_cursor}`
    }
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1))
    const actions = seen.map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['key.issued', 'proposal.approved']))
  })

  it.each(['1', 'abc', `1:${'g'.repeat(64)}`, ''])('takes no head %s', async (head) => {
    const answer = await get(`/audit/verification?expect_head=${head}`)
    expect(errorOf(answer)).toMatchObject({ code: 'invalid_parameter', target: 'expect_head' })
  })

  it('is for those with the scope', async () => {
    const key = await aKey({ scopes: ['keys:manage', 'proposals:read'] })
    for (const path of ['/audit', '/audit/verification']) {
      expect(errorOf(await get(path, { key })).code).toBe('insufficient_scope')
    }
    const { status } = await get('/audit', { key: await aKey({ scopes: ['audit:read'] }) })
    expect(status).toBe(200)
  })
})

describe('the value report', () => {
  it('counts what was decided, and what is too recent', async () => {
    await post(`/proposals/${ids.pop()}/approve`)
    const path = `/reports/value?from=${daysAgo(1)}&to=${daysAgo(0)}` as const
    const { json } = await get(path)
    expect(json).toMatchObject({ evaluated: 0, too_recent: 1, edited: 1, working_capital: [] })
    expect(json.unchanged).toBeGreaterThan(0)
  })

  it.each([
    ['', 'from'],
    ['?from=2026-01-01', 'to'],
    ['?from=2026-02-30&to=2026-03-01', 'from'],
    ['?from=2026-03-02&to=2026-03-01', 'to'],
    ['?from=1990-01-01&to=2026-03-01', 'to'],
    ['?from=2026-01-01&to=2026-03-01&by=me', 'by'],
  ])('refuses %s', async (query, target) => {
    expect(errorOf(await get(`/reports/value${query}`))).toEqual({
      ...{ status: 400, code: 'invalid_parameter', target },
    })
  })
})

it('a stale approval comes with what would be proposed now', async () => {
  const id = ids.pop()!
  const { json: before } = await get(`/proposals/${id}`)
  const { sku, location } = before
  await UPDATE.entity(Stock).set({ onHand: 25 }).where({ sku, location })
  const { error } = await post(`/proposals/${id}/approve`)
  const { code, details } = error!
  const fresh = error!.fresh as Proposal
  expect(code).toBe('proposal_stale')
  expect(details).toContainEqual({
    ...{ code: 'input_changed', target: 'on_hand', message: 'on_hand was 1 and is 25 now' },
  })
  expect(fresh.calculation).toMatchObject({ on_hand: 25, target_stock: expect.any(Number) })
  expect(fresh.quantity).toBeLessThan(before.quantity)
})
