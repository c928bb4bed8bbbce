import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../../../adapters/adapter.ts'
import { startBusinessCentral } from '../../../sandbox/business-central/index.ts'
import type { BusinessCentralSandbox } from '../../../sandbox/business-central/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { adapterConformance } from '../../conformance/adapter.ts'
import { adapter, connectionTo } from './support.ts'

const started: BusinessCentralSandbox[] = []
let erp: BusinessCentralSandbox
let elsewhere: Server
let [strangers, refreshes] = [0, 0]

const start = async () => {
  const one = await startBusinessCentral(makeCompany({ size: 60, days: 40 }), { maxPage: 90 })
  const [pair] = one.company.pairs
  one.set({ requisitions: [{ pair: pair!, quantity: 5, due: '2031-02-03' }] })
  started.push(one)
  return one
}

beforeAll(async () => {
  erp = await start()
  elsewhere = createServer((_request, response) => {
    strangers++
    response.end()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, 'localhost', resolve))
})
beforeEach(() => erp.clearFaults())
afterAll(async () => {
  for (const one of started) await one.close()
  elsewhere.close()
})

const healthy = async (): Promise<Connection> => ({
  ...connectionTo(erp),
  credentials: {
    async authorization(refused) {
      if (refused) refreshes++
      return erp.basic
    },
  },
})

adapterConformance({
  adapter,
  healthy,
  async oneBadRow() {
    const one = await start()
    one.company.changeItem(one.company.items[5]!, { unit: 'U'.repeat(30) as never })
    return { connection: connectionTo(one), record: 'skus' }
  },
  async noRows() {
    const one = await start()
    one.company.salesOrders.splice(0)
    return { connection: connectionTo(one), record: 'customerOrders' }
  },
  unreadable: async () => ({
    connection: { ...(await healthy()), baseUrl: 'http://erp.example.com' },
    code: 'insecure_address',
  }),
  http: {
    answerOnce: (status, headers = {}) => erp.fault({ status, headers }),
    linkElsewhereOnce() {
      strangers = 0
      const { port } = elsewhere.address() as AddressInfo
      erp.fault({ match: /items\?/, linkTo: `http://localhost:${port}/more` })
      return { requests: () => strangers }
    },
    refreshes: () => refreshes,
    requests: () => erp.log.map(({ method, path }) => ({ method, path })),
    readingPosts: [],
  },
})
