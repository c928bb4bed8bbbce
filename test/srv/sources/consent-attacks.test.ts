// Who has stolen an address, or sends one to somebody else, attaches nothing.
import cds from '@sap/cds'
import { settings } from '../../../srv/base/settings/config.ts'
import { readSecret, storeSecret } from '../../../srv/base/database/secrets/vault.ts'
import { Visitor } from '../../support/visitor.ts'
import { get, post } from '../v1/api.ts'
import {
  allow,
  begin,
  codePlan,
  deny,
  erp,
  newSource,
  useConsent,
  visit,
} from './consent-adapter.ts'

const plan: { issuer?: string } = {}

beforeAll(() => useConsent((url) => ({ ...codePlan()(url), ...plan })))
afterAll(() => erp.close())

async function asked(account: string) {
  const { json } = await post('/sources', newSource(account))
  return { id: json.id, source: Number(json.id.slice(4)), page: json.authorization_url! }
}
const shown = async (id: string) => (await get(`/sources/${id}`)).json
const exchanges = () =>
  erp.calls.filter((call) => call.get('grant_type') === 'authorization_code').length

/** Nothing came of it, and the code was not sent anywhere. */
async function expectNothing(id: string, calls: number) {
  expect(await shown(id)).toMatchObject({ status: 'pending_consent', granted_rights: [] })
  expect(exchanges()).toBe(calls)
}

describe('the browser that begins a consent', () => {
  it('is given a cookie that scripts and other sites do not get', async () => {
    const { source, page } = await asked('cookie')
    const { status, headers } = await new Visitor().go(page)
    expect(status).toBe(302)
    expect(headers.get('location')).toContain(`${erp.url}/authorize?`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    const [cookie, ...more] = headers.getSetCookie()
    expect(more).toEqual([])
    const [pair, ...attributes] = cookie!.split('; ')
    expect(pair).toMatch(new RegExp(`^restock-consent-${source}=[\\w-]{43}$`))
    expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Path=/']))
    const seconds = Number(/Max-Age=(\d+)/.exec(cookie!)![1])
    expect(seconds).toBeGreaterThan(500)
    expect(seconds).toBeLessThanOrEqual(600)
  })

  it('behind TLS is given one of this very host', async () => {
    const before = settings()
    cds.env.restock = { ...before, publicUrl: 'https://restock.example' } as never
    try {
      const { source, page } = await asked('tls')
      expect(page).toMatch(/^https:\/\/restock\.example\/oauth\/authorize\?ticket=[\w-]{43}$/)
      const [cookie] = (await visit(page, new Visitor())).headers.getSetCookie()
      expect(cookie).toContain(`__Host-restock-consent-${source}=`)
      expect(cookie).toContain('; Secure')
    } finally {
      cds.env.restock = before as never
    }
  })

  it('may open the page again, and another one may not', async () => {
    const { id, page } = await asked('again')
    const [own, other] = [new Visitor(), new Visitor()]
    const to = await begin(page, own)
    expect(await begin(page, own)).toBe(to)
    const refused = await visit(page, other)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('begun in another browser')
    expect(other.cookies.get(new URL(page).host)!.size).toBe(0)
    expect((await visit(erp.allow(to), own)).status).toBe(200)
    expect((await shown(id)).status).toBe('connected')
  })

  it('is one of several that open the page at once', async () => {
    const { page } = await asked('raced')
    const answers = await Promise.all(Array.from({ length: 5 }, () => new Visitor().go(page)))
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 403, 403, 403, 403])
  })

  it('may be in the middle of two consents', async () => {
    const [one, other] = [await asked('one'), await asked('other')]
    const [first, second] = [await allow(one.page), await allow(other.page)]
    expect((await visit(first)).status).toBe(200)
    expect((await visit(second)).status).toBe(200)
  })

  it('that comes by a link of another site is asked first', async () => {
    const { page } = await asked('sent')
    const visitor = new Visitor()
    const from = (site: string) => visitor.go(page, { headers: { 'Sec-Fetch-Site': site } })
    const answer = await from('cross-site')
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([])
    const text = await answer.text()
    expect(text).toContain('read sent')
    expect(text).toContain(`href="${page.slice(new URL(page).origin.length)}"`)
    expect((await from('same-origin')).status).toBe(302)
  })

  it.each([
    ['', 400],
    ['?ticket=', 400],
    ['?ticket=forged', 400],
    ['?ticket=a&ticket=b', 400],
    [`?ticket=${'x'.repeat(8000)}`, 400],
    ['?ticket=<script>alert(1)</script>', 400],
  ])('is led nowhere by what nobody asked for (%#)', async (query, status) => {
    const answer = await visit(`http://x/oauth/authorize${query}`)
    expect(answer.status).toBe(status)
    expect(answer.text).not.toMatch(/<script|forged/)
  })

  it('is not the one that only looks at the address', async () => {
    const { page } = await asked('looked')
    const head = await fetch(page, { method: 'HEAD', redirect: 'manual' })
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
    expect((await new Visitor().go(page)).status).toBe(302)
  })
})

