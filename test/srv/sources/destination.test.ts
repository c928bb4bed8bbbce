import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import cds from '@sap/cds'
import { Secrets } from '../../../srv/base/database/entities.ts'
import { errorOf, get, post } from '../v1/api.ts'
import { codePlan, credentialsOf, erp, newSource, streams, useConsent } from './consent-adapter.ts'
import { CLIENT } from './oauth-server.ts'

type Found = Record<string, unknown> | number

const requires = cds.env.requires as Record<string, unknown>
const found: Record<string, Found> = {}
const seen: { path: string; authorization: string | undefined }[] = []
let service: Server
let uri: string

/** As SAP documents "find destination": the configuration, and tokens for it. */
const destination = (header: string | null, configuration = {}) => ({
  owner: { SubaccountId: 'sub', InstanceId: null },
  destinationConfiguration: {
    ...{ Name: 'erp', Type: 'HTTP', URL: erp.url, ProxyType: 'Internet', ...configuration },
    ...{ Authentication: 'BasicAuthentication', User: 'U', Password: 'destination-password' },
  },
  authTokens: header
    ? [{ type: 'Basic', value: 'x', http_header: { key: 'Authorization', value: header } }]
    : [],
})

beforeAll(async () => {
  await useConsent(codePlan())
  service = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://x')
    seen.push({ path: pathname, authorization: request.headers.authorization })
    const answer = found[decodeURIComponent(pathname.split('/').at(-1)!)] ?? 404
    response.writeHead(typeof answer === 'number' ? answer : 200, {
      'content-type': 'application/json',
    })
    response.end(JSON.stringify(typeof answer === 'number' ? {} : answer))
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  uri = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  found.token = { access_token: 'service-token', token_type: 'bearer', expires_in: 60 }
  requires.destinations = {
    credentials: { clientid: CLIENT.id, clientsecret: CLIENT.secret, url: uri, uri },
  }
})
afterAll(async () => {
  service.closeAllConnections()
  await new Promise((done) => service.close(done))
  await erp.close()
})

const wish = (account: string, name: unknown = 'erp') => {
  const { type, role } = newSource(account)
  return { type, account, role, options: { destination: name } }
}

describe('a destination', () => {
  it('opens a source at once, and its token is asked for anew when it is refused', async () => {
    found.erp = destination('Basic one')
    const { status, json } = await post('/sources', wish('opened'))
    expect(status).toBe(201)
    expect(json).toMatchObject({ status: 'connected', base_url: erp.url, authorization_url: null })
    const credentials = await credentialsOf(json.id)
    const asked = seen.length
    expect(await credentials.authorization()).toBe('Basic one')
    expect(await credentials.authorization()).toBe('Basic one')
    expect(seen.slice(asked)).toEqual([
      { path: '/oauth/token', authorization: expect.stringMatching(/^Basic /) },
      {
        path: '/destination-configuration/v1/destinations/erp',
        authorization: 'Bearer service-token',
      },
    ])
    found.erp = destination('Basic two')
    expect(await credentials.authorization('Basic one')).toBe('Basic two')
    await expect(credentials.authorization('Basic two')).rejects.toMatchObject({
      code: 'reconsent_required',
    })
    expect((await get(`/sources/${json.id}`)).json).toMatchObject({
      ...{ status: 'reconsent_required', problem: { code: 'destination_refused' } },
    })
    expect((await post('/sources', wish('opened'))).json).toMatchObject({
      ...{ id: json.id, status: 'connected' },
    })
    expect(await cds.ql.SELECT.from(Secrets)).toEqual([])
  })

  it('that points elsewhere by now is not believed', async () => {
    found.moved = destination('Basic one')
    const { json } = await post('/sources', wish('moved', 'moved'))
    found.moved = destination('Basic one', { URL: 'https://other.example' })
    await expect((await credentialsOf(json.id)).authorization()).rejects.toMatchObject({
      code: 'destination_moved',
    })
  })

  it.each([
    ['there is none', () => 404],
    ['of the cloud connector', () => destination('Basic one', { ProxyType: 'OnPremise' })],
    ['for RFC', () => destination('Basic one', { Type: 'RFC' })],
    ['without authentication', () => destination(null)],
    [
      'whose token failed',
      () => ({
        ...destination(null),
        authTokens: [{ error: 'secret-detail destination-password' }],
      }),
    ],
  ])('is refused: %s', async (_, answer) => {
    found.bad = answer()
    const reply = await post('/sources', wish('bad', 'bad'))
    expect(errorOf(reply)).toEqual({
      ...{ status: 400, code: 'invalid_parameter', target: 'options.destination' },
    })
    expect(reply.text).not.toMatch(/secret-detail|destination-password/)
  })

  it.each([[500], [503], [302]])(
    'is asked for later where its service answers %s',
    async (status) => {
      found.later = status
      expect(errorOf(await post('/sources', wish('later', 'later'))).code).toBe(
        'source_unavailable',
      )
    },
  )

  it('that the ERP refuses is refused', async () => {
    found.erp = destination('Basic one')
    streams.checks = 401
    expect(errorOf(await post('/sources', wish('refused'))).target).toBe('options.destination')
    streams.checks = [{ record: 'demand', status: 'ok', message: null }]
  })

  it.each([[''], ['a/b'], ['../x'], [5]])('has a name that can be one: %j', async (name) => {
    expect(errorOf(await post('/sources', wish('named', name)))).toMatchObject({
      ...{ status: 400, target: 'options.destination' },
    })
  })

  it('needs the service that knows it', async () => {
    const bound = requires.destinations
    requires.destinations = true
    expect(errorOf(await post('/sources', wish('unbound')))).toMatchObject({
      ...{ status: 400, target: 'options.destination' },
    })
    requires.destinations = bound
  })
})
