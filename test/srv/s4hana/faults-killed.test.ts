// SIGKILL in the middle of a sync; another process goes on with it, on the same database.
import path from 'node:path'
import cds from '@sap/cds'
import { CLIENT, type Erp, startErp } from '../../../sandbox/index.ts'
import { differences, differencesButVanished } from '../../support/erp-truth.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'

cds.root = path.resolve(import.meta.dirname, '../../..')

let erp: Erp
let service: Instance
afterAll(async () => {
  await service?.end('SIGKILL')
  await erp?.close()
  await (cds.db as unknown as { disconnect(): Promise<void> } | undefined)?.disconnect()
})

const start = () => Instance.start({ env: { RESTOCK_RATE_LIMIT: 'off' } })
const begin = async (source: string, mode: string): Promise<string> =>
  (await service.call('POST', `/sources/${source}/sync`, { mode })).json.id
const requests = () => erp.log.filter(({ data }) => data).length

/** Kills the service some requests later, and starts another one. */
async function kill(requestsLater: number) {
  const from = requests()
  await until(async () => requests() >= from + requestsLater, 60)
  expect(await service.end('SIGKILL')).toBe('SIGKILL')
  service = await start()
}

const ended = async (sync: string) => {
  let state = { status: 'queued' }
  await until(async () => {
    state = (await service.call('GET', `/syncs/${sync}`)).json
    return !['queued', 'running'].includes(state.status)
  }, 90)
  return state
}

async function connectToDatabase() {
  cds.model = cds.compile.for.nodejs(await cds.load(['db', 'srv']))
  await cds.connect.to('db')
}

it('what was killed goes on elsewhere, and loses and doubles nothing', async () => {
  erp = await startErp({ size: 60, days: 120 })
  service = await start()
  const { json } = await service.call('POST', '/sources', {
    ...{ type: 's4hana', account: erp.url, role: 'Z_RESTOCK_READ' },
    ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
    options: { auth: 'basic', page_size: 20, document_page_size: 10 },
  })
  erp.control.set({ latencyMs: 40 })
  const full = await begin(json.id, 'full')
  for (const later of [15, 60]) await kill(later)
  erp.control.set({ latencyMs: 5 })
  expect(await ended(full)).toMatchObject({ status: 'succeeded', issues: [] })
  await connectToDatabase()
  const source = Number(json.id.slice(4))
  expect(await differences(source, erp)).toEqual([])

  erp.control.advance(2)
  erp.control.set({ latencyMs: 40 })
  const incremental = await begin(json.id, 'incremental')
  await kill(8)
  erp.control.set({ latencyMs: 0 })
  expect(await ended(incremental)).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await differencesButVanished(source, erp)).toEqual([])
  expect(erp.control.counts().writes).toBe(0)
}, 240_000)
