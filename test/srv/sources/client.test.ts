import { Retriable } from '../../../adapters/errors.ts'
import { errorOf, get, post } from '../v1/api.ts'
import { credentialsOf, erp, newSource, statusOf, streams, useConsent } from './consent-adapter.ts'
import { CLIENT, SCOPES } from './oauth-server.ts'

let kind: 'basic' | 'client_credentials' = 'basic'

beforeAll(() =>
  useConsent((url) =>
    kind === 'basic'
      ? { kind }
      : {
          ...{ kind, tokenEndpoint: `${url}/token`, revocationEndpoint: `${url}/revoke` },
          scopes: SCOPES,
        },
  ),
)
afterAll(() => erp.close())
afterEach(() => {
  Object.assign(erp, { scope: null, broken: null })
  streams.checks = [{ record: 'demand', status: 'ok', message: null }]
})

const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`

describe('a communication user', () => {
  beforeAll(() => {
    kind = 'basic'
  })

  it('is connected at once, after it was tried', async () => {
    streams.checks = [
      { record: 'demand', status: 'ok', message: null },
      { record: 'stock', status: 'forbidden', message: 'no right to read it' },
    ]
    const { status, json } = await post('/sources', newSource('user'))
    expect(status).toBe(201)
    expect(json).toMatchObject({
      ...{ status: 'connected', authorization_url: null, expires_at: null },
      ...{ needed_rights: SCOPES, problem: null },
      streams: [
        { stream: 'demand', status: 'ok' },
        { stream: 'stock', status: 'forbidden' },
      ],
    })
    expect(await (await credentialsOf(json.id)).authorization()).toBe(basic)
  })

  it('with the wrong secret is refused, and nothing is stored or told of it', async () => {
    streams.checks = 401
    const before = (await get('/sources')).json.data.length
    const answer = await post('/sources', newSource('wrong'))
    expect(errorOf(answer)).toEqual({
      ...{ status: 400, code: 'invalid_parameter', target: 'client_secret' },
    })
    expect(answer.text).not.toContain('hush')
    expect((await get('/sources')).json.data).toHaveLength(before)
  })

  it.each([
    ['client_secret', { client_secret: undefined }],
    ['client_id', { client_id: undefined }],
  ])('needs %s', async (target, lacking) => {
    const answer = await post('/sources', { ...newSource('lacking'), ...lacking })
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target })
  })

  it('is not refused where the ERP is away', async () => {
    streams.checks = new Retriable('down', 12_000)
    const answer = await post('/sources', newSource('away'))
    expect(errorOf(answer)).toEqual({ status: 503, code: 'source_unavailable' })
    expect(answer.headers.get('retry-after')).toBe('12')
    streams.checks = [{ record: 'demand', status: 'failed', message: 'a web page came' }]
    expect(errorOf(await post('/sources', newSource('away'))).code).toBe('source_unavailable')
  })

  it('whose password was changed is asked for anew', async () => {
    const { json } = await post('/sources', newSource('changed'))
    const credentials = await credentialsOf(json.id)
    const header = await credentials.authorization()
    await expect(credentials.authorization(header)).rejects.toMatchObject({
      code: 'reconsent_required',
    })
    expect((await get(`/sources/${json.id}`)).json).toMatchObject({
      ...{ status: 'reconsent_required', problem: { code: 'client_refused' } },
    })
    streams.checks = 401
    const wrong = await post(`/sources/${json.id}/consent`, { client_secret: 'wrong' })
    expect(errorOf(wrong)).toMatchObject({ status: 400, target: 'client_secret' })
    expect(await statusOf(json.id)).toBe('reconsent_required')
    streams.checks = [{ record: 'demand', status: 'ok', message: null }]
    const renewed = await post('/sources', { ...newSource('changed'), client_secret: 'new' })
    expect(renewed.json).toMatchObject({ id: json.id, status: 'connected', problem: null })
    const expected = `Basic ${Buffer.from(`${CLIENT.id}:new`).toString('base64')}`
    expect(await (await credentialsOf(json.id)).authorization()).toBe(expected)
  })
})

describe('client credentials', () => {
  beforeAll(() => {
    kind = 'client_credentials'
  })

  it('give a token at once, and another one when it is refused', async () => {
    const { status, json } = await post('/sources', newSource('machine'))
    expect({ status, source: json.status, granted: json.granted_rights }).toEqual({
      ...{ status: 201, source: 'connected', granted: SCOPES },
    })
    const credentials = await credentialsOf(json.id)
    const header = await credentials.authorization()
    expect(erp.takes(header)).toBe(true)
    const next = await credentials.authorization(header)
    expect(next).not.toBe(header)
    expect(erp.calls.at(-1)!.get('grant_type')).toBe('client_credentials')
  })

  it('that are wrong are refused', async () => {
    const answer = await post('/sources', { ...newSource('wrong'), client_secret: 'guess-81f3' })
    expect(errorOf(answer)).toEqual({
      ...{ status: 400, code: 'invalid_parameter', target: 'client_secret' },
    })
    expect(answer.text).not.toContain('guess')
  })

  it('with more rights than were asked for are refused', async () => {
    erp.scope = (asked) => `${asked} WRITE_0001`
    const answer = await post('/sources', newSource('greedy'))
    expect(errorOf(answer)).toMatchObject({ status: 400, target: 'client_id' })
    expect(answer.error?.message).toContain('WRITE_0001')
  })

  it('show which rights are missing', async () => {
    erp.scope = () => SCOPES[1]!
    const { json } = await post('/sources', newSource('modest'))
    expect(json).toMatchObject({ status: 'connected', granted_rights: [SCOPES[1]] })
  })

  it('are asked for later where the server is away', async () => {
    Object.assign(erp, { broken: { status: 503, body: '' } })
    expect(errorOf(await post('/sources', newSource('away'))).code).toBe('source_unavailable')
  })
})
