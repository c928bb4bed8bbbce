// How long a session holds what the provider said: roles are read again, and who signs out at the provider is signed out here.
import { freePort } from '../../support/free-port.ts'
import { CLIENT, IdentityProvider, identityOf } from '../../support/identity-provider.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'
import { runStatement } from '../../support/statement.ts'
import { Visitor } from '../../support/visitor.ts'

let provider: IdentityProvider
let url = ''
const instances: Instance[] = []

/** @param count one instance, or a second one that has not seen what the first one did */
async function start(refreshes: boolean, count: 1 | 2) {
  const port = await freePort()
  url = `http://localhost:${port}`
  provider = await IdentityProvider.start(url, { refreshes })
  const restock = { demo: false, publicUrl: url, ui5: 'built', identity: identityOf(provider) }
  const env = { RESTOCK_IDENTITY_CLIENT_SECRET: CLIENT.secret }
  instances.push(await Instance.start({ env: { ...env, PORT: String(port) }, restock }))
  if (count === 2) instances.push(await Instance.start({ env, restock }))
}

async function stop() {
  for (const instance of instances.splice(0)) await instance.end()
  await provider.stop()
}

const PAGE = '/apps/buyer/index.html'

async function signIn(person: string) {
  const visitor = new Visitor()
  await visitor.signIn(url + PAGE, person)
  return visitor
}

const cookieOf = (visitor: Visitor) =>
  `restock=${visitor.cookies.get(new URL(url).host)!.get('restock')}`

/** What each instance answers a browser. */
async function looks(visitor: Visitor) {
  const headers = { Cookie: cookieOf(visitor) }
  const answers = instances.map(async (instance) => {
    const answer = await fetch(`http://localhost:${instance.port}/odata/v4/buyer/overview()`, {
      headers,
    })
    const { roles = '' } = (await answer.json().catch(() => ({}))) as { roles?: string }
    return answer.status === 200 ? roles : answer.status
  })
  return Promise.all(answers)
}

const everywhere = (what: string | number) => instances.map(() => what)

/** As if the provider had said so long ago who has which roles. */
const readBefore = (minutes: number) =>
  runStatement(
    `UPDATE restock_Sessions SET readAt = '${new Date(Date.now() - minutes * 60_000).toISOString()}', askedUntil = NULL`,
  )

const tokensAsked = () => provider.asked.filter((path) => path === '/token').length

afterEach(() => {
  provider.isAway = false
  provider.people.bea = { restock: { roles: ['buyers'] } }
})

