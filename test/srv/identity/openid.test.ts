// People sign in at an OpenID Connect provider: in a browser, or by access tokens.
import { freePort } from '../../support/free-port.ts'
import { AUDIENCE, CLIENT, IdentityProvider, identityOf } from '../../support/identity-provider.ts'
import { Instance } from '../../support/instance.ts'
import { Visitor } from '../../support/visitor.ts'

let provider: IdentityProvider
let service: Instance
let url = ''

beforeAll(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  provider = await IdentityProvider.start(url)
  const identity = { ...identityOf(provider), locationsClaim: 'restock.locations' }
  service = await Instance.start({
    env: { PORT: String(port), RESTOCK_IDENTITY_CLIENT_SECRET: CLIENT.secret },
    restock: { demo: false, publicUrl: url, ui5: 'built', identity },
  })
})

afterAll(async () => {
  await service?.end()
  await provider.stop()
})

const overview = (headers: Record<string, string> = {}) =>
  fetch(`${url}/odata/v4/buyer/overview()`, { headers })
const bearer = async (claims: object, options = {}) => ({
  Authorization: `Bearer ${await provider.sign({ sub: 'bea', ...claims }, options)}`,
})
const BUYER = { restock: { roles: ['buyers'], locations: ['*'] } }

describe('an access token', () => {
  it('is taken for the person, roles and rows that it names', async () => {
    const answer = await overview(await bearer(BUYER))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ user: 'bea', roles: 'Viewer,Buyer' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    ['of another key', BUYER, { foreign: true }],
    ['that has expired', BUYER, { expires: '-5m' }],
    ['for another audience', { ...BUYER, aud: CLIENT.id }, {}],
    ['of another issuer', { ...BUYER, iss: 'https://evil.example' }, {}],
    ['signed by a shared secret', BUYER, { alg: 'HS256' }],
    ['that is an ID token', { ...BUYER, nonce: 'n' }, {}],
    ["in the name of the service's own work", { ...BUYER, sub: 'system' }, {}],
    ['in the name of a key', { ...BUYER, sub: 'key:0123' }, {}],
    ['without a role', {}, {}],
  ])('%s is refused', async (_what, claims, options) => {
    expect([401, 403]).toContain((await overview(await bearer(claims, options))).status)
  })

  it('unsigned, or no token at all, is refused', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { iss: provider.url, aud: AUDIENCE, sub: 'bea', exp: 9e9, ...BUYER }
    const unsigned = `${part({ alg: 'none' })}.${part(claims)}.`
    for (const Authorization of [`Bearer ${unsigned}`, 'Bearer x', 'Basic YmVhOmJlYQ==']) {
      expect((await overview({ Authorization })).status).toBe(401)
    }
  })

  it('a little ahead of this clock is taken, and times are held otherwise', async () => {
    expect((await overview(await bearer(BUYER, { expires: '-10s' }))).status).toBe(200)
    const nbf = Math.floor(Date.now() / 1000) + 300
    expect((await overview(await bearer({ ...BUYER, nbf }))).status).toBe(401)
  })

  it('sees no rows where a claim names them and is not there', async () => {
    const none = await overview(await bearer({ restock: { roles: ['buyers'] } }))
    expect(await none.json()).toMatchObject({ pending: 0, blocked: 0 })
  })

  it('of the next key is taken after a rotation; keys are not asked for at each call', async () => {
    const before = provider.asked.filter((path) => path === '/jwks').length
    for (let call = 0; call < 5; call++) await overview(await bearer(BUYER))
    expect(provider.asked.filter((path) => path === '/jwks')).toHaveLength(before)
    await provider.rotate()
    await new Promise((done) => setTimeout(done, 5_500))
    expect((await overview(await bearer(BUYER))).status).toBe(200)
  })
})

