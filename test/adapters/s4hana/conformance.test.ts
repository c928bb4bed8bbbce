import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../../../adapters/adapter.ts'
import { adapterConformance } from '../../conformance/adapter.ts'
import type { Change, Erp, ErpOptions, PairTruth } from '../../../sandbox/index.ts'
import { adapter, connectionTo, startSmallErp } from './support.ts'

const OPTIONS = { page_size: 30, document_page_size: 10 }
const started: Erp[] = []
let erp: Erp
let elsewhere: Server
let strangers = 0
let refreshes = 0

const start = async (options: ErpOptions = {}) => {
  const one = await startSmallErp({ maxPage: 20, ...options })
  started.push(one)
  return one
}

beforeAll(async () => {
  erp = await start()
  const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
  erp.control.change([
    { kind: 'reserve', sku, location, reservation: '1', quantity: 3 },
    { kind: 'planRequirement', sku, location, from: '2026-12-01', quantity: 40 },
    { kind: 'stock', sku, location, batch: 'C-1', quantity: 7 },
    ...draftsOf(sku, location),
  ])
  elsewhere = createServer((_request, response) => {
    strangers++
    response.end()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => erp.control.clearFaults())
afterAll(async () => {
  for (const one of started) await one.close()
  elsewhere.close()
})

/** A planned order, and a batch that expires. */
const draftsOf = (sku: string, location: string): Change[] => [
  {
    ...{ kind: 'row', set: 'A_PlannedOrder', key: { PlannedOrder: '0000000071' } },
    values: {
      ...{ Material: sku, MRPPlant: location, MaterialProcurementCategory: 'F' },
      ...{ TotalQuantity: '8.000', PlndOrderPlannedEndDate: Date.parse('2026-12-09') },
    },
  },
  {
    ...{
      kind: 'row',
      set: 'Batch',
      key: { Material: sku, BatchIdentifyingPlant: '', Batch: 'C-1' },
    },
    values: { ShelfLifeExpirationDate: Date.parse('2027-01-31') },
  },
]

/** Counts the refusals that it is told of. */
const healthy = async (): Promise<Connection> => ({
  ...connectionTo(erp, OPTIONS),
  credentials: {
    async authorization(refused) {
      if (refused) refreshes++
      return erp.basic
    },
  },
})

async function changed(record: 'customerOrders' | 'locations', change: (one: Erp) => void) {
  const one = await start()
  change(one)
  return { connection: connectionTo(one, OPTIONS), record }
}

adapterConformance({
  adapter,
  healthy,
  oneBadRow: () =>
    changed('customerOrders', (one) => {
      const [first] = [...one.truth({ demand: false })].flatMap((pair) => pair.customerOrders)
      const { order, item, scheduleLine } = first!
      const key = { SalesOrder: order, SalesOrderItem: item, ScheduleLine: scheduleLine }
      const values = { ScheduleLineOrderQuantity: 'many' }
      one.control.change([{ kind: 'row', set: 'A_SalesOrderScheduleLine', key, values }])
    }),
  noRows: () =>
    changed('locations', (one) => {
      for (const Plant of ['1010', '1020', '1030', '1040']) {
        one.control.change([{ kind: 'row', set: 'A_Plant', key: { Plant }, values: null }])
      }
    }),
  unreadable: async () => ({
    connection: { ...(await healthy()), account: 'http://erp.example.com' },
    code: 'insecure_address',
  }),
  http: {
    answerOnce: (status, headers = {}) =>
      erp.control.fault({ kind: 'status', status, retryAfter: headers['retry-after'] }),
    linkElsewhereOnce() {
      const { port } = elsewhere.address() as AddressInfo
      strangers = 0
      const to = `http://localhost:${port}`
      erp.control.fault({ kind: 'foreign', match: 'A_Product\\?', to })
      return { requests: () => strangers }
    },
    refreshes: () => refreshes,
    requests: () => erp.log.map(({ method, path }) => ({ method, path })),
    readingPosts: [],
  },
})
