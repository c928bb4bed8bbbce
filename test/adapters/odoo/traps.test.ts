// What Odoo does otherwise than one expects.
import { Fatal } from '../../../adapters/errors.ts'
import type { RecordKind } from '../../../adapters/records.ts'
import { OdooClient } from '../../../adapters/odoo/client.ts'
import { HttpClient } from '../../../adapters/http/client.ts'
import { Address } from '../../../adapters/http/address.ts'
import { json2 } from '../../../adapters/odoo/transports.ts'
import { dayReader } from '../../../adapters/odoo/values.ts'
import { readAll, readRecords, streamOf } from '../../conformance/adapter.ts'
import { Copy, differences } from '../copy.ts'
import { adapter, basicOf, connectionTo, startCompany } from './support.ts'
import type { SandboxOdoo } from '../../../sandbox/odoo/index.ts'
import { stockOf, TRANSIT } from '../../../sandbox/odoo/places.ts'
import { uomOf } from '../../../sandbox/odoo/units.ts'

const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => null,
    (error: unknown) => (error instanceof Fatal ? error.code : error),
  )

const recordsOf = <K extends RecordKind>(odoo: SandboxOdoo, record: K, options = {}) =>
  readRecords(adapter, connectionTo(odoo, options), record)

const readOf = (odoo: SandboxOdoo, record: 'skus' | 'demand', options = {}) =>
  readAll(streamOf(adapter, connectionTo(odoo, options), record))

it('tries again after an error inside HTTP 200, and takes refused rights as final', async () => {
  const { company, odoo } = await startCompany({ size: 20 }, { version: 17 })
  odoo.set({ rpcErrorOnce: 'psycopg2.errors.SerializationFailure' })
  const pages = await readOf(odoo, 'skus')
  expect(pages.flatMap(({ records }) => records)).toHaveLength(company.items.length)
  odoo.set({ forbidden: ['stock.move'] })
  expect(await codeOf(readOf(odoo, 'demand'))).toBe('forbidden')
})

it.each([19, 17])('asks once for another key when Odoo %i refuses it', async (version) => {
  const { odoo } = await startCompany({ size: 20 }, { version })
  odoo.set({ isKeyRevoked: true })
  let asked = 0
  const connection = {
    ...connectionTo(odoo),
    credentials: {
      async authorization(refused?: string) {
        if (refused) {
          asked++
          throw new Fatal('reconsent_required', 'Enter the key again.')
        }
        return basicOf(odoo.user.login, odoo.user.key)
      },
    },
  }
  expect(await codeOf(readAll(streamOf(adapter, connection, 'skus')))).toBe('reconsent_required')
  expect(asked).toBe(1)
})

it('needs a company where the user sees several, and a database for JSON-RPC', async () => {
  const { company, odoo } = await startCompany({ size: 20 }, { isMultiCompany: true })
  expect(await codeOf(readOf(odoo, 'skus'))).toBe('missing_company')
  const pages = await readOf(odoo, 'skus', { company: '1' })
  expect(pages.flatMap(({ records }) => records)).toHaveLength(company.items.length)
  odoo.set({ version: 17 })
  expect(await codeOf(readOf(odoo, 'skus', { database: undefined }))).toBe('missing_database')
})

it('leaves out what others own, and keeps archived products as not purchasable', async () => {
  const { company, odoo } = await startCompany({}, { hasConsignment: true })
  company.changeItem(company.items[0]!, { isActive: false })
  const copy = await new Copy(adapter, connectionTo(odoo)).sync('full')
  expect(differences(copy, company)).toEqual([])
})

it('rejects a second product with the same code, and calls one without a code by its number', async () => {
  const { company, odoo } = await startCompany({ size: 20 })
  const code = company.items[0]!.code
  odoo.set({ badRow: { model: 'product.product', id: 2, values: { default_code: code } } })
  const [second] = (await readOf(odoo, 'skus')).flatMap(({ quarantined }) => quarantined)
  expect(second).toMatchObject({ code: 'duplicate_key', place: 'product.product(2)' })
  odoo.set({ badRow: { model: 'product.product', id: 2, values: { default_code: false } } })
  const pages = await readOf(odoo, 'skus')
  expect(pages.flatMap(({ quarantined }) => quarantined)).toEqual([])
  const numbered = (await recordsOf(odoo, 'skus')).filter(({ sku }) => sku === '#2')
  expect(numbered).toMatchObject([{ identity: '2' }])
})