describe('a browser', () => {
  it('is led to the provider and back to the page that it asked for', async () => {
    const visitor = new Visitor()
    const { url: reached } = await visitor.signIn(`${url}/apps/buyer/index.html?view=due`, 'bea')
    expect(reached).toBe(`${url}/apps/buyer/index.html?view=due`)
    const answer = await visitor.go(`${url}/odata/v4/buyer/overview()`)
    expect(await answer.json()).toMatchObject({ user: 'bea', roles: 'Viewer,Buyer' })
  })

  it('has a cookie that scripts cannot read and that says nothing', async () => {
    const visitor = new Visitor()
    const lines: string[] = []
    const go = visitor.go.bind(visitor)
    visitor.go = async (address, init) => {
      const response = await go(address, init)
      if (address.startsWith(url)) lines.push(...response.headers.getSetCookie())
      return response
    }
    await visitor.signIn(`${url}/`, 'beatrice')
    const session = lines.find((line) => /^restock=[\w-]{43};/.test(line))!
    expect(session).toMatch(/HttpOnly/)
    expect(session).toMatch(/SameSite=Lax/)
    expect(lines.join()).not.toContain('beatrice')
  })

  it('whose session another site uses changes nothing', async () => {
    const visitor = new Visitor()
    await visitor.signIn(`${url}/`, 'bea')
    const foreign = { method: 'POST', headers: { Origin: 'https://evil.example' } }
    expect((await visitor.go(`${url}/odata/v4/buyer/$batch`, foreign)).status).toBe(403)
    expect((await visitor.go(`${url}/auth/logout`, foreign)).status).toBe(403)
  })

  it('signs out here and at the provider, and its cookie is worth nothing afterwards', async () => {
    const visitor = new Visitor()
    await visitor.signIn(`${url}/`, 'bea')
    const kept = visitor.cookies.get(new URL(url).host)!.get('restock')!
    const answer = await visitor.go(`${url}/auth/logout`, { method: 'POST' })
    const { location } = (await answer.json()) as { location: string }
    expect(location).toMatch(/\/session\/end\?.*id_token_hint=/)
    expect((await overview({ Cookie: `restock=${kept}` })).status).toBe(401)
    expect((await visitor.go(`${url}/odata/v4/buyer/overview()`)).status).toBe(401)
  })

  it('somebody without a role is told so and has no session', async () => {
    const visitor = new Visitor()
    const { page } = await visitor.signIn(`${url}/`, 'nobody')
    expect(page.status).toBe(403)
    expect(await page.text()).toContain('no role')
    expect((await visitor.go(`${url}/odata/v4/buyer/overview()`)).status).toBe(401)
  })

  it.each(['/auth/callback', '/auth/callback?code=x&state=y', '/auth/callback?error=denied'])(
    '%s is refused where nobody asked to sign in',
    async (path) => {
      const answer = await fetch(url + path, { redirect: 'manual' })
      expect(answer.status).toBe(400)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    },
  )

  it('a code for another browser signs nobody in', async () => {
    const [victim, attacker] = [new Visitor(), new Visitor()]
    await victim.open(`${url}/auth/login`)
    const go = attacker.go.bind(attacker)
    let stolen = ''
    attacker.go = async (address, init) => {
      if (!address.includes('/auth/callback')) return go(address, init)
      stolen = address
      return new Response('', { status: 200 })
    }
    await attacker.signIn(`${url}/`, 'bea')
    const answer = await victim.go(stolen)
    expect(answer.status).toBe(502)
    expect((await victim.go(`${url}/odata/v4/buyer/overview()`)).status).toBe(401)
  })

  it.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', '/%5Cevil.example'])(
    'is never led elsewhere: %s',
    async (to) => {
      const visitor = new Visitor()
      const { url: reached } = await visitor.signIn(
        `${url}/auth/login?to=${encodeURIComponent(to)}`,
        'bea',
      )
      expect(new URL(reached).origin).toBe(url)
    },
  )
})

it('nothing secret of all this is in the log', () => {
  expect(service.log).not.toMatch(/eyJ|code=|state=|YmVhOmJlYQ/)
  expect(service.log).not.toContain(CLIENT.secret)
})
