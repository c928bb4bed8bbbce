import { connectFiles, serverUrl, steadyDemand, sync } from '../../support/server.ts'
import { approve } from '../../support/buyer.ts'
import cds from '@sap/cds'
import { parse } from 'csv-parse/sync'
import { Proposals } from '../../../srv/base/database/entities.ts'

const { SELECT } = cds.ql
const SKUS = ['HB-1', 'HB-2', 'HB-3']

let ids: number[]
beforeAll(async () => {
  const source = await connectFiles('hand-over-app', {
    'demand.csv': steadyDemand(SKUS),
    'stock.csv': `sku,location,on_hand\n${SKUS.map((sku) => `${sku},L1,1\n`).join('')}`,
    'planning.csv':
      'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency,order_unit,units_per_order_unit\n' +
      SKUS.map((sku, at) => `${sku},L1,7,12,12,S-${at},2.00,EUR,CAR,12\n`).join(''),
  })
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  const rows = await SELECT.from(Proposals).columns('ID').where({ source_ID: source })
  ids = rows.map(({ ID }) => ID)
  for (const ID of ids) await approve(ID)
})

interface File {
  number: string
  fileName: string
  lines: number
  content: string
}

async function odata(method: string, path: string, user: string, body?: object) {
  const response = await fetch(`${serverUrl()}/odata/v4/buyer/${path}`, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as {
    value?: File[]
    error?: { code: string; message: string }
  }
  return { status: response.status, ...json }
}

const take = (body: object, user = 'buyer') => odata('POST', 'handOver', user, body)

it('gives a file, and says who took it and in which unit', async () => {
  const { status, value } = await take({ proposals: ids.join(',') })
  expect(status).toBe(200)
  const [file] = value!
  expect(file).toMatchObject({ lines: 3, fileName: expect.stringMatching(/^ho_\d+-csv\.csv$/) })
  const rows: Record<string, string>[] = parse(Buffer.from(file!.content, 'base64'), {
    columns: true,
  })
  expect(rows.map(({ order_unit: unit }) => unit)).toEqual(['CAR', 'CAR', 'CAR'])
  const path = `Proposals(${ids[0]})?$select=takenBy,orderedAs,quantity`
  const shown = await odata('GET', path, 'buyer')
  expect(shown).toMatchObject({ takenBy: 'buyer', orderedAs: expect.stringMatching(/^\d+ CAR$/) })
})

it('warns of a second time, and takes again where that is said', async () => {
  const { status, error } = await take({ proposals: String(ids[0]) })
  expect(status).toBe(409)
  expect(error).toMatchObject({
    code: 'already_handed_over',
    message:
      '1 of the selected lines were handed over before: taking them twice may order them twice.',
  })
  const rest = await take({ proposals: ids.join(','), takenBefore: 'leave_out' })
  expect(rest.value).toEqual([])
  const again = { proposals: ids.join(','), takenBefore: 'again', perSupplier: true }
  expect((await take(again)).value).toHaveLength(3)
})

it.each([{ proposals: '' }, { proposals: 'x' }, { proposals: '1', takenBefore: 'maybe' }])(
  'refuses %j',
  async (body) => {
    expect(await take(body)).toMatchObject({
      ...{ status: 400, error: { code: 'invalid_parameter' } },
    })
  },
)

it('is for those who decide', async () => {
  expect((await take({ proposals: String(ids[0]) }, 'viewer')).status).toBe(403)
})
