import cds from '@sap/cds'
import { Users } from '../../../srv/base/database/entities.ts'
import { scheduleWorker } from '../../../srv/doors/schedules/start-due.ts'
import { connectFiles, serverUrl, steadyDemand, sync } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'
import { act, get, rows } from './admin.ts'

const { SELECT } = cds.ql

let source: number

beforeAll(async () => {
  await scheduleWorker.stop()
  changeSettings({ schedules: { full: '0 2 * * *', incremental: 'off', housekeeping: 'off' } })
  source = await connectFiles('admin-read', {
    'demand.csv': `${steadyDemand(['A', 'B'])}C,L1,no date,4\n`,
    'stock.csv': 'sku,location,on_hand\nA,L1,3\n',
    'planning.csv': 'sku,location,lead_time_days\nB,L1,7\n',
  })
  await sync(source, 'full')
})

describe('a source', () => {
  it('shows status, rights, streams, age and schedules', async () => {
    const { json } = await get(`Sources(${source})`)
    expect(json).toMatchObject({
      ...{ number: `src_${source}`, type: 'csv', account: 'admin-read', status: 'connected' },
      ...{ isOpen: true, syncing: null, problemText: null, rightsMissing: 0 },
      fullSchedule: '0 2 * * *',
      ...{ lastSyncStatus: 'partial', dataAgeDays: expect.any(Number) },
      dataAgeCriticality: 3,
    })
    expect(Date.parse(json.fullNextAt)).toBeGreaterThan(Date.now())
    await act(`Sources(${source})/check`)
    const streams = await rows(`Sources(${source})/streams?$orderby=name desc`)
    const names = streams.map(({ name }: { name: string }) => name)
    expect(names).toEqual(names.toSorted().reverse())
    expect(streams).toContainEqual(expect.objectContaining({ name: 'demand', status: 'ok' }))
    expect((await get(`Sources(${source})/streams/$count`)).text).toBe(String(names.length))
    expect((await get(`Sources(${source})/rights?$count=true`)).json['@odata.count']).toBe(1)
  })

  it('is found among others, and its syncs below it', async () => {
    const [found] = await rows(`Sources?$filter=account eq 'admin-read'&$select=ID,fullNextAt`)
    expect(found).toMatchObject({ ID: source, fullNextAt: expect.any(String) })
    const [last] = await rows(`Sources(${source})/syncs?$orderby=ID desc`)
    expect(last).toMatchObject({
      ...{ mode: 'full', status: 'partial', percent: 100, quarantined: 1, isUnfinished: false },
      ...{ issueCount: 1, ratePerSecond: null, estimatedEndAt: null },
    })
    const [issue] = await rows(`Syncs(${last!.ID})/issues`)
    expect(issue).toMatchObject({ sync: last!.ID, line: 1, stream: 'demand' })
    expect(await rows(`Syncs(${last!.ID})/issues`)).toEqual([issue])
    expect(await rows('SyncIssues')).toContainEqual(issue)
  })
})

describe('what is wrong', () => {
  it('is listed row by row, with the reason', async () => {
    const [row] = await rows(`Sources(${source})/quarantined`)
    expect(row).toMatchObject({
      ...{ record: 'demand', account: 'admin-read', target: 'date' },
      ...{ excerpt: expect.stringContaining('no date'), message: expect.any(String) },
    })
  })

  it('is listed pair by pair, by what is missing', async () => {
    const blocked = await rows(`BlockedPairs?$filter=source eq ${source}&$orderby=sku`)
    expect(blocked).toMatchObject([
      { sku: 'A', location: 'L1', missing: 'lead_time', isMendable: true },
      { sku: 'B', location: 'L1', missing: 'stock', isMendable: false },
    ])
    expect(blocked.map(({ reason }) => reason)).toEqual([
      'No lead time is known. Maintain it in the ERP, or set it by an ordering rule.',
      'No stock on hand is known. Maintain it in the ERP.',
    ])
    const counts = await rows(
      `BlockedPairs?$apply=filter(source eq ${source})/groupby((missing),aggregate($count as pairs))`,
    )
    expect(counts).toHaveLength(2)
  })
})

