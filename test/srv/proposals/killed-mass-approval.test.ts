// SIGKILL in the middle of a mass approval: what was decided stays, and the same call again decides the rest.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { Evidence, ProposalEvents, Proposals } from '../../../srv/base/database/entities.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'

const PAIRS = 300
const { SELECT } = cds.ql
cds.root = path.resolve(import.meta.dirname, '../../..')

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

let instance: Instance

beforeAll(async () => {
  instance = await Instance.start({ env: { RESTOCK_RATE_LIMIT: 'off' } })
  cds.model = cds.compile.for.nodejs(await cds.load(['db', 'srv']))
  await cds.connect.to('db')
})
afterAll(async () => {
  await instance.end('SIGKILL')
  await (cds.db as unknown as { disconnect(): Promise<void> }).disconnect()
})

/** Proposals of a source that is read once. */
async function propose() {
  const folder = path.join(process.env.RESTOCK_CSV_ROOT!, 'many')
  await mkdir(folder, { recursive: true })
  const skus = Array.from({ length: PAIRS }, (_, at) => `many-${at}`)
  const write = (name: string, header: string, lines: (sku: string) => string[]) =>
    writeFile(path.join(folder, name), [header, ...skus.flatMap(lines), ''].join('\n'))
  await write('demand.csv', 'sku,location,date,quantity', (sku) =>
    [40, 30, 20, 10, 5, 1].map((days) => `${sku},L1,${daysAgo(days)},9`),
  )
  await write('stock.csv', 'sku,location,on_hand', (sku) => [`${sku},L1,0`])
  const planning = 'sku,location,lead_time_days,supplier,unit_cost,currency'
  await write('planning.csv', planning, (sku) => [`${sku},L1,7,S,0.01,EUR`])
  const wish = { type: 'csv', account: 'many', role: 'reader' }
  const { json } = await instance.call('POST', '/sources', wish)
  await instance.call('POST', `/sources/${json.id}/sync`, { mode: 'full' })
  await until(async () => (await SELECT.from(Proposals).columns('ID')).length === PAIRS, 90)
  const rows = await SELECT.from(Proposals).columns('ID', 'version').orderBy('ID')
  return rows as { ID: number; version: number }[]
}

const approved = () => SELECT.from(Proposals).columns('ID').where({ status: 'approved' })

it('keeps what was decided, with its evidence, and decides nothing twice', async () => {
  const rows = await propose()
  const decisions = rows.map(({ ID, version }) => ({
    ...{ id: `prop_${ID}`, action: 'approve', expected_version: version },
  }))
  const call = instance.call('POST', '/proposals/decisions', { decisions }).catch(() => null)
  while ((await approved()).length < 20) await sleep(5)
  await instance.end('SIGKILL')
  expect(await call).toBeNull()
  const before = await approved()
  expect(before.length).toBeGreaterThanOrEqual(20)
  expect(before.length).toBeLessThan(PAIRS)
  instance = await Instance.start({ env: { RESTOCK_RATE_LIMIT: 'off' } })
  const { json } = await instance.call('POST', '/proposals/decisions', { decisions })
  expect(json.summary).toEqual({ requested: PAIRS, succeeded: PAIRS, failed: 0 })
  const events = await SELECT.from(ProposalEvents).where({ event: 'approved' })
  expect(new Set(events.map(({ proposal }) => proposal)).size).toBe(PAIRS)
  expect(events).toHaveLength(PAIRS)
  expect(await SELECT.from(Evidence).columns('event')).toHaveLength(PAIRS)
})
