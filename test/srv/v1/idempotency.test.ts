import { randomUUID } from 'node:crypto'
import { jest } from '@jest/globals'
import cds from '@sap/cds'
import { ApiKeys, IdempotentAnswers } from '../../../srv/base/database/entities.ts'
import { aKey, call, errorOf, get, post } from './api.ts'

const { SELECT, UPDATE } = cds.ql
const ANSWERS = IdempotentAnswers
const body = { name: 'shop', scopes: ['forecasts:read'] }
const again = (name: string = randomUUID()) => ({ headers: { 'Idempotency-Key': name } })

describe('an Idempotency-Key', () => {
  it('does a call once and answers it twice, the second time without the secret', async () => {
    const options = again()
    const first = await post('/keys', body, options)
    const count = async () => (await get('/keys?limit=200')).json.data.length
    const before = await count()
    const second = await call('POST', '/keys', { raw: JSON.stringify(body), ...json(options) })
    expect(await count()).toBe(before)
    expect(second.status).toBe(201)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    const { key, ...rest } = first.json
    expect(second.json).toEqual(rest)
    const stored = JSON.stringify(await SELECT.from(ANSWERS))
    expect(stored).not.toContain(key!.split('_').slice(2).join('_'))
  })

  it('used with another body is 422', async () => {
    const options = again()
    await post('/keys', body, options)
    const answer = await post('/keys', { ...body, name: 'other' }, options)
    expect(errorOf(answer)).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  })

  it('belongs to its API key and path', async () => {
    const options = again()
    const first = await post('/keys', body, options)
    const other = await post('/keys', body, { ...options, key: await aKey() })
    expect(other.json.id).not.toBe(first.json.id)
    const rotated = await post(`/keys/${first.json.id}/rotate`, undefined, options)
    expect(rotated.status).toBe(201)
    expect(rotated.headers.has('idempotent-replayed')).toBe(false)
  })

  it('of a call that still runs is 409, and exactly one of many does the work', async () => {
    const options = again()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/keys', body, options)))
    const ids = new Set(answers.flatMap(({ json }) => json.id ?? []))
    expect(ids.size).toBe(1)
    for (const { status, error } of answers) {
      if (status !== 201) expect([status, error?.code]).toEqual([409, 'request_in_progress'])
    }
  })

  it('repeats a refusal, under the new request’s id', async () => {
    const options = again()
    const bad = { ...body, scopes: ['proposals:decide'] }
    const first = await post('/keys', bad, options)
    const second = await post('/keys', bad, options)
    expect(errorOf(second)).toEqual(errorOf(first))
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  it('is forgotten where nothing was done', async () => {
    const options = again()
    const refused = await post('/keys', body, { ...options, key: null })
    expect(refused.status).toBe(401)
    const source = { type: 'csv', account: 'a', role: 'r' }
    const error = cds.log('v1').error
    cds.log('v1').error = () => {}
    let isBroken = true
    cds.db.before('SELECT', 'restock.Sources', () => {
      if (isBroken) throw new Error('broken')
    })
    const broken = await post('/sources', source, options)
    isBroken = false
    cds.log('v1').error = error
    expect(broken.status).toBe(500)
    const repaired = await post('/sources', source, options)
    expect(repaired.status).not.toBe(500)
    expect(repaired.headers.has('idempotent-replayed')).toBe(false)
  })

  it('may be used anew after 24 hours, and after the death of its first call', async () => {
    const options = again()
    await post('/keys', body, options)
    const startedAt = new Date(Date.now() - 24 * 3_600_000 - 1000).toISOString()
    await UPDATE.entity(ANSWERS).set({ startedAt })
    const anew = await post('/keys', { ...body, name: 'other' }, options)
    expect([anew.status, anew.json.name]).toEqual([201, 'other'])

    const leaseUntil = new Date(Date.now() - 1000).toISOString()
    await UPDATE.entity(ANSWERS).set({ answer: null, leaseUntil })
    expect((await post('/keys', body, options)).json.key).toMatch(/^rsk_/)
    const running = new Date(Date.now() + 60_000).toISOString()
    await UPDATE.entity(ANSWERS).set({ answer: null, leaseUntil: running })
    expect(errorOf(await post('/keys', body, options)).code).toBe('request_in_progress')
  })

  it('does the work with its answer, or neither', async () => {
    const options = again()
    const name = `torn ${randomUUID()}`
    const keys = async () => (await SELECT.from(ApiKeys).where({ name })).length
    const log = jest.spyOn(cds.log('v1'), 'error').mockImplementation(() => {})
    // The process is as good as dead between the work and its stored answer.
    let isDead = true
    cds.db.before('UPDATE', 'restock.IdempotentAnswers', ({ data }) => {
      if (isDead && (data as { answer: string | null }).answer) throw new Error('killed')
    })
    expect((await post('/keys', { ...body, name }, options)).status).toBe(500)
    isDead = false
    log.mockRestore()
    expect(await keys()).toBe(0)
    const leaseUntil = new Date(Date.now() - 1000).toISOString()
    await UPDATE.entity(ANSWERS).set({ leaseUntil }).where({ answer: null })
    expect((await post('/keys', { ...body, name }, options)).status).toBe(201)
    const third = await post('/keys', { ...body, name }, options)
    expect(third.headers.get('idempotent-replayed')).toBe('true')
    expect(await keys()).toBe(1)
  })

  it.each(['a b', 'x'.repeat(256), ''])('"%s" is refused', async (name) => {
    const answer = await post('/keys', body, again(name))
    const expected = { status: 400, code: 'invalid_parameter', target: 'Idempotency-Key' }
    expect(errorOf(answer)).toEqual(expected)
  })

  it('is not heeded by the batch', async () => {
    const options = again()
    const items = [{ sku: 'a', location: 'b' }]
    expect((await post('/forecasts/batch', { items }, options)).status).toBe(200)
    const other = await post('/forecasts/batch', { items: [...items, ...items] }, options)
    expect(other.json.summary.requested).toBe(2)
  })
})

const json = ({ headers }: { headers: Record<string, string> }) => ({
  headers: { ...headers, 'Content-Type': 'application/json' },
})
