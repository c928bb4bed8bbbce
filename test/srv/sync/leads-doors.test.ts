// What is to be seen and set, through each door, where two sources have one pair.
import cds from '@sap/cds'
import { AuditLog } from '../../../srv/base/database/entities.ts'
import { connectFiles, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { act, call as admin, errorOf as adminErrorOf, rows } from '../admin/admin.ts'
import { read } from '../buyer/odata.ts'
import { call, errorOf, get, post } from '../v1/api.ts'

const { SELECT } = cds.ql
const files = {
  'demand.csv': steadyDemand(['both']),
  'stock.csv': 'sku,location,on_hand\nboth,L1,2\n',
  'planning.csv': 'sku,location,lead_time_days\nboth,L1,7\n',
}
let first: string
let second: string

beforeAll(async () => {
  const IDs = [
    await connectFiles('doors-1', files, { precedence: undefined }),
    await connectFiles('doors-2', files, { precedence: undefined }),
  ] as const
  for (const ID of IDs) await sync(ID, 'full')
  ;[first, second] = IDs.map((ID) => `src_${ID}`) as [string, string]
})

const sourceAt = (id: string) => `/sources/${id}` as '/sources/{id}'
const patch = (id: string, body: object) => call('PATCH', sourceAt(id), { body })

it('/v1 lists the pair as blocked, with the source that leads', async () => {
  const { json } = await get('/proposals/blocked')
  expect(json.data).toEqual([
    {
      ...{ sku: 'both', location: 'L1', missing: 'led_by_another_source' },
      ...{ source_id: second, led_by: first },
      reason: expect.stringContaining(`${first} (csv doors-1) has this SKU at this location too`),
    },
  ])
  const proposals = (await get('/proposals?sku=both&status=pending')).json.data
  expect(proposals).toHaveLength(1)
})

it('/v1 shows of both how many pairs others lead', async () => {
  expect((await get(sourceAt(first))).json).toMatchObject({ precedence: 100, led_by: [] })
  const led = { precedence: 100, led_by: [{ source_id: first, pairs: 1 }] }
  expect((await get(sourceAt(second))).json).toMatchObject(led)
  const { data } = (await get('/sources')).json
  expect(data.find(({ id }) => id === second)).toMatchObject(led)
})

it('/v1 sets the precedence, also with the schedules and from the start', async () => {
  const { status, json } = await patch(second, { precedence: 7 })
  expect([status, json]).toMatchObject([200, { id: second, precedence: 7 }])
  const both = { precedence: 8, schedules: { full: 'off' } }
  expect((await patch(second, both)).json).toMatchObject({
    ...{ precedence: 8, schedules: { full: { expression: 'off' } } },
  })
  expect((await patch(second, { schedules: { full: null } })).json).toMatchObject({ precedence: 8 })
  await writeFiles('doors-3', files)
  const wish = { type: 'csv', account: 'doors-3', role: 'reader', precedence: 3 }
  expect((await post('/sources', wish)).json).toMatchObject({ precedence: 3, led_by: [] })
  const details = await SELECT.from(AuditLog)
    .columns('detail')
    .where({ object: second, action: 'source.precedence_changed' })
  expect(details.map(({ detail }) => detail).sort()).toEqual(['100 → 7', '7 → 8'])
  await patch(second, { precedence: 100 })
})

it('/v1 shows how a folder is understood, and takes an option that mends it', async () => {
  const demand = 'Artikel;Lager;Datum;Menge\nA;L1;3/4/2026;1,5\n'
  await writeFiles('doors-files', { 'demand.csv': demand, 'stocks.csv': '' })
  const wish = { type: 'csv', account: 'doors-files', role: 'reader' }
  const { json } = await post('/sources', {
    ...wish,
    schedules: { full: 'off', incremental: 'off' },
  })
  const streamOf = ({ streams }: Pick<typeof json, 'streams'>, name: string) =>
    streams.find(({ stream }) => stream === name)
  expect(streamOf(json, 'demand')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('set the option date_format'),
  })
  expect(streamOf(json, 'stock')).toMatchObject({
    notes: [expect.stringContaining('give it the name stock.csv')],
  })
  const { id } = json as { id: string }
  const mended = await patch(id, { options: { date_format: 'DD/MM/YYYY' } })
  expect(streamOf(mended.json, 'demand')).toMatchObject({
    ...{ status: 'ok', message: null, preview: ['A at L1, 2026-04-03, 1.5 units'] },
    notes: [expect.stringContaining('decimal sign ","')],
  })
  const back = await patch(id, { options: { date_format: null } })
  expect(streamOf(back.json, 'demand')).toMatchObject({ status: 'failed' })
  expect(errorOf(await patch(id, { options: { date_format: 'today' } }))).toEqual({
    ...{ status: 400, code: 'invalid_parameter', target: 'options.date_format' },
  })
})

it.each([0, -1, 1.5, 10_000, '1', null])('/v1 takes no precedence of %j', async (precedence) => {
  expect(errorOf(await patch(second, { precedence }))).toEqual({
    ...{ status: 400, code: 'invalid_parameter', target: 'precedence' },
  })
})

it('the apps tell it in the language of whoever reads it', async () => {
  const [, ID] = second.split('_')
  const path = 'Blocked?$select=sku,reason&$expand=toMissing($select=name)'
  const german = await read(path, { headers: { 'Accept-Language': 'de' } })
  expect(german.json.value).toMatchObject([
    {
      reason: expect.stringContaining('hat Vorrang. Bestellungen werden dort vorgeschlagen'),
      toMissing: { name: 'Andere ERP-Verbindung hat Vorrang' },
    },
  ])
  const english = await rows('BlockedPairs?$select=sku,reason&$expand=toMissing($select=name)')
  expect(english).toMatchObject([
    {
      reason: expect.stringContaining('leads'),
      toMissing: { name: 'Led by another ERP connection' },
    },
  ])
  expect((await admin('GET', `Sources(${ID})`)).json).toMatchObject({
    precedence: 100,
    ledPairs: 1,
  })
})

it('the administrator’s app sets it', async () => {
  const path = `Sources(${second.split('_')[1]})/setPrecedence` as const
  const { status, json } = await act(path, { precedence: 50 })
  expect([status, json]).toMatchObject([200, { precedence: 50 }])
  expect(adminErrorOf(await act(path, { precedence: 0 }))).toMatchObject({
    ...{ status: 400, target: 'precedence' },
  })
  expect((await act(path, { precedence: 1 }, 'auditor')).status).toBe(403)
})
