// The ways into the sandbox ERP that need no browser, each up to a sync; the browser's: test/journeys.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import cds from '@sap/cds'
import { CLIENT, type Erp, startErp } from '../../../sandbox/index.ts'
import { sync } from '../../support/server.ts'
import { errorOf, post } from '../v1/api.ts'

let erp: Erp
let destinations: Server

beforeAll(async () => {
  erp = await startErp({ size: 12, days: 8 })
  destinations = createServer((request, response) => {
    const found = {
      destinationConfiguration: { Type: 'HTTP', ProxyType: 'Internet', URL: erp.url },
      authTokens: [{ http_header: { key: 'Authorization', value: erp.basic } }],
    }
    const token = { access_token: 'x', token_type: 'bearer' }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(request.method === 'POST' ? token : found))
  })
  await new Promise<void>((done) => destinations.listen(0, '127.0.0.1', done))
  const uri = `http://127.0.0.1:${(destinations.address() as AddressInfo).port}`
  const credentials = { clientid: 'c', clientsecret: 's', url: uri, uri }
  Object.assign(cds.env.requires, { destinations: { credentials } })
})
afterAll(async () => {
  destinations.closeAllConnections()
  await new Promise((done) => destinations.close(done))
  await erp.close()
})
afterEach(() => erp.control.set({ forbidden: [], tokenSeconds: 3600, tokenGraceSeconds: 0 }))

const wish = (options: object, client = {}) => ({
  ...{ type: 's4hana', account: erp.url, role: 'Z_RESTOCK_READ', options },
  ...{ client_id: CLIENT.id, client_secret: CLIENT.secret, ...client },
})

it.each([[{ auth: 'basic' }], [{ auth: 'client_credentials' }], [{ destination: 'erp' }]])(
  'connects and reads with %j',
  async (options) => {
    const { status, json } = await post('/sources', wish(options))
    expect({ status, now: json.status }).toEqual({ status: 201, now: 'connected' })
    expect(json.granted_rights).toEqual(json.needed_rights)
    const streams: { status: string }[] = json.streams
    // Reservations, planned requirements, batches and drafts are tried where no scope has to be asked for.
    const count = 'auth' in options && options.auth === 'basic' ? 13 : 9
    expect(streams.map(({ status }) => status)).toEqual(Array(count).fill('ok'))
    expect(await sync(Number(json.id.slice(4)), 'full')).toMatchObject({
      ...{ status: 'succeeded', issues: [] },
    })
  },
)

it('renews client credentials while it reads', async () => {
  erp.control.set({ tokenSeconds: 0, tokenGraceSeconds: 3600 })
  const { json } = await post('/sources', wish({ auth: 'client_credentials' }))
  const asked = () => erp.log.filter(({ path }) => path.endsWith('/token')).length
  const before = asked()
  expect(await sync(Number(json.id.slice(4)), 'full')).toMatchObject({
    ...{ status: 'succeeded', issues: [] },
  })
  expect(asked()).toBeGreaterThan(before + 1)
})

it.each(['basic', 'client_credentials'])('refuses the wrong secret of %s', async (auth) => {
  const tries = erp.log.length
  const answer = await post('/sources', wish({ auth }, { client_secret: 'guess-4711' }))
  expect(errorOf(answer)).toEqual({
    ...{ status: 400, code: 'invalid_parameter', target: 'client_secret' },
  })
  expect(answer.text).not.toContain('guess-4711')
  // A user is locked after a few wrong passwords.
  expect(erp.log.length - tries).toBeLessThanOrEqual(4)
})

it('refuses an address at which nothing is found', async () => {
  const account = `${erp.url}/elsewhere`
  const answer = await post('/sources', { ...wish({ auth: 'basic' }), account })
  expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target: 'account' })
  expect(answer.text).toContain('nothing that is read is at this address')
})

it('reports which streams are forbidden', async () => {
  erp.control.set({ forbidden: ['API_MATERIAL_STOCK_SRV'] })
  const { json } = await post('/sources', wish({ auth: 'basic', history_days: 30 }))
  expect(json.status).toBe('connected')
  expect(json.streams).toContainEqual({
    ...{ stream: 'stock', status: 'forbidden', message: expect.any(String) },
  })
})