describe('a callback', () => {
  it('in another browser attaches nothing, and the right one goes on', async () => {
    const { id, page } = await asked('stolen')
    const back = await allow(page)
    const calls = exchanges()
    const thief = new Visitor()
    const answer = await visit(back, thief)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('begun in another browser')
    await expectNothing(id, calls)
    // Not even with a consent of its own under way, nor with made-up cookies.
    const { source, page: own } = await asked('of the thief')
    await begin(own, thief)
    expect((await visit(back, thief)).status).toBe(403)
    for (const value of ['x', '%', 'a'.repeat(43), ''])
      expect(await withCookie(back, `restock-consent-${id.slice(4)}=${value}`)).toBe(403)
    const jar = thief.cookies.get(new URL(own).host)!
    const cookie = jar.get(`restock-consent-${source}`)!
    expect(await withCookie(back, `restock-consent-${id.slice(4)}=${cookie}`)).toBe(403)
    await expectNothing(id, calls)
    expect((await visit(back)).status).toBe(200)
    expect((await shown(id)).status).toBe('connected')
  })

  it('of a consent that no browser has begun attaches nothing', async () => {
    // Somebody who has read the ERP's address in a network's log, say, and consents with an account of their own.
    const { id, source } = await asked('skipped')
    const { url } = JSON.parse((await readSecret(source, 'consent'))!.text) as { url: string }
    const calls = exchanges()
    expect((await visit(erp.allow(url), new Visitor())).status).toBe(403)
    await expectNothing(id, calls)
  })

  it('that is replayed attaches nothing, whoever replays it', async () => {
    const { page } = await asked('replayed')
    const back = await allow(page)
    expect((await visit(back)).status).toBe(200)
    const calls = exchanges()
    expect((await visit(back)).status).toBe(410)
    expect((await visit(back, new Visitor())).status).toBe(410)
    expect(exchanges()).toBe(calls)
  })

  it('takes the cookie away once it is used', async () => {
    const { source, page } = await asked('tidy')
    const visitor = new Visitor()
    const back = await allow(page, visitor)
    const jar = visitor.cookies.get(new URL(page).host)!
    expect(jar.has(`restock-consent-${source}`)).toBe(true)
    await visit(back, visitor)
    expect(jar.has(`restock-consent-${source}`)).toBe(false)
  })

  it('with the state of another source attaches nothing to it', async () => {
    const [own, other] = [await asked('own'), await asked('of another')]
    const [mine, theirs] = [new Visitor(), new Visitor()]
    const back = new URL(await allow(own.page, mine))
    const state = new URL(await begin(other.page, theirs)).searchParams.get('state')!
    back.searchParams.set('state', state)
    const calls = exchanges()
    expect((await visit(back.href, mine)).status).toBe(403)
    await expectNothing(other.id, calls)
    await expectNothing(own.id, calls)
  })

  it('with a code that was injected attaches nothing: its proof is another one', async () => {
    const { id, page } = await asked('injected')
    const attacker = await asked('attacker')
    const code = new URL(await allow(attacker.page, new Visitor())).searchParams.get('code')!
    const back = new URL(await allow(page))
    back.searchParams.set('code', code)
    expect((await visit(back.href)).status).toBe(502)
    expect(await shown(id)).toMatchObject({
      ...{ status: 'pending_consent', problem: { code: 'consent_failed' } },
    })
  })

  it.each([
    ['is lost', (secret: object) => ({ ...secret, verifier: null })],
    ['is another one', (secret: object) => ({ ...secret, verifier: 'v'.repeat(43) })],
  ])('whose proof %s attaches nothing', async (what, broken) => {
    const { id, source, page } = await asked(`proof ${what}`)
    const back = await allow(page)
    const secret = JSON.parse((await readSecret(source, 'consent'))!.text) as object
    await storeSecret(source, 'consent', JSON.stringify(broken(secret)))
    const calls = exchanges()
    expect((await visit(back)).status).toBe(502)
    expect(await shown(id)).toMatchObject({
      ...{ status: 'pending_consent', problem: { code: 'consent_failed' } },
    })
    expect(exchanges() - calls).toBe(what === 'is lost' ? 0 : 1)
  })
})

