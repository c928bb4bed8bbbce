// Closed days: read from a file, entered over /v1 and by the command line, and what they do to a proposal.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restock } from '../../cli/run.ts'
import {
  connectFiles,
  serverUrl,
  daysAgo,
  steadyDemand,
  sync,
  writeFiles,
} from '../../support/server.ts'
import { readOrderDays } from '../../../srv/domain/proposals/index.ts'
import { aKey, call, errorOf, get } from './api.ts'
import { until } from '../../support/service.ts'

const put = (closures: unknown) => call('PUT', '/closures', { body: { closures } })
const ours = async (...args: string[]) =>
  restock(args, { env: { RESTOCK_URL: `${serverUrl()}/v1`, RESTOCK_API_KEY: await aKey() } })

const calculationOf = async (sku: string) =>
  (await get(`/proposals?sku=${sku}&status=pending`)).json.data[0]?.calculation

let source: number
beforeAll(async () => {
  source = await connectFiles('closures', {
    'demand.csv': steadyDemand(['A', 'B'], { quantity: 10 }),
    'stock.csv': 'sku,location,on_hand\nA,L1,20\nB,L1,20\n',
    'planning.csv':
      'sku,location,lead_time_days,supplier,unit_cost,currency\nA,L1,14,S-1,2.00,EUR\nB,L1,14,S-2,2.00,EUR\n',
    'closures.csv': [
      'supplier,location,from,to,working_days,country,region,reason',
      `S-1,,${daysAgo(-15)},${daysAgo(-24)},,,,Works holiday`,
      'S-3,,,,1-5,,,',
      'S-3,,,,,DE,BY,',
      'S-1,L1,2027-01-01,,,,,',
    ].join('\n'),
  })
  await sync(source)
})

it('are read from a file; a row that names both is rejected', async () => {
  const { data } = (await get('/closures')).json
  const none = { location: null, working_days: null, country: null, region: null, reason: null }
  const standing = { ...none, source_id: `src_${source}`, supplier: 'S-3', from: null, to: null }
  expect(data).toEqual([
    { ...standing, supplier: 'S-1', from: daysAgo(-15), to: daysAgo(-24), reason: 'Works holiday' },
    { ...standing, country: 'DE', region: 'BY' },
    { ...standing, working_days: [1, 2, 3, 4, 5] },
  ])
  expect((await get('/closures?supplier=S-1')).json.data).toHaveLength(1)
  const first = (await get('/closures?limit=1')).json
  expect(first).toMatchObject({ has_more: true, data: [data[0]] })
  const rest = await get(`/closures?limit=2&cursor=${first.next_cursor}`)
  expect(rest.json.data).toEqual(data.slice(1))
})

it('lengthen the horizon of the pairs of their supplier alone', async () => {
  const [closed, open] = [(await calculationOf('A'))!, (await calculationOf('B'))!]
  expect(open).not.toHaveProperty('closed_days')
  expect(closed).toMatchObject({ closed_days: 10, horizon_days: open.horizon_days + 10 })
  expect(closed.quantity).toBeGreaterThan(open.quantity + 90)
})

it('are entered as a whole, for all sources, and proposals follow', async () => {
  const wrong = (closure: object, target: string) =>
    put([closure]).then((answer) =>
      expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_parameter', target }),
    )
  await wrong({ from: '2027-01-01' }, 'closures[0].supplier')
  await wrong({ supplier: 'S-2' }, 'closures[0].from')
  await wrong({ supplier: 'S-2', from: '2027-02-01', to: '2027-01-01' }, 'closures[0].to')
  await wrong({ supplier: 'S-2', from: '2027-02-01', to: '2029-01-01' }, 'closures[0].to')
  await wrong({ supplier: 'S-2', country: 'XX' }, 'closures[0].country')
  const key = await aKey({ scopes: ['proposals:read'] })
  expect(errorOf(await call('PUT', '/closures', { key, body: { closures: [] } })).code).toBe(
    'insufficient_scope',
  )
  const entered = { supplier: 'S-2', from: daysAgo(-15), to: daysAgo(-24) }
  expect((await put([entered])).json).toEqual({ entered: 1 })
  await until(async () => (await calculationOf('B'))?.closed_days === 10)
  // A sync reads the source's own anew, and leaves what was entered.
  await writeFiles('closures', { 'closures.csv': 'supplier,from\nS-1,2030-01-01\n' })
  await sync(source, 'full')
  expect((await get('/closures')).json.data).toMatchObject([
    { supplier: 'S-1', from: '2030-01-01', to: '2030-01-01' },
    { ...entered, source_id: null },
  ])
})

it('are no order days', async () => {
  const orderDays = [1, 2, 3, 4, 5, 6, 7]
  await call('PUT', '/policies', {
    body: { level: 'supplier', supplier: 'S-2', order_days: orderDays },
  })
  await put([{ supplier: 'S-2', from: daysAgo(0), to: daysAgo(-9) }])
  const [days] = await readOrderDays([{ supplier: 'S-2', location: null }])
  expect(days).toMatchObject({ next: daysAgo(-10), after: daysAgo(-11) })
})

it('are imported from a file by the command line', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'closures-')), 'closures.csv')
  const from = `supplier,from,to,working_days,reason\nS-2,${daysAgo(-15)},${daysAgo(-20)},,Inventory\nS-1,,,1-4,\n`
  await writeFile(file, from)
  expect((await ours('closures', 'import', file)).stdout).toContain('2 rows are entered')
  const { stdout } = await ours('closures', 'list')
  expect(stdout).toContain(`${daysAgo(-15)} to ${daysAgo(-20)}`)
  expect(stdout).toContain('all but weekdays 1, 2, 3, 4')
})
