import { adapterConformance } from '../../conformance/adapter.ts'
import { adapter, basicOf, connectionTo, startCompany } from './support.ts'
import type { SandboxOdoo } from '../../../sandbox/odoo/index.ts'

let odoo: SandboxOdoo
let refreshes = 0

beforeAll(async () => {
  const { company, odoo: one } = await startCompany({ size: 60 })
  odoo = one
  const order = company.orders.find(({ status }) => status === 'open')!
  company.receive(order, order.lines[0]!, 1)
  company.orders.findLast(({ status }) => status === 'open')!.status = 'draft'
})

const healthy = async () => ({
  ...connectionTo(odoo),
  credentials: {
    async authorization(refused?: string) {
      if (refused) refreshes++
      return basicOf(odoo.user.login, odoo.user.key)
    },
  },
})

adapterConformance({
  adapter,
  healthy,
  async oneBadRow() {
    const { company, odoo: other } = await startCompany({ size: 60 })
    const values = { default_code: company.items[1]!.code }
    other.set({ badRow: { model: 'product.product', id: 1, values } })
    return { connection: connectionTo(other), record: 'skus' }
  },
  async noRows() {
    const { odoo: other } = await startCompany({ size: 60 })
    other.set({ emptyModel: 'stock.move' })
    return { connection: connectionTo(other), record: 'customerOrders' }
  },
  unreadable: async () => ({
    connection: { ...(await healthy()), account: 'http://odoo.example.com' },
    code: 'insecure_address',
  }),
  http: {
    answerOnce: (status, headers) => odoo.answerOnce(status, headers),
    // Odoo gives no links: an answer that sends the caller elsewhere is the only way to lead away.
    linkElsewhereOnce() {
      odoo.answerOnce(302, { location: 'http://localhost:1/' })
      return { requests: () => 0 }
    },
    refreshes: () => refreshes,
    requests: () => odoo.log,
    readingPosts: [/^\/jsonrpc$/, /^\/json\/2\/[a-z_.]+\/(search_read|search_count|fields_get)$/],
  },
})