it('leaves a code to the product that is still sold', async () => {
  const { company, odoo } = await startCompany({ size: 20 })
  const { code } = company.items[0]!
  odoo.set({
    badRow: { model: 'product.product', id: 2, values: { default_code: code, active: false } },
  })
  const skus = await recordsOf(odoo, 'skus')
  expect(skus.filter(({ sku }) => sku.startsWith(code))).toMatchObject([
    { sku: code, identity: '1', purchasable: true },
    { sku: `${code} (#2)`, identity: '2', purchasable: false },
  ])
  const stock = (await recordsOf(odoo, 'stock')).filter(({ sku }) => sku === code)
  const own = company.pairs.filter(({ item }) => item.id === 1).map(({ onHand }) => onHand)
  expect(stock.map(({ onHand, backorders = 0 }) => onHand - backorders).sort()).toEqual(own.sort())
})

it('waits where Odoo is asked too often and does not say how long', async () => {
  const { company, odoo } = await startCompany({ size: 20 })
  odoo.answerOnce(429)
  const pages = await readOf(odoo, 'skus')
  expect(pages.flatMap(({ records }) => records)).toHaveLength(company.items.length)
})

it('counts days in the time zone of the company', () => {
  const dayOf = dayReader('Europe/Berlin')
  expect(dayOf('2026-07-01 22:30:00', 'date')).toBe('2026-07-02')
  expect(dayOf('2026-12-01 22:30:00', 'date')).toBe('2026-12-01')
  expect(dayOf('2026-12-01', 'date')).toBe('2026-12-01')
  expect(dayOf(false, 'date')).toBeNull()
  expect(dayReader('UTC')('2026-07-01 22:30:00', 'date')).toBe('2026-07-01')
  expect(() => dayOf('2026-13-45 22:30:00', 'date')).toThrow('must be a day')
})

it('sends no write: a call that is not on the list is refused before a connection is opened', async () => {
  const { odoo } = await startCompany({ size: 20 })
  const { signal } = new AbortController()
  const http = new HttpClient({
    address: Address.parse(odoo.url, 'base_url'),
    reads: { get: [], post: ['/json/2/stock.move/search_read'] },
    credentials: null,
    concurrency: 1,
  })
  const transport = json2(http)
  for (const [model, method] of [
    ...[
      ['stock.move', 'write'],
      ['stock.move', 'unlink'],
      ['res.users', 'search_read'],
    ],
  ] as [string, string][]) {
    expect(await codeOf(transport.call(model, method, {}, signal))).toBe('request_not_allowed')
  }
  const url = http.address.url('/json/2/stock.move/write')
  expect(await codeOf(http.post(url, {}, signal))).toBe('request_not_allowed')
  expect(odoo.log).toHaveLength(0)
  // And Odoo would refuse it.
  const headers = { authorization: `bearer ${odoo.user.key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${odoo.url}/json/2/stock.move/write`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ ids: [1], vals: {} }) },
  })
  expect(answer.status).toBe(403)
})

it('writes alternatives as Odoo wants them', async () => {
  const asked: unknown[] = []
  const client = new OdooClient(
    async () => ({
      async call<T>(_model: string, _method: string, args: Record<string, unknown>) {
        asked.push(args.domain)
        return { result: 0 as T, serverTime: null }
      },
    }),
    10,
    async () => ({}),
  )
  const [a, b, c] = [
    ['a', '=', 1],
    ['b', '=', 2],
    ['c', '=', 3],
  ]
  const domain = [a, client.anyOf([b], [a, c, client.anyOf([a], [b])])]
  await client.count({ model: 'x', domain }, new AbortController().signal)
  expect(asked).toEqual([[a, '|', b, '&', '&', a, c, '|', a, b]])
})

