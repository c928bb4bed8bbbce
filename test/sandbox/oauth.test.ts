import { createHash } from 'node:crypto'
import { CLIENT, SCOPES, startErp } from '../../sandbox/index.ts'
import { get } from './client.ts'
import type { Erp } from '../../sandbox/index.ts'

let erp: Erp
beforeEach(async () => {
  erp = await startErp({ size: 20, days: 10 })
})
afterEach(() => erp.close())

const REDIRECT = 'http://localhost:4004/oauth/callback'
const PRODUCTS = 'API_PRODUCT_SRV/A_Product?$top=1'
const scope = SCOPES.API_PRODUCT_SRV!

const authorizeUrl = (more: Record<string, string> = {}) =>
  `${erp.url}/sap/bc/sec/oauth2/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT.id,
    redirect_uri: REDIRECT,
    scope,
    state: 'some state',
    ...more,
  })}`

/** Looks at the consent page and presses a button of it. */
async function press(decision: 'allow' | 'deny', more?: Record<string, string>) {
  const page = await (await fetch(authorizeUrl(more))).text()
  const transaction = /name="transaction" value="([^"]+)"/.exec(page)![1]!
  const response = await fetch(`${erp.url}/sap/bc/sec/oauth2/authorize`, {
    method: 'POST',
    body: new URLSearchParams({ transaction, decision }),
    redirect: 'manual',
  })
  return { page, target: new URL(response.headers.get('location')!) }
}

async function token(body: Record<string, string>, authorization = erp.basic) {
  const response = await fetch(`${erp.url}/sap/bc/sec/oauth2/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const redeem = (code: string, more: Record<string, string> = {}) =>
  token({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, ...more })

const read = (accessToken: string) =>
  get(erp, PRODUCTS, { authorization: `Bearer ${accessToken}` }).then(({ status }) => status)

it('asks the user, naming him and the scopes, and gives a code with the state', async () => {
  const { page, target } = await press('allow')
  expect(page).toContain(CLIENT.user)
  expect(page).toContain(scope)
  expect(target.origin + target.pathname).toBe(REDIRECT)
  expect(target.searchParams.get('state')).toBe('some state')
  const { body } = await redeem(target.searchParams.get('code')!)
  expect(body).toMatchObject({ token_type: 'Bearer', scope, expires_in: 3600 })
  expect(await read(body.access_token!)).toBe(200)
})

it('says when the user denies', async () => {
  const { target } = await press('deny')
  expect(target.searchParams.get('error')).toBe('access_denied')
})

it('redirects only where it may', async () => {
  const response = await fetch(authorizeUrl({ redirect_uri: 'https://evil.example/' }))
  expect(response.status).toBe(400)
})

it('takes a code once, and only from the client', async () => {
  const { target } = await press('allow')
  const code = target.searchParams.get('code')!
  expect((await token({ grant_type: 'authorization_code', code }, 'Basic eA==')).status).toBe(401)
  expect((await redeem(code)).status).toBe(200)
  expect(await redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

it('verifies PKCE where it is required', async () => {
  erp.control.set({ pkce: 'required' })
  const without = await fetch(authorizeUrl(), { redirect: 'manual' })
  expect(without.headers.get('location')).toContain('error=invalid_request')
  const verifier = 'v'.repeat(50)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const more = { code_challenge, code_challenge_method: 'S256' }
  const wrong = await press('allow', more)
  const refused = await redeem(wrong.target.searchParams.get('code')!, { code_verifier: 'other' })
  expect(refused.status).toBe(400)
  const right = await press('allow', more)
  const code = right.target.searchParams.get('code')!
  expect((await redeem(code, { code_verifier: verifier })).status).toBe(200)
  const lost = await press('allow', more)
  expect((await redeem(lost.target.searchParams.get('code')!)).status).toBe(400)
  erp.control.set({ pkce: 'accepted' })
  const stripped = await press('allow')
  const proven = { code_verifier: verifier }
  expect((await redeem(stripped.target.searchParams.get('code')!, proven)).status).toBe(400)
})

it('names itself, or another server, where it is told to', async () => {
  const named = async () => (await press('allow')).target.searchParams.get('iss')
  expect(await named()).toBe(null)
  erp.control.set({ issuer: 'own' })
  expect(await named()).toBe(erp.url)
  erp.control.set({ issuer: 'other' })
  expect(await named()).toBe('https://another.example')
})

it('rotates refresh tokens, or keeps them', async () => {
  const refresh = (refresh_token: string) => token({ grant_type: 'refresh_token', refresh_token })
  const { target } = await press('allow')
  const first = await redeem(target.searchParams.get('code')!)
  const second = await refresh(first.body.refresh_token!)
  expect(second.body.refresh_token).not.toBe(first.body.refresh_token)
  expect((await refresh(first.body.refresh_token!)).status).toBe(400)
  erp.control.set({ rotateRefresh: false })
  const third = await refresh(second.body.refresh_token!)
  expect(third.body.refresh_token).toBe(second.body.refresh_token)
  erp.control.set({ refreshRefused: true })
  expect(await refresh(second.body.refresh_token!)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  })
})

it('grants other scopes than were asked for', async () => {
  erp.control.set({ consent: 'allow', grantExtra: ['API_OTHER_0001'], grantWithout: [scope] })
  const response = await fetch(authorizeUrl(), { redirect: 'manual' })
  const code = new URL(response.headers.get('location')!).searchParams.get('code')!
  const { body } = await redeem(code)
  expect(body.scope).toBe('API_OTHER_0001')
  expect(await read(body.access_token!)).toBe(403)
})

it('knows client credentials and the communication user, where they are allowed', async () => {
  const { body } = await token({ grant_type: 'client_credentials', scope })
  expect(body).not.toHaveProperty('refresh_token')
  expect(await read(body.access_token!)).toBe(200)
  expect((await get(erp, PRODUCTS)).status).toBe(200)
  erp.control.set({ auth: ['authorization_code'] })
  expect((await token({ grant_type: 'client_credentials' })).status).toBe(400)
  expect((await get(erp, PRODUCTS)).status).toBe(401)
})

it('ends access tokens by their time and by command', async () => {
  const credentials = { grant_type: 'client_credentials' }
  erp.control.set({ tokenSeconds: 0 })
  const short = await token(credentials)
  expect(await read(short.body.access_token!)).toBe(401)
  erp.control.set({ tokenSeconds: 60 })
  const long = await token(credentials)
  erp.control.expireTokens()
  expect(await read(long.body.access_token!)).toBe(401)
})