describe('the health of the service', () => {
  it('is one row', async () => {
    const { json } = await get('Health')
    expect(json).toMatchObject({
      ...{ database: expect.stringMatching(/SQLite|PostgreSQL/), version: expect.any(String) },
      ...{ sourcesAtFault: 0, unfinishedSyncs: 0, lastSyncStatus: 'partial', workOverdue: null },
      ...{ quarantined: 1, blocked: 2, user: 'admin', mayChange: true },
    })
    expect(json.auditSeq + json.auditWaiting).toBeGreaterThan(0)
  })

  it('shows how reliable the forecasts are', async () => {
    const quality = (await get(`ForecastQuality(${source})`)).json
    expect(quality).toMatchObject({ series: 2, forecasts: 2, waiting: 0, sampled: 2 })
    const { highShare, mediumShare, lowShare } = quality
    expect(Number(highShare) + Number(mediumShare) + Number(lowShare)).toBeCloseTo(100, 0)
  })

  it('includes that of the audit trail', async () => {
    const { json } = await act('verifyAudit')
    expect(json).toMatchObject({ valid: true, problem: null })
  })
})

it('remembers who was here', async () => {
  await get('Health', 'auditor')
  const row = await SELECT.one.from(Users).where({ ID: 'auditor' })
  expect(row!.roles).toEqual(['Viewer', 'Auditor'])
})

it('offers what can be chosen', async () => {
  const codes = async (entity: string) =>
    (await rows(entity)).map(({ code }: { code: string }) => code)
  expect(await codes('SourceTypes')).toContain('s4hana')
  expect(await codes('PolicyLevels')).toContain('sku+location')
  expect(await codes('Scopes')).toContain('forecasts:read')
  expect(await codes('EventTypes')).toContain('sync.failed')
  const users = (await rows('Approvers')).map(({ user }: { user: string }) => user)
  expect(users.toSorted()).toEqual(['approver', 'buyer'])
  expect(await rows("Approvers?$filter=user eq 'buyer'")).toMatchObject([{ roles: 'Buyer' }])
  expect(await rows('ApprovingRoles')).toHaveLength(2)
})

it('filters what a table holds, and refuses to filter what is computed', async () => {
  const codes = async (filter: string) =>
    (await rows(`SourceTypes?$filter=${filter}`)).map(({ code }: { code: string }) => code)
  expect(await codes("contains(tolower(code),'s4')")).toEqual(['s4hana'])
  expect(await codes("startswith(code,'c') or code eq 's4hana'")).toEqual(['csv', 's4hana'])
  expect(await codes("code ne 'csv' and code ne 's4hana'")).not.toContain('csv')
  expect((await get('SyncIssues?$filter=sync eq 1')).status).toBe(400)
})

describe('codes', () => {
  const texts = async (path: string, language: string) => {
    const url = serverUrl()
    const headers = { Authorization: `Basic ${btoa('admin:admin')}`, 'Accept-Language': language }
    const answer = await fetch(`${url}/odata/v4/admin/${path}`, { headers })
    return (await answer.json()) as Record<string, unknown> & { value: object[] }
  }

  it('are named in the language of whoever asks, whatever is selected', async () => {
    const path = `Sources(${source})?$select=ID&$expand=toStatus,toLastSyncStatus`
    expect(await texts(path, 'en')).toMatchObject({
      ...{
        toStatus: { name: 'Connected', criticality: 3 },
        toLastSyncStatus: { name: 'Partly succeeded' },
      },
    })
    expect(await texts(path, 'de')).toMatchObject({ toStatus: { name: 'Verbunden' } })
    expect((await texts("PolicyLevels?$filter=code eq 'default'", 'de')).value[0]).toMatchObject({
      ...{ code: 'default', name: 'Alles' },
    })
  })
})
