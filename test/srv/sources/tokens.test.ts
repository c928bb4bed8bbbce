import type { Tokens } from '../../../srv/domain/sources/oauth/tokens.ts'
import cds from '@sap/cds'
import type * as Renewal from '../../../srv/domain/sources/credentials.ts'
import { AuditLog, Secrets } from '../../../srv/base/database/entities.ts'
import { acquireLease } from '../../../srv/base/work/lease.ts'
import { readSecret, replaceSecret, storeSecret } from '../../../srv/base/database/secrets/vault.ts'
import { connectionOf } from '../../../srv/domain/sources/credentials.ts'
import { errorOf, get, post } from '../v1/api.ts'
import {
  allow,
  codePlan,
  credentialsOf,
  erp,
  newSource,
  statusOf,
  useConsent,
  visit,
} from './consent-adapter.ts'
import { SCOPES } from './oauth-server.ts'

const { SELECT, UPDATE } = cds.ql
const numberOf = (id: string) => Number(id.slice(4))

/** As another instance that renews the tokens. */
const leaseTokens = (source: number, milliseconds: number) =>
  acquireLease(
    { entity: 'restock.Secrets', key: { source_ID: source, name: 'tokens' }, owner: 'another' },
    milliseconds,
  )

beforeAll(() => useConsent(codePlan()))
afterAll(() => erp.close())
afterEach(() => {
  Object.assign(erp, { scope: null, broken: null, delayMs: 0, rotates: true, tokenSeconds: 3600 })
})

async function connected(account: string): Promise<string> {
  const { json } = await post('/sources', newSource(account))
  expect((await visit(await allow(json.authorization_url!))).status).toBe(200)
  return json.id
}

const stored = async (id: string) =>
  JSON.parse((await readSecret(numberOf(id), 'tokens'))!.text) as Tokens
const refreshes = () =>
  erp.calls.filter((call) => call.get('grant_type') === 'refresh_token').length

describe('an access token', () => {
  it('is used as long as it holds', async () => {
    const credentials = await credentialsOf(await connected('holds'))
    const before = refreshes()
    const header = await credentials.authorization()
    expect(await credentials.authorization()).toBe(header)
    expect(erp.takes(header)).toBe(true)
    expect(refreshes()).toBe(before)
  })

  it('is renewed before its end', async () => {
    erp.tokenSeconds = 1
    const credentials = await credentialsOf(await connected('short'))
    const first = await credentials.authorization()
    await new Promise((done) => setTimeout(done, 950))
    const second = await credentials.authorization()
    expect(second).not.toBe(first)
    expect(erp.takes(second)).toBe(true)
  })

  it('without a named end is renewed when it is refused', async () => {
    erp.tokenSeconds = null
    const credentials = await credentialsOf(await connected('endless'))
    const first = await credentials.authorization()
    const before = refreshes()
    expect(await credentials.authorization(first)).not.toBe(first)
    expect(refreshes()).toBe(before + 1)
  })

  it('is renewed once for all who were refused at the same time', async () => {
    const id = await connected('flock')
    const all = await Promise.all(Array.from({ length: 8 }, () => credentialsOf(id)))
    const old = await all[0]!.authorization()
    erp.delayMs = 100
    const before = refreshes()
    const headers = await Promise.all(all.map((each) => each.authorization(old)))
    expect(new Set(headers).size).toBe(1)
    expect(headers[0]).not.toBe(old)
    expect(refreshes()).toBe(before + 1)
  })

  it('is stored, with the new refresh token, before it is used', async () => {
    const id = await connected('rotated')
    const credentials = await credentialsOf(id)
    let header = await credentials.authorization()
    for (let round = 0; round < 3; round++) {
      header = await credentials.authorization(header)
      const { accessToken, refreshToken } = await stored(id)
      expect(header).toBe(`Bearer ${accessToken}`)
      expect(erp.secrets.at(-1)).toBe(refreshToken)
    }
  })

  it('is renewed with the same refresh token where the server does not rotate', async () => {
    erp.rotates = false
    const id = await connected('steady')
    const { refreshToken } = await stored(id)
    const credentials = await credentialsOf(id)
    const header = await credentials.authorization()
    const next = await credentials.authorization(header)
    expect(next).not.toBe(header)
    expect(await credentials.authorization(next)).not.toBe(next)
    expect((await stored(id)).refreshToken).toBe(refreshToken)
  })
})

describe('several instances', () => {
  it('wait for the one that renews, and take its tokens', async () => {
    const id = await connected('instances')
    const source = numberOf(id)
    const credentials = await credentialsOf(id)
    const old = await credentials.authorization()
    const { version } = (await readSecret(source, 'tokens'))!
    const lease = () => leaseTokens(source, 600_000)
    expect([await lease(), await lease()]).toEqual([true, false])
    const before = refreshes()
    const waiting = credentials.authorization(old)
    await new Promise((done) => setTimeout(done, 300))
    const others = { ...(await stored(id)), accessToken: 'of-another-instance' }
    expect(await replaceSecret(source, 'tokens', JSON.stringify(others), version)).toBe(true)
    expect(await waiting).toBe('Bearer of-another-instance')
    expect(refreshes()).toBe(before)
  })

  it('go on for one that died while it renewed', async () => {
    const id = await connected('died')
    const source = numberOf(id)
    await leaseTokens(source, -1)
    const credentials = await credentialsOf(id)
    const old = await credentials.authorization()
    expect(await credentials.authorization(old)).not.toBe(old)
  })

  it('ask once, though they know nothing of each other', async () => {
    const id = await connected('apart')
    const { connection } = await connectionOf(numberOf(id))
    const old = await connection.credentials!.authorization()
    const plan = codePlan()(erp.url)
    const instances = await Promise.all(
      [1, 2, 3].map(
        (number) =>
          import(`../../../srv/domain/sources/credentials.ts?instance=${number}`) as Promise<
            typeof Renewal
          >,
      ),
    )
    expect(new Set(instances.map(({ readValidTokens }) => readValidTokens)).size).toBe(3)
    erp.delayMs = 200
    const before = refreshes()
    const tokens = await Promise.all(
      instances.map(({ readValidTokens }) => readValidTokens(numberOf(id), plan, old)),
    )
    expect(new Set(tokens.map(({ accessToken }) => accessToken)).size).toBe(1)
    expect(refreshes()).toBe(before + 1)
  })
})

