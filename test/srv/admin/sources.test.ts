import { finished, steadyDemand, writeFiles } from '../../support/server.ts'
import { CLIENT, SCOPES } from '../sources/oauth-server.ts'
import { allow, codePlan, erp, streams, useConsent, visit } from '../sources/consent-adapter.ts'
import { act, call, errorOf, get, rows } from './admin.ts'

const good = {
  ...{ type: 'csv', account: 'admin-consent', role: 'reader' },
  ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret },
}

/** Connects with a consent. @returns the source's number */
async function consented(account: string): Promise<number> {
  const { json } = await act('connect', { ...good, account, baseUrl: erp.url })
  await visit(await allow(json.authorizationUrl))
  return json.source
}

beforeAll(async () => {
  await writeFiles('admin-consent', {
    'demand.csv': steadyDemand(['A', 'B']),
    'stock.csv': 'sku,location,on_hand\nA,L1,3\nB,L1,3\n',
    'planning.csv': 'sku,location,lead_time_days\nB,L1,7\n',
  })
  await useConsent(codePlan())
})
afterAll(() => erp.close())

describe('connecting', () => {
  it('goes over a consent page, and shows which rights were granted', async () => {
    const asked = await act('connect', { ...good, baseUrl: erp.url })
    expect(asked).toMatchObject({
      status: 200,
      json: {
        status: 'pending_consent',
        authorizationUrl: expect.stringContaining('/oauth/authorize?ticket='),
      },
    })
    const { source, authorizationUrl } = asked.json
    expect((await get(`Sources(${source})`)).json).toMatchObject({
      ...{ status: 'pending_consent', isOpen: false, consentExpiresAt: expect.any(String) },
      ...{ rightsMissing: SCOPES.length, fullNextAt: null },
    })
    await visit(await allow(authorizationUrl))
    expect((await get(`Sources(${source})`)).json).toMatchObject({
      ...{ status: 'connected', rightsMissing: 0 },
    })
    const checks = await rows(`Sources(${source})/streams`)
    expect(checks.map(({ status }: { status: string }) => status)).toEqual(['ok'])
    const rights = await rows(`Sources(${source})/rights`)
    expect(rights.map(({ name }: { name: string }) => name).toSorted()).toEqual(SCOPES.toSorted())
    expect(rights.every(({ granted }: { granted: boolean }) => granted)).toBe(true)
    for (const path of [
      `Sources(${source})`,
      'Sources',
      `AuditLog?$filter=object eq 'src_${source}'`,
    ]) {
      expect((await get(path)).text).not.toContain(CLIENT.secret)
    }
  })

  it.each([
    [{ type: 'sap' }, 'type'],
    [{ type: undefined }, 'type'],
    [{ account: ' ' }, 'account'],
    [{ account: undefined }, 'account'],
    [{ baseUrl: 'ftp://erp' }, 'baseUrl'],
    [{ clientId: '' }, 'clientId'],
    [{ options: [{ name: 'wrong', value: '1' }] }, 'options/wrong'],
  ])('with %j names the field', async (wrong, target) => {
    const answer = await act('connect', { ...good, baseUrl: erp.url, ...wrong })
    expect(errorOf(answer)).toMatchObject({ status: 400, code: 'invalid_parameter', target })
  })
})

describe('a connected source', () => {
  let source: number
  beforeAll(async () => {
    source = await consented('admin-consent')
  })

  it('is checked', async () => {
    const before = (await get(`Sources(${source})`)).json.checkedAt
    streams.checks = [{ record: 'demand', status: 'forbidden', message: 'no' }]
    const { status, json } = await act(`Sources(${source})/check`)
    expect(status).toBe(200)
    expect(await rows(`Sources(${source})/streams`)).toMatchObject([{ status: 'forbidden' }])
    expect(json.checkedAt > before).toBe(true)
    streams.checks = [{ record: 'demand', status: 'ok', message: null }]
  })

  it('is asked for its consent again', async () => {
    const { json } = await act(`Sources(${source})/consentAgain`)
    expect(json).toMatchObject({ source, authorizationUrl: expect.any(String) })
    await visit(await allow(json.authorizationUrl))
    expect((await get(`Sources(${source})`)).json.status).toBe('connected')
  })

  it('has schedules of its own, or the configured ones', async () => {
    const change = (body: object) => act(`Sources(${source})/setSchedules`, body)
    expect((await change({ full: '5 1 * * *', incremental: 'off' })).json).toMatchObject({
      ...{ fullSchedule: '5 1 * * *' },
      ...{ incrementalSchedule: 'off', incrementalNextAt: null },
    })
    expect((await change({ full: '', incremental: null })).json).toMatchObject({
      ...{ fullSchedule: 'off', incrementalSchedule: 'off' },
    })
    expect(errorOf(await change({ full: '61 * * * *' }))).toMatchObject({
      ...{ status: 400, target: 'full' },
    })
    expect(errorOf(await change({ incremental: 'daily' }))).toMatchObject({ target: 'incremental' })
  })

  it('is synchronised, one sync at a time', async () => {
    const started = await act(`Sources(${source})/syncNow`, { mode: 'full' })
    expect(started.json).toMatchObject({ mode: 'full', isUnfinished: true, issueCount: 0 })
    await finished(started.json.ID)
    expect((await get(`Syncs(${started.json.ID})`)).json.isUnfinished).toBe(false)
    const wrong = await act(`Sources(${source})/syncNow`, { mode: 'some' })
    expect(errorOf(wrong)).toMatchObject({ status: 400, target: 'mode' })
    const over = await act(`Syncs(${started.json.ID})/cancel`)
    expect(errorOf(over)).toMatchObject({ status: 409, code: 'sync_already_finished' })
  })

  it('is removed', async () => {
    expect((await call('DELETE', `Sources(${source})`)).status).toBe(204)
    expect((await get(`Sources(${source})`)).status).toBe(404)
    expect(errorOf(await act(`Sources(${source})/check`))).toMatchObject({ status: 404 })
    const [act_] = await rows(
      `AuditLog?$filter=object eq 'src_${source}' and action eq 'source.removed'`,
    )
    expect(act_).toMatchObject({ actor: 'admin', via: 'ui' })
  })
})

it('says of a source that is not connected that it cannot be synchronised', async () => {
  const { json } = await act('connect', { ...good, account: 'admin-never', baseUrl: erp.url })
  const answer = await act(`Sources(${json.source})/syncNow`, { mode: 'full' })
  expect(errorOf(answer)).toMatchObject({ status: 409, code: 'source_not_connected' })
})
