import cds from '@sap/cds'
import { AuditLog, Consents, Secrets } from '../../../srv/base/database/entities.ts'
import { until } from '../../support/service.ts'
import { del, errorOf, get, post } from '../v1/api.ts'
import {
  allow,
  begin,
  codePlan,
  credentialsOf,
  deny,
  erp,
  newSource,
  streams,
  useConsent,
  visit,
} from './consent-adapter.ts'
import { CLIENT, SCOPES } from './oauth-server.ts'

const { SELECT, UPDATE } = cds.ql

beforeAll(() => useConsent(codePlan()))
afterAll(() => erp.close())
afterEach(() => {
  Object.assign(erp, { scope: null, broken: null, delayMs: 0, gate: null })
})

async function asked(account: string) {
  const { json } = await post('/sources', newSource(account))
  return { ...json, authorization_url: json.authorization_url! }
}
const shown = async (id: string) => (await get(`/sources/${id}`)).json

describe('a consent', () => {
  it('is asked for with a state, a challenge and the scopes that are needed', async () => {
    const { status, json } = await post('/sources', newSource('asked'))
    expect(status).toBe(201)
    expect(json).toMatchObject({ status: 'pending_consent', granted_rights: [], problem: null })
    expect(json.needed_rights).toEqual(SCOPES)
    const minutes = (Date.parse(json.expires_at!) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9)
    expect(minutes).toBeLessThanOrEqual(10)
    const page = new URL(await begin(json.authorization_url!))
    expect(page.origin).toBe(erp.url)
    expect(Object.fromEntries(page.searchParams)).toEqual({
      'sap-client': '100',
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: expect.stringMatching(/^http:\/\/localhost:\d+\/oauth\/callback$/),
      scope: SCOPES.join(' '),
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(errorOf(await post(`/sources/${json.id}/sync`, { mode: 'full' }))).toEqual({
      ...{ status: 409, code: 'source_not_connected' },
    })
  })

  it('is answered again to a call that is repeated, and its state is nowhere stored in clear', async () => {
    const options = { headers: { 'Idempotency-Key': 'once' } }
    const { json } = await post('/sources', newSource('repeated'), options)
    const again = await post('/sources', newSource('repeated'), options)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.json).toEqual(json)
    const stored = JSON.stringify(await SELECT.from('restock.IdempotentAnswers'))
    expect(stored).not.toContain(new URL(json.authorization_url!).searchParams.get('ticket'))
  })

  it('that is given connects the source', async () => {
    const { id, authorization_url: page } = await asked('given')
    const answer = await visit(await allow(page))
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<h1>Connected, you may close this window</h1>')
    expect(answer.text).not.toMatch(/<script|code-|<img|http:/)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(await shown(id)).toMatchObject({
      ...{ status: 'connected', needed_rights: SCOPES, granted_rights: SCOPES, problem: null },
      streams: [{ stream: 'demand', status: 'ok', message: null }],
      consent_expires_at: null,
    })
    expect(erp.takes(await (await credentialsOf(id)).authorization())).toBe(true)
  })

  it('that is denied leaves the source as it was, with the reason', async () => {
    const { id, authorization_url: beginning } = await asked('denied')
    const page = await begin(beginning)
    const answer = await visit(erp.deny(page))
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('Consent denied')
    expect(await shown(id)).toMatchObject({
      status: 'pending_consent',
      problem: { code: 'consent_denied' },
      consent_expires_at: null,
    })
    expect((await visit(erp.allow(page))).status).toBe(410)
    expect((await visit(beginning)).status).toBe(410)
  })

  it('is taken once, however often and at whatever time it comes', async () => {
    const { id, authorization_url: page } = await asked('replayed')
    erp.delayMs = 100
    const calls = erp.calls.length
    const back = await allow(page)
    const answers = await Promise.all([visit(back), visit(back), visit(back)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410])
    expect((await visit(back)).text).toContain('already used')
    expect(erp.calls.length).toBe(calls + 1)
    expect((await shown(id)).status).toBe('connected')
  })

  it('is not used up by a look at it', async () => {
    const { id, authorization_url: page } = await asked('previewed')
    const back = new URL(await allow(page))
    const head = await fetch(back, { method: 'HEAD' })
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
    expect((await visit(back.href)).status).toBe(200)
    expect((await shown(id)).status).toBe('connected')
  })

  it('expires', async () => {
    const { id, authorization_url: beginning } = await asked('expired')
    const page = await begin(beginning)
    await UPDATE.entity(Consents)
      .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
      .where({ source_ID: Number(id.slice(4)) })
    for (const address of [erp.allow(page), beginning]) {
      const answer = await visit(address)
      expect(answer.status).toBe(410)
      expect(answer.text).toContain('expired')
    }
    expect(await shown(id)).toMatchObject({
      ...{ status: 'pending_consent', problem: { code: 'consent_expired' } },
    })
  })

  it.each([
    ['', 400],
    ['?code=x', 400],
    ['?state=forged&code=x', 400],
    ['?state=a&state=b&code=x', 400],
    ['?state=%00&code=x', 400],
    ['?state=<script>alert(1)</script>&error=<img+src=x>', 400],
    [`?state=${'x'.repeat(8000)}`, 400],
  ])('that nobody asked for is refused (%#)', async (query, status) => {
    const answer = await visit(`http://x/oauth/callback${query}`)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain('This consent is unknown')
    expect(answer.text).not.toMatch(/<script|<img|forged/)
  })

  it('shows nothing of what the ERP says went wrong', async () => {
    const { id, authorization_url: page } = await asked('evil')
    const evil = encodeURIComponent('<script>alert(1)</script>')
    const answer = await visit(`${await deny(page, evil)}&error_description=${evil}`)
    expect(answer.status).toBe(502)
    expect(answer.text).not.toMatch(/script/)
    expect((await shown(id)).problem!.code).toBe('consent_failed')
  })

  it('does not take the code of another source', async () => {
    const [one, other] = [await asked('one'), await asked('other')]
    const code = new URL(await allow(other.authorization_url)).searchParams.get('code')
    const back = new URL(await allow(one.authorization_url))
    back.searchParams.set('code', code!)
    expect((await visit(back.href)).status).toBe(502)
    expect(await shown(one.id)).toMatchObject({
      ...{ status: 'pending_consent', problem: { code: 'consent_failed' } },
    })
    expect((await shown(other.id)).problem).toBe(null)
  })

  it.each([
    [{ status: 503, body: '', headers: { 'retry-after': '5' } }, 'consent_failed'],
    [{ status: 200, type: 'text/html', body: '<html>log on</html>' }, 'consent_failed'],
    [{ status: 302, body: '', headers: { location: 'http://evil.example/' } }, 'consent_failed'],
    [{ status: 200, body: '{"access_token":"access-x"' }, 'consent_failed'],
    [{ status: 401, body: '{"error":"invalid_client"}' }, 'client_refused'],
    [{ status: 400, body: '{"error":"<b>","error_description":"<i>"}' }, 'consent_failed'],
  ])('ends where the code cannot be exchanged: %j', async (broken, problem) => {
    const { id, authorization_url: page } = await asked('broken')
    Object.assign(erp, { broken })
    const answer = await visit(await allow(page))
    expect(answer.status).toBe(502)
    expect(answer.text).not.toMatch(/<b>|<i>|access-x/)
    expect((await shown(id)).problem!.code).toBe(problem)
  })
})

describe('the rights of a token', () => {
  it('that nobody asked for are refused, and nothing of it is kept', async () => {
    const { id, authorization_url: page } = await asked('greedy')
    erp.scope = (scope) => `${scope} <b>WRITE</b>`
    const answer = await visit(await allow(page))
    expect(answer.status).toBe(502)
    expect(answer.text).toContain('&lt;b&gt;WRITE&lt;/b&gt;')
    expect(await shown(id)).toMatchObject({
      ...{ status: 'pending_consent', granted_rights: [] },
      problem: { code: 'unexpected_rights', message: expect.stringContaining('WRITE') },
    })
    expect(erp.revoked).toEqual(expect.arrayContaining(erp.secrets.slice(-2)))
    expect(await SELECT.from(Secrets).where({ name: 'tokens', source_ID: +id.slice(4) })).toEqual(
      [],
    )
    expect(errorOf(await post(`/sources/${id}/sync`, { mode: 'full' })).code).toBe(
      'source_not_connected',
    )
  })

  it('that are missing are shown with those needed', async () => {
    const { id, authorization_url: page } = await asked('modest')
    erp.scope = () => SCOPES[0]!
    expect((await visit(await allow(page))).text).toContain(
      `Rights that are needed but were not granted: ${SCOPES[1]}`,
    )
    expect(await shown(id)).toMatchObject({
      ...{ status: 'connected', needed_rights: SCOPES, granted_rights: [SCOPES[0]] },
    })
  })

  it('must not be none', async () => {
    const { id, authorization_url: page } = await asked('none')
    erp.scope = () => ''
    await visit(await allow(page))
    expect(await shown(id)).toMatchObject({
      status: 'pending_consent',
      problem: { code: 'no_rights' },
    })
  })
})

describe('connecting again', () => {
  it('takes up the source whose consent came to nothing', async () => {
    const first = await asked('again')
    const page = await begin(first.authorization_url)
    await visit(erp.deny(page))
    const second = await asked('again')
    expect(second).toMatchObject({ id: first.id, status: 'pending_consent', problem: null })
    expect((await visit(erp.allow(page))).status).toBe(400)
    expect((await visit(first.authorization_url)).status).toBe(400)
    expect((await visit(await allow(second.authorization_url))).status).toBe(200)
    expect((await shown(first.id)).status).toBe('connected')
  })

  it('leaves a consent alone that may still be given', async () => {
    const [first, second] = [await asked('open'), await asked('open')]
    expect(second.id).not.toBe(first.id)
    expect((await visit(await allow(first.authorization_url))).status).toBe(200)
  })

  it('of a connected source goes on with the old consent until the new one is there', async () => {
    const { id, authorization_url: page } = await asked('renewed')
    await visit(await allow(page))
    const before = await (await credentialsOf(id)).authorization()
    const { status, json } = await post(`/sources/${id}/consent`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ id, status: 'connected', consent_expires_at: json.expires_at })
    await visit(await deny(json.authorization_url!))
    expect(await shown(id)).toMatchObject({
      status: 'connected',
      problem: { code: 'consent_denied' },
    })
    expect(await (await credentialsOf(id)).authorization()).toBe(before)
    const { json: again } = await post(`/sources/${id}/consent`, { client_secret: CLIENT.secret })
    await visit(await allow(again.authorization_url!))
    expect(await shown(id)).toMatchObject({ status: 'connected', problem: null })
    expect(await (await credentialsOf(id)).authorization()).not.toBe(before)
  })

  it.each([
    ['src_999999', {}, 404, 'source_not_found'],
    [null, { client_secret: '' }, 400, 'invalid_parameter'],
    [null, { password: 'x' }, 400, 'invalid_parameter'],
  ])('is refused for %s with %j', async (id, body, status, code) => {
    const source = id ?? (await asked('strict')).id
    expect(errorOf(await post(`/sources/${source}/consent`, body))).toMatchObject({ status, code })
  })
})

