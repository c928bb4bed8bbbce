// SIGKILL in the middle of a sync; another process goes on with it, on the same database.
import path from 'node:path'
import cds from '@sap/cds'
import { Syncs } from '../../../srv/base/database/entities.ts'
import { type Change, CLIENT, type Erp, type PairTruth, startErp } from '../../../sandbox/index.ts'
import { differences } from '../../support/erp-truth.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'
import { storedRows } from '../../support/stored-rows.ts'
import { firstLists, hangAt, type Lists, listsAfterDocuments, oldestDays } from './hanging-pages.ts'

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

/** The lease of what it was doing has ended by the time that another one starts. */
async function killService() {
  expect(await service.end('SIGKILL')).toBe('SIGKILL')
  await cds.ql.UPDATE.entity(Syncs).set({ leaseUntil: null }).where({ status: 'running' })
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

/** Kills the service while it waits for pages of these lists. */
async function killAt(lists: Lists, goOn: () => Promise<unknown>) {
  await hangAt(erp, lists, goOn)
  await killService()
  erp.control.clearFaults()
}

const restart = async () => (service = await start())

async function connect(): Promise<string> {
  const { json } = await service.call('POST', '/sources', {
    ...{ type: 's4hana', account: erp.url, role: 'Z_RESTOCK_READ' },
    ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
    options: {
      ...{ auth: 'basic', page_size: 5, document_page_size: 3, concurrency: 8 },
      purchase_orders: 'v2',
    },
  })
  return json.id
}
const numberOf = (source: string) => Number(source.slice(4))

it('what is killed goes on elsewhere, and loses and doubles nothing', async () => {
  erp = await startErp({ size: 24, days: 14 })
  service = await start()
  await connectToDatabase()
  const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
  const order: Change = { kind: 'order', sku, location, quantity: 9 }
  erp.control.change(Array.from({ length: 20 }, () => order))
  const killed = await connect()

  // A full sync, in the middle of its reading.
  erp.control.set({ latencyMs: 40 })
  const full = await begin(killed, 'full')
  await until(async () => requests() >= 60, 60)
  await killService()
  erp.control.set({ latencyMs: 0 })
  await restart()
  expect(await ended(full)).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await differences(numberOf(killed), erp)).toEqual([])

  // An incremental one, at each of its lists: it stores what a full one stores.
  const skus = [
    ...new Set(
      [...erp.truth({ demand: false })].flatMap((pair) => (pair.supplier ? pair.sku : [])),
    ),
  ]
  const open = [...erp.truth({ demand: false })].flatMap(({ openOrders }) => openOrders)
  const [closed, received, late] = open.map(({ order, item }) => ({ order, item }))
  erp.control.change([
    { kind: 'orderLine', ...closed!, completed: true, stamped: false },
    { kind: 'receive', ...received!, quantity: 1 },
    { kind: 'scheduleLine', ...late!, due: '2027-05-05', stamped: false },
    // Several pages of one day.
    ...Array.from({ length: 9 }, (): Change => ({ kind: 'issue', sku, location, quantity: 1 })),
    ...skus
      .slice(0, 20)
      .map((each): Change => ({ kind: 'rename', sku: each, name: `New ${each}` })),
    ...skus.slice(0, 20).map((each): Change => ({ kind: 'price', sku: each, price: 12.3 })),
  ])
  let sync = ''
  const first = async () => (sync = await begin(killed, 'incremental'))
  await killAt(firstLists, first)
  await killAt(oldestDays, restart)
  await killAt(listsAfterDocuments, restart)
  await restart()
  expect(await ended(sync)).toMatchObject({ status: 'succeeded', issues: [] })
  const whole = await connect()
  expect(await ended(await begin(whole, 'full'))).toMatchObject({ status: 'succeeded' })
  expect(await storedRows(numberOf(killed))).toEqual(await storedRows(numberOf(whole)))
  expect(erp.control.counts().writes).toBe(0)
}, 240_000)