describe('an answer that names its server', () => {
  afterEach(() => delete plan.issuer)
  const withIssuer = (back: string, issuer: string) => {
    const url = new URL(back)
    url.searchParams.append('iss', issuer)
    return url.href
  }

  it('is taken from the one that was asked', async () => {
    const { id, page } = await asked('named')
    expect((await visit(withIssuer(await allow(page), `${erp.url}/oauth2`))).status).toBe(200)
    expect((await shown(id)).status).toBe('connected')
  })

  it.each([
    ['https://evil.example', 'another host'],
    ['http://127.0.0.1:1', 'another port'],
    ['AT.evil.example', 'a longer host'],
    ['AT@evil.example', 'a name before the host'],
    ['urn:evil', 'no address'],
    ['::', 'no URL'],
  ])('is not taken from %s (%s): its code goes nowhere', async (issuer) => {
    const { id, page } = await asked(`mixed up ${issuer}`)
    const back = withIssuer(await allow(page), issuer.replace('AT', erp.url))
    const calls = exchanges()
    const answer = await visit(back)
    expect(answer.status).toBe(502)
    expect(answer.text).not.toContain('evil')
    await expectNothing(id, calls)
    expect((await shown(id)).problem).toMatchObject({ code: 'issuer_mismatch' })
    expect((await visit(back)).status).toBe(410)
  })

  it('is not believed from another one where it says that the consent was denied', async () => {
    const { id, page } = await asked('denied elsewhere')
    await visit(withIssuer(await deny(page), 'https://evil.example'))
    expect((await shown(id)).problem).toMatchObject({ code: 'issuer_mismatch' })
  })

  it('is malformed where it names two', async () => {
    const { id, page } = await asked('two names')
    const back = withIssuer(await allow(page), erp.url)
    expect((await visit(withIssuer(back, 'https://evil.example'))).status).toBe(400)
    expect((await visit(back)).status).toBe(200)
    expect((await shown(id)).status).toBe('connected')
  })

  it('is held against the name that is known, letter by letter', async () => {
    plan.issuer = 'https://issuer.example/erp'
    const [one, other] = [await asked('known'), await asked('nearly known')]
    expect((await visit(withIssuer(await allow(one.page), plan.issuer))).status).toBe(200)
    expect((await visit(withIssuer(await allow(other.page), `${plan.issuer}/`))).status).toBe(502)
  })
})

async function withCookie(address: string, cookie: string) {
  const { status } = await fetch(address, { headers: { cookie } })
  return status
}
