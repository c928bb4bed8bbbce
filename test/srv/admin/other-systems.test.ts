import cds from '@sap/cds'
import { AuditLog, WebhookDeliveries } from '../../../srv/base/database/entities.ts'
import { serverUrl } from '../../support/server.ts'
import { act, call, errorOf, get, rows } from './admin.ts'

const { INSERT, SELECT } = cds.ql

describe('a key', () => {
  const good = { name: 'shop', scopes: ['forecasts:read', 'proposals:read'] }
  const works = async (key: string) => {
    const url = serverUrl()
    const headers = { Authorization: `Bearer ${key}` }
    return (await fetch(`${url}/v1/proposals`, { headers })).status === 200
  }

  it('is shown only once, works, and is issued by whoever asked', async () => {
    const { status, json } = await act('ApiKeys/issue', good)
    expect([status, await works(json.key)]).toEqual([200, true])
    const { text, json: row } = await get(`ApiKeys('${json.ID}')`)
    expect(row).toMatchObject({
      ...{ name: 'shop', scopes: good.scopes.join(', '), state: 'active', isUsable: true },
      createdBy: 'admin',
    })
    expect(text).not.toContain(json.key.split('_').slice(2).join('_'))
    expect(text).not.toContain('ecretHash')
    const [act_] = await rows(`AuditLog?$filter=object eq 'key:${json.ID}'`)
    expect(act_).toMatchObject({ action: 'key.issued', actor: 'admin', via: 'ui' })
  })

  it('may act as somebody, up to a value', async () => {
    const wish = { ...good, scopes: ['proposals:decide'], actsAs: 'buyer', maxOrderValue: 500 }
    const { json } = await act('ApiKeys/issue', { ...wish, expiresInDays: 7 })
    expect((Date.parse(json.expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(7, 2)
    const { json: row } = await get(`ApiKeys('${json.ID}')`)
    expect(row).toMatchObject({ actsAs: 'buyer', maxOrderValue: '500.00' })
  })

  it('is rotated, and revoked', async () => {
    const old = (await act('ApiKeys/issue', good)).json
    const { json } = await act(`ApiKeys('${old.ID}')/rotate`)
    expect([await works(old.key), await works(json.key)]).toEqual([true, true])
    expect(Date.parse(json.oldKeyExpiresAt)).toBeGreaterThan(Date.now())
    expect((await get(`ApiKeys('${old.ID}')`)).json.state).toBe('rotated')
    const revoked = await act(`ApiKeys('${json.ID}')/revoke`)
    expect(revoked.json).toMatchObject({ state: 'revoked', isUsable: false })
    expect(await works(json.key)).toBe(false)
    expect(errorOf(await act(`ApiKeys('${json.ID}')/rotate`))).toMatchObject({ status: 404 })
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes'],
    [{ scopes: ['proposals:decide'] }, 'actsAs'],
    [{ scopes: ['proposals:decide'], actsAs: 'admin' }, 'actsAs'],
    [{ maxOrderValue: -5 }, 'maxOrderValue'],
    [{ expiresInDays: 0 }, 'expiresInDays'],
  ])('with %j names the field', async (wrong, target) => {
    const answer = await act('ApiKeys/issue', { ...good, ...wrong })
    expect(errorOf(answer)).toMatchObject({ status: 400, target })
  })

  it.each([
    ['en', { expiresInDays: 0 }, 'Must be at least 1'],
    ['de', { expiresInDays: 366 }, 'Darf höchstens 365 sein'],
    ['de', { scopes: ['everything'] }, /^Muss eines davon sein: forecasts:read, /],
  ])('says in %s what is wrong with %j', async (language, wrong, text) => {
    const body = { ...good, ...wrong }
    const path = 'ApiKeys/AdminService.issue' as 'ApiKeys'
    const { error } = await call('POST', path, { body, language })
    expect((error as { message: string }).message).toMatch(text)
  })
})

describe('a webhook', () => {
  const add = (body: object) => act('Webhooks/add', { url: 'http://127.0.0.1:9/hook', ...body })

  it('shows its secret once, and nowhere else', async () => {
    const { status, json } = await add({ types: ['sync.failed'] })
    expect([status, json.secret]).toEqual([200, expect.stringMatching(/^whsec_/)])
    const { text, json: row } = await get(`Webhooks(${json.ID})`)
    expect(row).toMatchObject({ types: 'sync.failed', status: 'active', isActive: true })
    expect(text).not.toContain('whsec_')
    const rotated = await act(`Webhooks(${json.ID})/rotate`)
    expect(rotated.json.secret).not.toBe(json.secret)
    expect(Date.parse(rotated.json.oldExpiresAt)).toBeGreaterThan(Date.now())
  })

  it('is snoozed, activated and removed', async () => {
    const { ID } = (await add({})).json
    const off = await act(`Webhooks(${ID})/disable`)
    expect(off.json).toMatchObject({ status: 'disabled', disabledReason: 'by_request' })
    expect((await act(`Webhooks(${ID})/activate`)).json.status).toBe('active')
    expect((await call('DELETE', `Webhooks(${ID})`)).status).toBe(204)
    expect((await call('DELETE', `Webhooks(${ID})`)).status).toBe(404)
  })

  it('sends a delivery once more', async () => {
    const { ID } = (await add({ types: ['sync.failed'] })).json
    await act(`Webhooks(${ID})/disable`)
    const event = '0'.repeat(28)
    await INSERT.into(WebhookDeliveries).entries({
      ...{ webhook: ID, event, type: 'sync.failed', status: 'failed', attempts: 8 },
      ...{ responseStatus: 500, problem: 'broken', nextAttemptAt: new Date().toISOString() },
    })
    expect(await rows(`Webhooks(${ID})/deliveries?$expand=toStatus`)).toMatchObject([
      { event, status: 'failed', toStatus: { criticality: 1 }, problem: 'broken' },
    ])
    const { json } = await act(`Deliveries(webhook=${ID},event='${event}')/replay`)
    expect(json).toMatchObject({ status: 'pending' })
    const below = await act(`Webhooks(${ID})/deliveries(webhook=${ID},event='${event}')/replay`)
    expect(below.status).toBe(200)
    const other = await act(`Deliveries(webhook=${ID},event='${'1'.repeat(28)}')/replay`)
    expect(errorOf(other).status).toBe(404)
    const acts = await SELECT.from(AuditLog).where({ action: 'webhook.replayed' })
    expect(acts).toHaveLength(2)
  })

  it.each([
    [{ url: '' }, 'url'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ types: ['everything'] }, 'types'],
  ])('with %j names the field', async (wrong, target) => {
    expect(errorOf(await add(wrong))).toMatchObject({ status: 400, target })
  })
})