describe('removing a source', () => {
  it('ends its tokens at the ERP and forgets them', async () => {
    const { id, authorization_url: page } = await asked('removed')
    await visit(await allow(page))
    const tokens = erp.secrets.slice(-2)
    expect((await del(`/sources/${id}`)).status).toBe(204)
    expect(erp.revoked).toEqual(expect.arrayContaining(tokens))
    const left = { source_ID: Number(id.slice(4)) }
    expect(await SELECT.from(Secrets).where(left)).toEqual([])
    expect(await SELECT.from(Consents).where(left)).toEqual([])
  })

  it.each([400, 503, 'torn'] as const)(
    'goes on where the ERP does not end them (%s), and says so in the audit log',
    async (revocation) => {
      const { id, authorization_url: page } = await asked(`kept-${revocation}`)
      await visit(await allow(page))
      Object.assign(erp, { revocation })
      expect((await del(`/sources/${id}`)).status).toBe(204)
      Object.assign(erp, { revocation: 200 })
      expect(erp.revoked).not.toEqual(expect.arrayContaining(erp.secrets.slice(-1)))
      expect((await get(`/sources/${id}`)).status).toBe(404)
      const left = { source_ID: Number(id.slice(4)) }
      expect(await SELECT.from(Secrets).where(left)).toEqual([])
      const where = { object: id, action: 'source.removed' }
      const rows = await SELECT.from(AuditLog).where(where)
      expect(rows).toMatchObject([{ detail: 'tokens could not be revoked' }])
    },
  )

  it('while its consent is being given leaves nothing', async () => {
    const { id, authorization_url: page } = await asked('raced')
    const { promise, resolve } = Promise.withResolvers<void>()
    erp.gate = promise
    const calls = erp.calls.length
    const coming = visit(await allow(page))
    await until(async () => erp.calls.length > calls)
    expect((await del(`/sources/${id}`)).status).toBe(204)
    resolve()
    expect((await coming).status).toBe(400)
    expect(erp.revoked).toEqual(expect.arrayContaining(erp.secrets.slice(-2)))
    expect(await SELECT.from(Secrets).where({ source_ID: Number(id.slice(4)) })).toEqual([])
  })
})

it('needs a client', async () => {
  const { client_id: _, client_secret: _s, ...anonymous } = newSource('anonymous')
  const expected = { status: 400, code: 'invalid_parameter', target: 'client_id' }
  expect(errorOf(await post('/sources', anonymous))).toEqual(expected)
  expect(streams.checks).toHaveLength(1)
})
