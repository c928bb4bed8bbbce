// An ERP that orders keys without regard to case: ranges cannot be told from keys, and nothing is lost.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { conditionsFor, DISTANCE } from '../../../adapters/odata/keys.ts'
import type { Erp, PairTruth } from '../../../sandbox/index.ts'
import { Copy, connectionTo, startSmallErp, streamOf } from './support.ts'

let erp: Erp
let other: Server
let copy: Copy

/** Every other code of the sandbox in lower case: its order is that of the codes in upper case. */
const mixed = (text: string) =>
  text.replace(/RS-(\d{5})([13579])/g, (_, start: string, end: string) => `rs-${start}${end}`)
const upper = (text: string) => text.replace(/rs-(\d{6})/g, 'RS-$1')

beforeAll(async () => {
  erp = await startSmallErp({ size: 60 })
  other = createServer((request, response) => {
    const { authorization = '', accept = '' } = request.headers
    void fetch(erp.url + upper(request.url!), { headers: { authorization, accept } }).then(
      async (answer) => {
        const type = answer.headers.get('content-type')!
        const url = `http://localhost:${(other.address() as AddressInfo).port}`
        response.writeHead(answer.status, { 'content-type': type })
        response.end(mixed((await answer.text()).replaceAll(erp.url, url)))
      },
    )
  })
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const connection = connectionTo(erp, { page_size: 25, purchase_orders: 'v2' })
  const account = `http://localhost:${(other.address() as AddressInfo).port}`
  copy = await new Copy({ ...connection, account }).sync('full')
})
afterAll(async () => {
  other.closeAllConnections()
  await new Promise((done) => other.close(done))
  await erp.close()
})

const rowsOf = (set: string) => erp.control.traffic()[set]?.rows ?? 0

/** What a copy should hold of a pair, whose code it has in another case. */
const planned = ({ sku, location }: PairTruth) => copy.planning.get(`${mixed(sku)}\n${location}`)

it('is read whole where others are read in turn', async () => {
  const pairs = [...erp.truth({ demand: false })]
  expect([...copy.planning.keys()].some((key) => key.startsWith('rs-'))).toBe(true)
  expect(copy.planning.size).toBe(pairs.length)
  expect(copy.stock.size).toBe(pairs.length)
  for (const record of ['planning', 'stock'] as const) {
    expect(JSON.parse(copy.cursors.get(record)!)).toMatchObject({ turn: null })
  }
  const pair = pairs.findLast(({ sku }) => mixed(sku) !== sku)!
  const { sku, location } = pair
  erp.control.change([
    { kind: 'planning', sku, location, values: { LotSizeRoundingQuantity: '77.000' } },
    { kind: 'order', sku, location, quantity: 5 },
  ])
  erp.control.clearLog()
  await copy.sync()
  expect(planned(pair)).toMatchObject({ lotSize: 77 })
  expect(rowsOf('A_ProductPlant')).toBeGreaterThanOrEqual(pairs.length)
  expect(copy.stock.size).toBe(pairs.length)
  const orders = [...copy.openOrders.values()].filter((order) => order.sku === mixed(sku))
  expect(orders).toHaveLength(pair.openOrders.length + 1)
  expect(copy.quarantined).toEqual([])
})

it('gives rows of keys in another case within a range, which belong to it', async () => {
  const { filter, covers } = conditionsFor('Product', ['rs-1', 'rs-3'], DISTANCE.gaps)[0]!
  expect(filter).toBe("(Product ge 'rs-1' and Product le 'rs-3')")
  expect(['rs-1', 'RS-2', 'rs-3', 'RS-4', 'rs-0'].map(covers)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  const stream = streamOf(copy.connection, 'skus')
  await copy.syncOne(stream)
  expect(copy.skus.size).toBe(60)
})
