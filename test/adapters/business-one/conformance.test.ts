import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../../../adapters/adapter.ts'
import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { adapterConformance } from '../../conformance/adapter.ts'
import { adapter, connectionTo } from './support.ts'

const started: BusinessOneSandbox[] = []
let erp: BusinessOneSandbox
let elsewhere: Server
let strangers = 0

const start = async () => {
  const one = await startBusinessOne(makeCompany({ size: 60, days: 40 }), { maxPage: 90 })
  const order = one.company.orders.find(({ status }) => status === 'open')!
  one.company.receive(order, order.lines[0]!, 1)
  one.company.orders.findLast(({ status }) => status === 'open')!.status = 'draft'
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

const healthy = async (): Promise<Connection> =>
  connectionTo(erp, { batches_query: 'restock_batches' })

const posts = (path: string) => erp.log.filter((entry) => entry.path === path).length

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
      erp.fault({ match: /Items\?/, linkTo: `http://localhost:${port}/more` })
      return { requests: () => strangers }
    },
    // A read logs on and off once; what goes beyond is a new session.
    refreshes: () => posts('/b1s/v2/Login') - posts('/b1s/v2/Logout'),
    requests: () => erp.log.map(({ method, path }) => ({ method, path })),
    readingPosts: [/^\/b1s\/v2\/(Login|Logout)$/],
  },
})