describe('with refresh tokens', () => {
  beforeAll(() => start(true, 2))
  afterAll(stop)

  it('roles that change at the provider change here, and the provider is asked once', async () => {
    const visitor = await signIn('bea')
    provider.people.bea = { restock: { roles: ['admins'] } }
    expect(await looks(visitor)).toEqual(everywhere('Viewer,Buyer'))
    await readBefore(20)
    const asked = tokensAsked()
    await Promise.all([looks(visitor), looks(visitor), looks(visitor)])
    await until(async () => (await looks(visitor)).every((roles) => roles === 'Viewer,Admin'))
    expect(tokensAsked()).toBe(asked + 1)
  })

  it('whose roles were all taken away is signed out', async () => {
    const visitor = await signIn('bea')
    provider.people.bea = {}
    await readBefore(20)
    await looks(visitor)
    await until(async () => (await looks(visitor)).every((status) => status === 401))
  })

  it('a provider that is away is waited for, until an hour after it was last asked', async () => {
    const visitor = await signIn('bea')
    provider.isAway = true
    await readBefore(59)
    expect(await looks(visitor)).toEqual(everywhere('Viewer,Buyer'))
    await readBefore(61)
    expect(await looks(visitor)).toEqual(everywhere(401))
  })

  /** At the provider itself, whose page asks once more. */
  async function signOutAtProvider(visitor: Visitor) {
    const asked = await visitor.go(`${provider.url}/session/end`)
    const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(await asked.text())!
    const body = new URLSearchParams({ xsrf: xsrf!, logout: 'yes' })
    await visitor.go(`${provider.url}/session/end/confirm`, { method: 'POST', body })
  }

  it('who signs out at the provider is signed out here; another browser is not', async () => {
    const [visitor, other] = [await signIn('bea'), await signIn('bea')]
    await signOutAtProvider(visitor)
    await until(async () => (await looks(visitor)).every((status) => status === 401))
    expect(await looks(other)).toEqual(everywhere('Viewer,Buyer'))
  })

  it('whose session at the provider has ended is signed out once it is asked', async () => {
    const visitor = await signIn('lia')
    const cookie = visitor.cookies.get(new URL(url).host)!
    const kept = cookie.get('restock')!
    // Nothing is told to us.
    await runStatement("UPDATE restock_Sessions SET providerSession = 'x', subject = 'x'")
    await signOutAtProvider(visitor)
    cookie.set('restock', kept)
    expect(await looks(visitor)).toEqual(everywhere('Viewer,Buyer'))
    await readBefore(20)
    await looks(visitor)
    await until(async () => (await looks(visitor)).every((status) => status === 401))
  })

  describe('a logout token', () => {
    const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const good = { aud: CLIENT.id, sub: 'ada', jti: 'j', events: EVENTS }
    const send = (token?: string) =>
      fetch(`${url}/auth/backchannel-logout`, {
        method: 'POST',
        body: new URLSearchParams(token === undefined ? {} : { logout_token: token }),
      })

    let signedIn: Visitor
    beforeAll(async () => void (signedIn = await signIn('ada')))

    it.each([
      ['of another key', good, { foreign: true }],
      ['by a shared secret', good, { alg: 'HS256' }],
      ['for another client', { ...good, aud: 'other' }, {}],
      ['of another issuer', { ...good, iss: 'https://evil.example' }, {}],
      ['that has expired', good, { expires: '-5m' }],
      ['with a nonce, such as an ID token', { ...good, nonce: 'n' }, {}],
      ['without its event', { ...good, events: {} }, {}],
      ['with another event', { ...good, events: { 'https://other': {} } }, {}],
      ['that names nobody', { ...good, sub: undefined }, {}],
      ['without a jti', { ...good, jti: undefined }, {}],
    ])('%s is refused', async (_what, claims, options) => {
      const answer = await send(await provider.sign(claims, options))
      expect(answer.status).toBe(400)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await looks(signedIn)).toEqual(everywhere('Viewer,Admin'))
    })

    it.each(['', 'x', 'a.b.c', undefined])('that is none is refused: %s', async (token) => {
      expect((await send(token)).status).toBe(400)
    })

    it('of a person ends all the sessions of that one', async () => {
      const [visitor, again, other] = [
        await signIn('ada'),
        await signIn('ada'),
        await signIn('lia'),
      ]
      expect((await send(await provider.sign(good))).status).toBe(200)
      expect(await looks(visitor)).toEqual(everywhere(401))
      expect(await looks(again)).toEqual(everywhere(401))
      expect(await looks(other)).toEqual(everywhere('Viewer,Buyer'))
    })
  })
})

describe('without refresh tokens', () => {
  beforeAll(() => start(false, 1))
  afterAll(stop)

  it('a session ends after an hour, and a page leads through the provider to a new one', async () => {
    const visitor = await signIn('bea')
    await readBefore(59)
    expect(await looks(visitor)).toEqual(everywhere('Viewer,Buyer'))
    provider.people.bea = { restock: { roles: ['admins'] } }
    await readBefore(61)
    expect(await looks(visitor)).toEqual(everywhere(401))
    const { url: reached } = await visitor.open(url + PAGE)
    expect(reached).toBe(url + PAGE)
    expect(await looks(visitor)).toEqual(everywhere('Viewer,Admin'))
  })
})