it('asks for no more than is open or was changed', async () => {
  const { company, odoo } = await startCompany({ size: 1000 })
  // Its orders are no longer new.
  company.clock.advance(1)
  const copy = await new Copy(adapter, connectionTo(odoo, { page_size: 1000 })).sync('full')
  company.clock.advance(1)
  for (const pair of company.pairs.slice(0, 20)) company.sell(pair, 1)
  const before = odoo.log.length
  await copy.sync()
  expect(differences(copy, company)).toEqual([])
  const rows = odoo.log.slice(before).reduce((sum, entry) => sum + entry.rows, 0)
  const open = company.orders.length + company.salesOrders.length
  // Quants, lots that expire and the codes of products are a snapshot; all else is what was changed or is open.
  expect(rows).toBeLessThan(company.items.length + 3 * company.pairs.length + 5 * open)
})

it('knows the parts of kits that customers ordered, and nothing of what suppliers send them', async () => {
  const behaviour = { hasKitsAndDropShipping: true }
  const { company, odoo } = await startCompany({ size: 60 }, behaviour)
  const wish = [{ pair: company.pairs[0]!, quantity: 3, dueInDays: 2 }]
  const orders = [company.takeSalesOrder(wish), company.takeSalesOrder(wish)]
  const copy = await new Copy(adapter, connectionTo(odoo)).sync('full')
  const found = copy.rows('customerOrders')
  const own = orders.map(({ number }) => found.filter(({ document }) => document === number))
  const kits = orders.findIndex(({ id }) => id % 2 !== 0)
  expect(own[kits]).toMatchObject([{ quantity: 6, due: orders[kits]!.lines[0]!.due }])
  expect(own[1 - kits]).toEqual([])
})

it('keeps an order whose price is in a currency without a code, without the price', async () => {
  const { odoo } = await startCompany({ size: 20 })
  const [order] = await recordsOf(odoo, 'openOrders')
  const { unitCost, currency, ...rest } = order!
  expect([Number(unitCost) > 0, currency]).toEqual([true, 'EUR'])
  const id = Number(order!.line.split('/')[0])
  const values = { currency_id: { id: 3, name: 'US$' } }
  odoo.set({ badRow: { model: 'purchase.order.line', id, values } })
  expect((await recordsOf(odoo, 'openOrders'))[0]).toEqual(rest)
})

it.each([19, 16])(
  'reads what subcontractors bring, and what is sent to them: Odoo %i',
  async (version) => {
    const { company, odoo } = await startCompany({ size: 60 }, { version, subcontracts: true })
    const copy = await new Copy(adapter, connectionTo(odoo)).sync('full')
    expect(differences(copy, company)).toEqual([])
    const order = company.orders.find(({ id, status }) => status === 'open' && id % 2 === 0)!
    const pair = company.pairs.find(({ onHand }) => onHand > 20)!
    company.clock.advance(1)
    company.receive(order, order.lines[0]!, 1)
    const sold = [company.sell(pair, 5), company.sell(pair, 6)]
    for (const sale of sold) company.takeBack(pair, 2, sale)
    await copy.sync()
    expect(differences(copy, company)).toEqual([])
    expect(copy.rows('receipts').some(({ document }) => document === order.number)).toBe(true)
    expect(copy.quarantined).toEqual([])
  },
)

