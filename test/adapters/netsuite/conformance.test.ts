import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../../../adapters/adapter.ts'
import type { NetsuiteErp } from '../../../sandbox/netsuite/index.ts'
import { adapterConformance } from '../../conformance/adapter.ts'
import { adapter, closeAll, connectionTo, startSmall } from './support.ts'

let erp: NetsuiteErp
let elsewhere: Server
let strangers = 0
let refreshes = 0

beforeAll(async () => {
  erp = await startSmall()
  const [order] = erp.company.orders.filter(({ status }) => status === 'open')
  erp.company.receive(order!, order!.lines[0]!, 1)
  erp.company.orders.findLast(({ status }) => status === 'open')!.status = 'draft'
  const [pair] = erp.company.pairs
  erp.execute(
    `INSERT INTO inventorynumber VALUES (1, ${pair!.item.id}, 'L', '2031-05-31 00:00:00')`,
  )
  erp.execute(`INSERT INTO inventorynumberlocation VALUES (1, ${pair!.location.id}, 7)`)
  elsewhere = createServer((_request, response) => {
    strangers++
    response.end()
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => erp.clearFaults())
afterAll(async () => {
  await closeAll()
  elsewhere.close()
})

/** Counts the refusals that it is told of. */
const healthy = async (): Promise<Connection> => ({
  ...connectionTo(erp, { page_size: 200 }),
  credentials: {
    async authorization(refused) {
      if (refused) refreshes++
      return erp.header()
    },
  },
})

async function changed(record: 'stock' | 'suppliers', sql: string) {
  const one = await startSmall()
  one.execute(sql)
  return { connection: connectionTo(one), record }
}

adapterConformance({
  adapter,
  healthy,
  oneBadRow: () =>
    changed('stock', "UPDATE aggregateitemlocation SET quantityonhand = 'many' WHERE item = 7"),
  noRows: () => changed('suppliers', 'DELETE FROM vendor'),
  unreadable: async () => ({
    connection: { ...(await healthy()), account: '1234567 or so' },
    code: 'invalid_account',
  }),
  http: {
    answerOnce: (status, headers = {}) => erp.fault({ status, retryAfter: headers['retry-after'] }),
    linkElsewhereOnce() {
      const { port } = elsewhere.address() as AddressInfo
      strangers = 0
      erp.fault({ status: 200, link: `http://localhost:${port}/services/rest/query/v1/suiteql` })
      return { requests: () => strangers }
    },
    refreshes: () => refreshes,
    requests: () => erp.log.map(({ method, path }) => ({ method, path })),
    readingPosts: [/^\/services\/rest\/query\/v1\/suiteql$/],
  },
})