describe('a refresh', () => {
  const refused = async (id: string) => {
    const credentials = await credentialsOf(id)
    const header = await credentials.authorization()
    return credentials.authorization(header)
  }

  it('that the server refuses asks for the consent anew, and connecting again mends it', async () => {
    const id = await connected('ended')
    Object.assign(erp, { broken: { status: 400, body: '{"error":"invalid_grant"}' } })
    await expect(refused(id)).rejects.toMatchObject({ name: 'Fatal', code: 'reconsent_required' })
    expect((await get(`/sources/${id}`)).json).toMatchObject({
      ...{ status: 'reconsent_required', problem: { code: 'consent_ended' } },
    })
    const refusal = await post(`/sources/${id}/sync`, { mode: 'full' })
    expect(errorOf(refusal).code).toBe('source_not_connected')
    expect(refusal.error?.message).not.toContain('Nobody has consented')
    erp.broken = null
    const { client_id: _, client_secret: _s, ...sameAccount } = newSource('ended')
    const { status, json } = await post('/sources', sameAccount)
    expect({ status, id: json.id, now: json.status }).toEqual({
      ...{ status: 201, id, now: 'pending_consent' },
    })
    expect((await visit(await allow(json.authorization_url!))).status).toBe(200)
    expect((await get(`/sources/${id}`)).json).toMatchObject({ status: 'connected', problem: null })
    expect(erp.takes(await (await credentialsOf(id)).authorization())).toBe(true)
    const log = await SELECT.from(AuditLog).where({ object: id }).orderBy('at')
    expect(log.map(({ action }) => action)).toEqual([
      ...['source.consent_asked', 'source.connected', 'source.reconsent_required'],
      ...['source.consent_asked', 'source.connected'],
    ])
  })

  it('for a client that is refused says so', async () => {
    const id = await connected('client-gone')
    Object.assign(erp, { broken: { status: 401, body: '{"error":"invalid_client"}' } })
    await expect(refused(id)).rejects.toMatchObject({ code: 'reconsent_required' })
    expect((await get(`/sources/${id}`)).json.problem!.code).toBe('client_refused')
  })

  it.each([
    { status: 503, body: '{"error":"temporarily_unavailable"}', headers: { 'retry-after': '7' } },
    { status: 500, body: '{"error":"server_error"}' },
    { status: 429, body: '{"error":"slow_down"}' },
    { status: 200, type: 'text/html', body: '<html>maintenance</html>' },
    { status: 404, type: 'text/html', body: '<html>proxy</html>' },
    { status: 200, body: '{"access_token":' },
  ])('that fails for a while keeps the consent: %j', async (broken) => {
    const id = await connected(`later-${broken.status}-${broken.body.length}`)
    Object.assign(erp, { broken })
    const credentials = await credentialsOf(id)
    const header = await credentials.authorization()
    await expect(credentials.authorization(header)).rejects.toMatchObject({
      name: 'Retriable',
      ...(broken.headers ? { afterMs: 7000 } : {}),
    })
    expect(await statusOf(id)).toBe('connected')
    erp.broken = null
    expect(erp.takes(await credentials.authorization(header))).toBe(true)
  })

  it('that widens the rights is not used', async () => {
    const id = await connected('widened')
    erp.scope = () => `${SCOPES.join(' ')} WRITE_0001`
    await expect(refused(id)).rejects.toMatchObject({ code: 'reconsent_required' })
    expect((await get(`/sources/${id}`)).json.problem!.code).toBe('unexpected_rights')
  })

  it('is not tried without a refresh token', async () => {
    const id = await connected('once')
    const tokens = { ...(await stored(id)), refreshToken: null, renewAt: Date.now() - 1 }
    await storeSecret(numberOf(id), 'tokens', JSON.stringify(tokens))
    const credentials = await credentialsOf(id)
    const before = refreshes()
    const header = await credentials.authorization()
    await expect(credentials.authorization(header)).rejects.toMatchObject({
      code: 'reconsent_required',
    })
    expect(refreshes()).toBe(before)
  })

  it('is not lost where the tokens can not be read: the key may come back', async () => {
    const id = await connected('unreadable')
    await UPDATE.entity(Secrets)
      .set({ keyId: '0000000000000000' })
      .where({ source_ID: numberOf(id) })
    const credentials = await credentialsOf(id)
    await expect(credentials.authorization()).rejects.toMatchObject({
      ...{ name: 'Fatal', code: 'secret_unreadable' },
    })
    expect(await statusOf(id)).toBe('connected')
  })
})
