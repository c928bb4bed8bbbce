// SIGKILL in the middle of a sync; another process goes on with it, on the same database.
import path from 'node:path'
import cds from '@sap/cds'
import { CLIENT, type Erp, startErp } from '../../erp/index.ts'
import { differences, differencesButVanished } from '../../support/erp-truth.ts'
import { until } from '../../support/service.ts'
import { KilledService } from './killed-service.ts'

cds.root = path.resolve(import.meta.dirname, '../../..')

type Named = { id: string }

let erp: Erp
let service: KilledService
afterAll(async () => {
  await service?.end('SIGKILL')
  await erp?.close()
  await (cds.db as unknown as { disconnect(): Promise<void> } | undefined)?.disconnect()
})

const requests = () => erp.log.filter(({ data }) => data).length

/** Kills the service some requests later, and starts another one. */
async function kill(requestsLater: number) {
  const from = requests()
  await until(async () => requests() >= from + requestsLater, 60)
  expect(await service.end('SIGKILL')).toBe('SIGKILL')
  service = await KilledService.start()
}

const ended = async (sync: string) => {
  let state = { status: 'queued' }
  await until(async () => {
    state = await service.call<typeof state>('GET', `/syncs/${sync}`)
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
  service = await KilledService.start()
  const { id } = await service.call<Named>('POST', '/sources', {
    ...{ type: 's4hana', account: erp.url, role: 'Z_RESTOCK_READ' },
    ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
    options: { auth: 'basic', page_size: 20, document_page_size: 10 },
  })
  erp.control.set({ latencyMs: 40 })
  const full = await service.call<Named>('POST', `/sources/${id}/sync`, { mode: 'full' })
  for (const later of [15, 60]) await kill(later)
  erp.control.set({ latencyMs: 5 })
  expect(await ended(full.id)).toMatchObject({ status: 'succeeded', issues: [] })
  await connectToDatabase()
  const source = Number(id.slice(4))
  expect(await differences(source, erp)).toEqual([])

  erp.control.advance(2)
  erp.control.set({ latencyMs: 40 })
  const incremental = await service.call<Named>('POST', `/sources/${id}/sync`, {
    mode: 'incremental',
  })
  await kill(8)
  erp.control.set({ latencyMs: 0 })
  expect(await ended(incremental.id)).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await differencesButVanished(source, erp)).toEqual([])
  expect(erp.control.counts().writes).toBe(0)
}, 240_000)
