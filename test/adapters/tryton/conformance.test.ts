import { adapterConformance, readAll, streamOf } from '../../conformance/adapter.ts'
import { adapter, connectionTo, startCompany } from './support.ts'
import type { SandboxTryton } from '../../../sandbox/tryton/index.ts'

let tryton: SandboxTryton

beforeAll(async () => {
  const { company, tryton: one } = await startCompany()
  tryton = one
  const order = company.orders.find(({ status }) => status === 'open')!
  company.receive(order, order.lines[0]!, 1)
})

const healthy = async () => connectionTo(tryton)
/** A session that is refused is a new logon. */
const logons = () => tryton.log.filter(({ call }) => call === 'common.db.login').length

adapterConformance({
  adapter,
  healthy,
  async oneBadRow() {
    const { company, tryton: other } = await startCompany()
    const { code } = company.items[1]!
    other.set({ badRow: { model: 'product.product', id: 1, values: { code } } })
    return { connection: connectionTo(other), record: 'skus' }
  },
  async noRows() {
    const { company, tryton: other } = await startCompany()
    company.salesOrders.length = 0
    return { connection: connectionTo(other), record: 'customerOrders' }
  },
  unreadable: async () => ({
    connection: { ...(await healthy()), account: 'http://tryton.example.com/company' },
    code: 'insecure_address',
  }),
  http: {
    answerOnce: (status, headers) => tryton.answerOnce(status, headers),
    // Tryton gives no links: an answer that sends the caller elsewhere is the only way to lead away.
    linkElsewhereOnce() {
      tryton.answerOnce(302, { location: 'http://localhost:1/' })
      return { requests: () => 0 }
    },
    // The first logon of a read is no renewal.
    refreshes: () => Math.max(0, logons() - readsBegun()),
    requests: () => tryton.log,
    readingPosts: [/^\/company\/$/],
  },
})

it('its warehouses have the time zone of the company', async () => {
  const { tryton: other } = await startCompany()
  const zones = async () => {
    const pages = await readAll(streamOf(adapter, connectionTo(other), 'locations'), null)
    const found = pages.flatMap(({ records }) => records) as { timeZone?: string | null }[]
    return [...new Set(found.map(({ timeZone }) => timeZone))]
  }
  expect(await zones()).toEqual([null])
  other.set({
    badRow: { model: 'company.company', id: 1, values: { timezone: 'Asia/Tokyo' } },
  })
  expect(await zones()).toEqual(['Asia/Tokyo'])
})

/** Every read of all streams begins with one logon. */
const readsBegun = () =>
  tryton.log.filter(({ call, status }) => call === 'res.user.get_preferences' && status === 200)
    .length
