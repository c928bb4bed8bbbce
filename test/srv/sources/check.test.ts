import { errorOf, get, post } from '../v1/api.ts'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import type { StreamCheck } from '../../../adapters/adapter.ts'
import { allow, codePlan, erp, newSource, streams, useConsent, visit } from './consent-adapter.ts'
import { SCOPES } from './oauth-server.ts'

beforeAll(() => useConsent(codePlan()))
afterAll(() => erp.close())

const OK: StreamCheck = { record: 'demand', status: 'ok', message: null }
const CLOSED: StreamCheck = { record: 'stock', status: 'forbidden', message: 'no right' }

async function connected(account: string) {
  streams.checks = [OK]
  const { id, authorization_url: page } = (await post('/sources', newSource(account))).json
  await visit(await allow(page!))
  return id
}

describe('the check of a source', () => {
  it('reports which streams can be read, and which are forbidden', async () => {
    const id = await connected('checked')
    const before = (await get(`/sources/${id}`)).json
    streams.checks = [OK, CLOSED]
    const { status, json } = await post(`/sources/${id}/check`)
    expect(status).toBe(200)
    expect(json.streams).toEqual([
      { stream: 'demand', status: 'ok', message: null },
      { stream: 'stock', status: 'forbidden', message: 'no right' },
    ])
    expect(json).toMatchObject({ needed_rights: SCOPES, granted_rights: SCOPES })
    expect(Date.parse(json.streams_checked_at!)).toBeGreaterThanOrEqual(
      Date.parse(before.streams_checked_at!),
    )
    expect((await get(`/sources/${id}`)).json.streams).toEqual(json.streams)
    for (const secret of erp.secrets) expect(JSON.stringify(json)).not.toContain(secret)
  })

  it('is not made where there is no consent', async () => {
    const { id } = (await post('/sources', newSource('pending'))).json
    const expected = { status: 409, code: 'source_not_connected' }
    expect(errorOf(await post(`/sources/${id}/check`))).toEqual(expected)
  })

  it('finds out that the consent has ended', async () => {
    const id = await connected('ended')
    const broken = { status: 400, body: '{"error":"invalid_grant"}' }
    Object.assign(erp, { broken })
    streams.checks = 401
    const answer = await post(`/sources/${id}/check`)
    Object.assign(erp, { broken: null })
    expect(errorOf(answer)).toEqual({ status: 409, code: 'source_not_connected' })
    expect(answer.error?.message).toContain('no longer accepts the consent')
    expect((await get(`/sources/${id}`)).json.status).toBe('reconsent_required')
  })

  it.each([
    [new Retriable('away', 7000), { status: 503, code: 'source_unavailable' }],
    [
      new Fatal('login_page', 'is no API', 'base_url'),
      { status: 400, code: 'invalid_parameter', target: 'base_url' },
    ],
  ])('says that the ERP did not answer: %s', async (error, expected) => {
    const id = await connected('away')
    streams.checks = error
    expect(errorOf(await post(`/sources/${id}/check`))).toEqual(expected)
    const { streams: kept } = (await get(`/sources/${id}`)).json
    expect(kept).toEqual([{ stream: 'demand', status: 'ok', message: null }])
  })

  it.each([
    ['src_99999', {}, { status: 404, code: 'source_not_found' }],
    [null, { force: true }, { status: 400, code: 'invalid_parameter', target: 'force' }],
  ])('of %s with %j is refused', async (given, body, expected) => {
    const id = given ?? (await connected('strict'))
    expect(errorOf(await post(`/sources/${id}/check`, body))).toEqual(expected)
  })
})