it.each([19, 16])(
  'has on order what is between two warehouses, once it has left the first: Odoo %i',
  async (version) => {
    const { company, odoo } = await startCompany({ size: 20 }, { version })
    const before = await recordsOf(odoo, 'openOrders')
    const { item, location } = company.pairs[0]!
    const move = (id: number, state: string, more: object = {}) => ({
      ...{ id: 3_000_000_000 + id, state, company_id: { id: 1, name: 'Company' } },
      ...{ product_id: { id: item.id, name: item.name }, location_id: TRANSIT },
      ...{ location_dest_id: stockOf(location.id), product_uom: uomOf(item.unit, 1) },
      ...{ product_uom_qty: 12, quantity: 5, reserved_availability: 5, quantity_done: 0 },
      ...{ purchase_line_id: false, sale_line_id: false, origin_returned_move_id: false },
      ...{ origin: 'OP/00012', reference: `WH/IN/${id}`, date: '2031-05-06 10:00:00' },
      ...{ write_date: '2026-01-01 10:00:00', ...more },
    })
    odoo.set({
      otherMoves: [
        move(1, 'assigned'),
        move(2, 'partially_available', { reference: false }),
        move(3, 'waiting'),
        move(4, 'done'),
        move(5, 'assigned', { location_dest_id: TRANSIT, location_id: stockOf(location.id) }),
      ],
    })
    const known = new Set(before.map(({ document, line }) => `${document} ${line}`))
    const after = await recordsOf(odoo, 'openOrders')
    const found = after.filter(({ document, line }) => !known.has(`${document} ${line}`))
    const common = {
      ...{ sku: item.code, location: location.code, due: '2031-05-06', supplier: null },
      ...{ orderedOn: null, reference: null },
    }
    expect(found).toMatchObject([
      { document: 'WH/IN/1', line: '3000000001', quantity: 12, ...common },
      { document: 'OP/00012', line: '3000000002', quantity: 5, ...common },
    ])
    expect(after).toHaveLength(before.length + 2)
  },
)

it('counts orders from the day on which they were confirmed, not from the deadline of the request', async () => {
  const { company, odoo } = await startCompany({ size: 20 })
  const order = company.orders.find(
    ({ status, lines }) => status === 'open' && lines[0]!.quantity > 1,
  )!
  company.receive(order, order.lines[0]!, 1)
  const values = { date_order: '2031-12-24 08:00:00', date_approve: '2026-11-03 08:00:00' }
  odoo.set({ badRow: { model: 'purchase.order', id: order.id, values } })
  const [receipts, open] = [await recordsOf(odoo, 'receipts'), await recordsOf(odoo, 'openOrders')]
  for (const rows of [receipts, open]) {
    const days = rows.filter(({ document }) => document === order.number)
    expect(days[0]).toMatchObject({ orderedOn: '2026-11-03' })
  }
})

it.each([19, 16])(
  'counts what one warehouse sends to another as its demand: Odoo %i',
  async (version) => {
    const { company, odoo } = await startCompany({ size: 20 }, { version })
    const { item, location } = company.pairs[0]!
    const other = company.locations.find(({ id }) => id !== location.id)!
    const move = (id: number, from: object, to: object, returned: number | false = false) => ({
      ...{ id: 3_000_000_000 + id, state: 'done', company_id: { id: 1, name: 'Company' } },
      ...{ product_id: { id: item.id, name: item.name }, location_id: from },
      ...{ location_dest_id: to, product_uom: uomOf(item.unit, 1), product_uom_qty: 12 },
      ...{ quantity: 12, quantity_done: 12, purchase_line_id: false, sale_line_id: false },
      origin_returned_move_id: returned && { id: 3_000_000_000 + returned, name: 'Move' },
      ...{ date: '2026-11-05 10:00:00', write_date: '2026-11-05 10:00:00' },
    })
    const [here, there] = [stockOf(location.id), stockOf(other.id)]
    odoo.set({
      otherMoves: [
        move(1, here, TRANSIT),
        move(2, TRANSIT, there),
        // The other one sends it back, and the first takes it back.
        move(3, there, TRANSIT, 2),
        move(4, TRANSIT, here, 1),
        // Moved by hand, without an order.
        move(5, here, there),
      ],
    })
    const sentOf = async (options = {}) =>
      (await recordsOf(odoo, 'demand', { history_days: 3650, ...options }))
        .filter(({ document }) => Number(document) > 3_000_000_000)
        .map(({ document, quantity, reversalOf, ...row }) => [
          ...[Number(document) - 3_000_000_000, row.location, quantity, reversalOf],
        ])
    expect(await sentOf()).toEqual([
      [1, location.code, 12, undefined],
      [4, location.code, -12, '3000000001'],
    ])
    expect(await sentOf({ transfer_demand: false })).toEqual([])
  },
)
