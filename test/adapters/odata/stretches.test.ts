// Stretches of a long list, read from a sandbox ERP: what they keep is what naming each key brings.
import { ODataReader, pathsOf } from '../../../adapters/odata/reader.ts'
import { Stretches } from '../../../adapters/odata/stretches.ts'
import { HttpClient } from '../../../adapters/http/client.ts'
import { Address } from '../../../adapters/http/address.ts'
import { HEADERS } from '../../../adapters/s4hana/orders/lines.ts'
import { SERVICES } from '../../../adapters/s4hana/services.ts'
import { SCHEDULE_LINES_V2 } from '../../../adapters/s4hana/orders/v2.ts'
import { type Erp, startErp } from '../../../sandbox/index.ts'

interface Line {
  PurchasingDocument: string
  PurchasingDocumentItem: string
  ScheduleLine: string
}

const { signal } = new AbortController()
let erp: Erp
let orders: string[]
let byOrder: Map<string, string>
const named = (rows: readonly Line[]) =>
  rows.map((row) => `${row.PurchasingDocumentItem}/${row.ScheduleLine}`).join(' ')

const reader = (pageSize: number) =>
  new ODataReader(
    new HttpClient({
      address: Address.parse(erp.url, 'account'),
      reads: { get: pathsOf(SERVICES) },
      credentials: { authorization: async () => erp.basic },
      concurrency: 4,
    }),
    { parameters: {}, pageSize },
  )

const stretches = (pageSize = 60) =>
  new Stretches<Line, string>(reader(pageSize), SCHEDULE_LINES_V2, named)

const asked = () => erp.log.filter(({ path }) => path.endsWith('ScheduleLine'))

beforeAll(async () => {
  erp = await startErp({ size: 300, days: 200, now: '2026-11-20T06:00:00Z' })
  const all = await reader(5_000).all<Line>(SCHEDULE_LINES_V2, signal)
  byOrder = new Map(
    [...Map.groupBy(all, (row) => row.PurchasingDocument)].map(([key, rows]) => [key, named(rows)]),
  )
  const headers = await reader(5_000).all<{ PurchaseOrder: string }>(HEADERS.v2, signal)
  orders = headers.map(({ PurchaseOrder }) => PurchaseOrder)
})
beforeEach(() => erp.control.clearLog())
afterAll(() => erp.close())

const whole = (keys: readonly string[]) =>
  new Map(keys.flatMap((key) => (byOrder.has(key) ? [[key, byOrder.get(key)!] as const] : [])))

it.each([7, 60, 5_000])('bring all rows of each key, in pages of %i', async (pageSize) => {
  const some = stretches(pageSize)
  // Parts that overlap, backwards, with single ones far away.
  for (let at = orders.length; at > 0; at -= 37) {
    const keys = [...orders.slice(Math.max(0, at - 50), at).filter((_key, n) => n % 3), orders[1]!]
    expect(await some.of(new Set(keys), signal)).toEqual(whole([...new Set(keys)]))
  }
})

it('ask for no row twice, whoever asks at once', async () => {
  const some = stretches()
  const parts = [orders.slice(100, 160), orders.slice(120, 200), orders.slice(90, 130)]
  const found = await Promise.all(parts.map((keys) => some.of(new Set(keys), signal)))
  for (const [at, keys] of parts.entries()) expect(found[at]).toEqual(whole(keys))
  const rows = asked().reduce((sum, { rows }) => sum + rows, 0)
  expect(rows).toBeLessThan([...byOrder.values()].join(' ').split(' ').length)
  erp.control.clearLog()
  await some.of(new Set(orders.slice(100, 180)), signal)
  expect(asked()).toEqual([])
})

it('name the keys of which there are few', async () => {
  const [one, other] = [orders[5]!, orders.at(-5)!]
  expect(await stretches().of(new Set([one, other, 'none']), signal)).toEqual(whole([one, other]))
  expect(asked()).toHaveLength(1)
})

it('are given up where a system does not order keys by their characters', async () => {
  erp.control.fault({ kind: 'repeat', match: 'ScheduleLine.*ge', times: 1 })
  const keys = orders.slice(20, 60)
  expect(await stretches().of(new Set(keys), signal)).toEqual(whole(keys))
})
