import cds from '@sap/cds'
import { ApiKeys, AuditLog } from '../../../srv/base/database/entities.ts'
import { uncacheKey, verifyKey } from '../../../srv/domain/keys/verify.ts'
import { aKey, del, errorOf, get, post } from './api.ts'

const { SELECT, UPDATE } = cds.ql
const DAY = 86_400_000
const good = { name: 'shop', scopes: ['forecasts:read'] }
const works = async (key: string) =>
  (await get('/forecasts?sku=a&location=b', { key })).status === 404
const row = (id: string) => SELECT.one.from(ApiKeys).where({ ID: id })
const acts = async (id: string) =>
  (
    await SELECT.from(AuditLog)
      .where({ object: `key:${id}` })
      .orderBy('at')
  ).map(({ action }) => action)

describe('a new key', () => {
  it('works at once and is shown only once', async () => {
    const { status, json } = await post('/keys', good)
    expect(status).toBe(201)
    expect(json.key).toMatch(new RegExp(`^rsk_${json.id}_[\\w-]{43}$`))
    expect(json).toMatchObject({ ...good, acts_as: null, max_order_value: null })
    expect(await works(json.key!)).toBe(true)
    const { text } = await get('/keys?limit=200')
    expect(text).toContain(json.id)
    expect(text).not.toContain(json.key!.split('_').slice(2).join('_'))
  })

  it('is kept as a hash, and its issue written down', async () => {
    const { json } = await post('/keys', good)
    const secret = json.key!.slice(`rsk_${json.id}_`.length)
    expect(JSON.stringify(await row(json.id))).not.toContain(secret)
    expect(await acts(json.id)).toEqual(['key.issued'])
  })

  it('lasts 180 days unless said otherwise', async () => {
    const days = async (body: object) =>
      (Date.parse((await post('/keys', { ...good, ...body })).json.expires_at) - Date.now()) / DAY
    expect(await days({})).toBeCloseTo(180, 2)
    expect(await days({ expires_in_days: 7 })).toBeCloseTo(7, 2)
    const expires_at = new Date(Date.now() + 3 * DAY).toISOString()
    expect(await days({ expires_at })).toBeCloseTo(3, 2)
  })

  it.each([
    [{ expires_in_days: 1, expires_at: '2099-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ expires_in_days: 0 }, 'expires_in_days'],
    [{ max_order_value: 5 }, 'max_order_value'],
    [{ max_order_value: '-5' }, 'max_order_value'],
    [{ max_order_value: '5', currency: 'usd' }, 'currency'],
    [{ scopes: ['proposals:decide'] }, 'acts_as'],
    [{ scopes: ['proposals:decide'], acts_as: 'nobody' }, 'acts_as'],
    [{ scopes: ['proposals:decide'], acts_as: 'admin' }, 'acts_as'],
    [{ acts_as: 'nobody' }, 'acts_as'],
    [{ acts_as: '__proto__' }, 'acts_as'],
  ])('with %j is refused', async (body, target) => {
    const answer = await post('/keys', { ...good, ...body })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  })

  it('that decides names somebody who may', async () => {
    const body = { ...good, scopes: ['proposals:decide'], acts_as: 'buyer', max_order_value: '5' }
    const { status, json } = await post('/keys', body)
    expect([status, json.acts_as, json.max_order_value]).toEqual([201, 'buyer', '5.00'])
    expect(json.currency).toBe('EUR')
    const inDollars = await post('/keys', { ...body, currency: 'USD' })
    expect(inDollars.json.currency).toBe('USD')
  })

  it('does not decide any more when its user may not', async () => {
    const key = await aKey({ actsAs: 'buyer' })
    const [, ID] = key.split('_')
    await UPDATE.entity(ApiKeys).set({ actsAs: 'viewer' }).where({ ID })
    const answer = await post('/proposals/prop_1/approve', {}, { key })
    expect(errorOf(answer).code).toBe('insufficient_scope')
  })
})

it('a key that is changed while it is looked up is looked up again', async () => {
  const key = await aKey()
  const verified = verifyKey(`Bearer ${key}`)
  const [, id] = key.split('_')
  uncacheKey(id!)
  expect(await verified).toMatchObject({ id })
})

describe('the list of keys', () => {
  it('gives each key once, newest first', async () => {
    for (let count = 0; count < 5; count++) await aKey()
    const all = (await get('/keys?limit=200')).json.data.map(({ id }: { id: string }) => id)
    const seen = []
    for (let cursor = ''; ;) {
      const { json } = await get(`/keys?limit=2${cursor}`)
      seen.push(...json.data.map(({ id }: { id: string }) => id))
      if (!json.has_more) break
      cursor = `&cursor=${json.next_cursor}`
    }
    expect(seen).toEqual(all)
  })
})

describe('revoking', () => {
  it('holds here at once; again is no fault', async () => {
    const { json } = await post('/keys', good)
    expect(await works(json.key!)).toBe(true)
    expect((await del(`/keys/${json.id}`)).status).toBe(204)
    expect(errorOf(await get('/keys', { key: json.key })).code).toBe('invalid_api_key')
    expect((await del(`/keys/${json.id}`)).status).toBe(204)
    expect(await acts(json.id)).toEqual(['key.issued', 'key.revoked'])
    expect((await get('/keys?limit=200')).text).not.toContain(json.id)
  })

  it.each(['0000000000000000', 'x', '%00', "'", 'A'.repeat(300)])('knows no key %s', async (id) => {
    expect(errorOf(await del(`/keys/${id}`))).toEqual({ status: 404, code: 'not_found' })
    expect(errorOf(await post(`/keys/${id}/rotate`))).toEqual({ status: 404, code: 'not_found' })
  })
})

describe('rotating', () => {
  it('gives a key like the old one, which works a day longer', async () => {
    const old = (await post('/keys', { ...good, expires_in_days: 30 })).json
    const { status, json } = await post(`/keys/${old.id}/rotate`)
    expect(status).toBe(201)
    expect(json).toMatchObject({ ...good, rotated_to: null })
    expect((Date.parse(json.old_key_expires_at) - Date.now()) / DAY).toBeCloseTo(1, 2)
    expect((Date.parse(json.expires_at) - Date.now()) / DAY).toBeCloseTo(30, 2)
    expect([await works(old.key!), await works(json.key!)]).toEqual([true, true])
    const { expiresAt, rotatedTo } = (await row(old.id))!
    expect([expiresAt, rotatedTo]).toEqual([json.old_key_expires_at, json.id])
    expect(await acts(old.id)).toEqual(['key.issued', 'key.rotated'])
  })

  it('never lengthens the old one, and does not revive a revoked one', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const old = (await post('/keys', { ...good, expires_at: soon })).json
    expect((await post(`/keys/${old.id}/rotate`)).json.old_key_expires_at).toBe(soon)
    await del(`/keys/${old.id}`)
    expect((await post(`/keys/${old.id}/rotate`)).status).toBe(404)
  })
})
