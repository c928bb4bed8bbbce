// What a Tryton may hold beside the ordinary: codes that several have, several companies, kits, prices in any order.
import { readAll, readRecords, streamOf } from '../../conformance/adapter.ts'
import { Fatal } from '../../../adapters/errors.ts'
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { pricesOf } from '../../../adapters/tryton/terms.ts'
import type { SandboxTryton } from '../../../sandbox/tryton/index.ts'
import type { ModelRecord } from '../../../sandbox/models/predicate.ts'
import {
  CUSTOMERS,
  FACTORY,
  storageOf,
  SUPPLIERS,
  warehouseId,
} from '../../../sandbox/tryton/places.ts'
import { day, days, decimal } from '../../../sandbox/tryton/values.ts'
import { adapter, connectionTo, productLike, startCompany, TIMES } from './support.ts'

const signal = new AbortController().signal

const records = <K extends RecordKind>(tryton: SandboxTryton, record: K, options = {}) =>
  readRecords(adapter, connectionTo(tryton, options), record)

const refusal = async (reading: Promise<unknown>) => {
  const error: unknown = await reading.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Fatal)
  const { code, target, message } = error as Fatal
  return { code, target, message }
}

const moveOf = (id: number, values: Record<string, unknown>): ModelRecord => ({
  ...{ id, state: 'draft', company: { id: 1 }, product: { id: 1 }, internal_quantity: 4 },
  ...{ planned_date: day('2026-12-24'), effective_date: null, origin: null, shipment: null },
  ...{ create_date: null, write_date: null, ...values },
})

describe('the database and the company', () => {
  it('refuses a database that is not there, in the field that names it', async () => {
    const { tryton } = await startCompany()
    const connection = connectionTo(tryton)
    const wrong = { ...connection, account: connection.account.replace('company', 'compnay') }
    const said = { code: 'missing_database', target: 'account' }
    const answer = await refusal(adapter.check(wrong, signal))
    expect(answer).toMatchObject(said)
    expect(answer.message).toMatch(/has no Tryton database called compnay\.$/)
    expect(await refusal(readAll(streamOf(adapter, wrong, 'demand')))).toMatchObject(said)
    const root = tryton.url.replace('/company', '')
    const named = { ...connectionTo(tryton, { database: 'other' }), account: root }
    expect((await refusal(adapter.check(named, signal))).target).toBe('options.database')
  })

  it('asks a user of several companies which one is read, and refuses another', async () => {
    const { tryton } = await startCompany()
    tryton.set({ companies: [1, 2] })
    const said = { code: 'missing_company', target: 'options.company' }
    const open = await refusal(adapter.check(connectionTo(tryton), signal))
    expect(open).toMatchObject(said)
    expect(open.message).toContain('choose one of 1 (Sandbox), 2 (?).')
    const other = await refusal(adapter.check(connectionTo(tryton, { company: 3 }), signal))
    expect(other).toMatchObject(said)
    expect(other.message).toContain('does not work for company 3')
    const checks = await adapter.check(connectionTo(tryton, { company: 1 }), signal)
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['ok']))
    tryton.set({ companyFilter: 'one' })
    const hidden = await refusal(adapter.check(connectionTo(tryton, { company: 2 }), signal))
    expect(hidden).toMatchObject(said)
    expect(hidden.message).toContain('sees nothing of 2 (?): set its company to that one')
    expect(await adapter.check(connectionTo(tryton, { company: 1 }), signal)).not.toEqual([])
    tryton.set({ companies: [] })
    expect(await refusal(adapter.check(connectionTo(tryton), signal))).toMatchObject(said)
  })

  it('reads nothing of another company', async () => {
    const { company, tryton } = await startCompany()
    const warehouse = { id: 901 }
    const foreign = { company: { id: 2 }, product: { id: 1 } }
    tryton.set({
      more: {
        'company.company': () => [{ id: 2, currency: null, timezone: null, party: null }],
        'stock.location': () => [
          { id: 901, name: 'Other', code: 'OTHER', type: 'warehouse', active: true, warehouse },
          { id: 902, name: 'Storage', code: null, type: 'storage', active: true, warehouse },
        ],
        'stock.order_point': () => [
          { id: 90_001, ...foreign, warehouse_location: { id: 901 }, ...TIMES },
        ],
        'stock.move': () => [
          moveOf(2_000_000_001, {
            ...{ ...foreign, from_location: SUPPLIERS, to_location: { id: 902, type: 'storage' } },
          }),
        ],
        'product.product': (at) => [
          productLike(company, 9_001, { code: 'X', quantity: at === 901 ? 32 : 0 }),
        ],
      },
    })
    const codes = company.locations.map(({ code }) => code).sort()
    const locations = await records(tryton, 'locations')
    expect(locations.map(({ location }) => location).sort()).toEqual(codes)
    for (const kind of ['stock', 'planning', 'openOrders'] as const) {
      const found = await records(tryton, kind)
      expect(found.filter(({ location }) => location === 'OTHER')).toEqual([])
    }
  })

  it('leaves the day of the stock to Tryton', async () => {
    const { tryton } = await startCompany()
    await records(tryton, 'stock')
    expect(JSON.stringify(tryton.bodies)).not.toContain('stock_date_end')
  })

  it('finds each missing right when it connects', async () => {
    const { tryton } = await startCompany()
    for (const right of adapter.neededRights(connectionTo(tryton))) {
      const model = right.replace('Read ', '')
      tryton.set({ forbidden: [model] })
      const checks = await adapter.check(connectionTo(tryton), signal)
      const refused = checks.filter(({ status }) => status === 'forbidden')
      expect([model, ...new Set(refused.flatMap(({ rights }) => rights))]).toEqual([model, right])
    }
    tryton.set({ forbidden: ['purchase.line.component'] })
    const checks = await adapter.check(connectionTo(tryton), signal)
    expect(checks.find(({ record }) => record === 'openOrders')).toMatchObject({
      ...{ status: 'forbidden', rights: ['Read purchase.line.component'] },
    })
  })
})

describe('codes', () => {
  it('belong to the product that is still bought', async () => {
    const { company, tryton } = await startCompany()
    const { code } = company.items[0]!
    tryton.set({
      badRow: { model: 'product.product', id: 1, values: { active: 0 } },
      more: { 'product.product': () => [productLike(company, 9_001, { quantity: 7 })] },
    })
    const skus = await records(tryton, 'skus')
    expect(skus.filter(({ sku }) => sku.startsWith(code))).toMatchObject([
      { sku: `${code} (#1)`, identity: '1', purchasable: false },
      { sku: code, identity: '9001', purchasable: true },
    ])
    const stock = (await records(tryton, 'stock')).filter(({ sku }) => sku === code)
    expect(stock.map(({ onHand }) => onHand)).toEqual(company.locations.map(() => 7))
    const demand = await records(tryton, 'demand')
    expect(demand.some(({ sku }) => sku === `${code} (#1)`)).toBe(true)
    expect(demand.some(({ sku }) => sku === code)).toBe(false)
  })

  it('of two that are bought are refused with a sentence', async () => {
    const { company, tryton } = await startCompany()
    const { code } = company.items[0]!
    tryton.set({
      more: { 'product.product': () => [productLike(company, 9_001, { quantity: 7 })] },
    })
    const pages = await readAll(streamOf(adapter, connectionTo(tryton), 'skus'))
    expect(pages.flatMap(({ quarantined }) => quarantined)).toMatchObject([
      {
        ...{ code: 'duplicate_key', target: 'code', place: 'product.product(9001)', sku: code },
        message: expect.stringContaining('is that of product 1 too') as string,
      },
    ])
    const own = company.pairs.filter(({ item }) => item.id === 1).map(({ onHand }) => onHand)
    const stock = (await records(tryton, 'stock')).filter(({ sku }) => sku === code)
    expect(stock.map(({ onHand, backorders = 0 }) => onHand - backorders).sort()).toEqual(
      own.sort(),
    )
  })

  it('are not needed: what has none goes by its number', async () => {
    const { company, tryton } = await startCompany()
    tryton.set({
      more: { 'product.product': () => [productLike(company, 9_001, { code: null, quantity: 7 })] },
    })
    const pages = await readAll(streamOf(adapter, connectionTo(tryton), 'skus'))
    expect(pages.flatMap(({ quarantined }) => quarantined)).toEqual([])
    const stock = await records(tryton, 'stock')
    expect(stock.filter(({ sku }) => sku === '#9001').map(({ onHand }) => onHand)).toContain(7)
  })

  it('of two warehouses are told apart, and said', async () => {
    const { company, tryton } = await startCompany()
    const [first, second] = company.locations
    const id = warehouseId(second!.id)
    tryton.set({ badRow: { model: 'stock.location', id, values: { code: first!.code } } })
    const pages = await readAll(streamOf(adapter, connectionTo(tryton), 'locations'))
    const name = `${first!.code} (#${id})`
    const locations = pages.flatMap((page) => page.records) as RecordOf<'locations'>[]
    expect(locations.map(({ location }) => location)).toEqual(
      expect.arrayContaining([first!.code, name]),
    )
    expect(pages.flatMap(({ notes = [] }) => notes)).toEqual([
      `Warehouse ${id} has the code ${first!.code} of another one, and is called ${name} here.`,
    ])
    const stock = await records(tryton, 'stock')
    const sum = (location: string) =>
      stock.reduce((all, row) => all + (row.location === location ? row.onHand : 0), 0)
    const truth = (at: typeof first) =>
      company.pairs.reduce((all, { location, onHand }) => {
        return all + (location === at ? Math.max(0, onHand) : 0)
      }, 0)
    expect([sum(first!.code), sum(name)]).toEqual([truth(first), truth(second)])
  })
})

describe('what is to be moved', () => {
  it('of kits are their parts', async () => {
    const { company, tryton } = await startCompany()
    const at = storageOf(company.locations[0]!.id)
    const purchase = { id: 77, number: 'KIT-1', reference: null, purchase_date: day('2026-11-02') }
    const line = { id: 5_001, purchase: { ...purchase, party: { code: 'SUP' } } }
    tryton.set({
      more: {
        'stock.move': () => [
          moveOf(2_000_000_001, {
            ...{ origin: 'purchase.line.component,31', from_location: SUPPLIERS, to_location: at },
          }),
          moveOf(2_000_000_002, {
            ...{ origin: 'sale.line.component,32', from_location: at, to_location: CUSTOMERS },
          }),
          moveOf(2_000_000_003, {
            ...{ origin: 'purchase.line.component,31', from_location: SUPPLIERS, to_location: at },
            ...{ state: 'done', effective_date: day(new Date().toISOString().slice(0, 10)) },
          }),
        ],
        'purchase.line.component': () => [{ id: 31, line }],
        'sale.line.component': () => [
          { id: 32, line: { id: 6_001, sale: { id: 78, number: 'SO-KIT' } } },
        ],
      },
    })
    const { code: sku } = company.items[0]!
    const location = company.locations[0]!.code
    const of = { sku, location, quantity: 4 }
    const ordered = await records(tryton, 'openOrders')
    expect(ordered.filter(({ document }) => document === 'KIT-1')).toMatchObject([
      { ...of, line: '5001/2000000001', supplier: 'SUP', orderedOn: '2026-11-02' },
    ])
    const promised = await records(tryton, 'customerOrders')
    expect(promised.filter(({ document }) => document === 'SO-KIT')).toMatchObject([
      { ...of, line: '6001/2000000002', due: '2026-12-24' },
    ])
    const received = await records(tryton, 'receipts')
    expect(received.filter(({ document }) => document === 'KIT-1')).toMatchObject([
      { ...of, line: '5001', receipt: '2000000003' },
    ])
  })

  it('between warehouses, in production, back to where it came from and without an order counts', async () => {
    const { company, tryton } = await startCompany()
    const [from, to] = company.locations.map(({ id }) => storageOf(id))
    const transit = { id: 903, type: 'storage' }
    const moves: [number, object, object, object?][] = [
      [1, from!, to!, { shipment: 'stock.shipment.internal,5' }],
      [2, transit, to!],
      [3, from!, transit],
      [4, FACTORY, to!, { production_output: 1 }],
      [5, CUSTOMERS, to!, { shipment: 'stock.shipment.out.return,6' }],
      [6, from!, SUPPLIERS],
      [7, from!, FACTORY, { production_input: 1 }],
      [8, SUPPLIERS, to!],
      [9, from!, CUSTOMERS],
      [10, from!, from!],
    ]
    tryton.set({
      more: {
        'stock.location': () => [
          { ...transit, name: 'Transit', code: null, active: true, warehouse: null, address: null },
        ],
        'stock.move': () =>
          moves.map(([at, here, there, more]) =>
            moveOf(2_000_000_000 + at, { from_location: here, to_location: there, ...more }),
          ),
        'stock.shipment.internal': () => [{ id: 5, number: 'INT-5' }],
      },
    })
    const ofThese = async (kind: 'openOrders' | 'customerOrders' | 'reservations') =>
      (await records(tryton, kind))
        .filter(({ line }) => Number(line) > 2_000_000_000)
        .map(({ line, location, document }) => {
          return [Number(line) - 2_000_000_000, location, document]
        })
    const [a, b] = company.locations.map(({ code }) => code)
    expect(await ofThese('openOrders')).toEqual([
      [1, b, 'INT-5'],
      [2, b, 'stock.move,2000000002'],
      [4, b, 'MO-1'],
      [5, b, 'stock.shipment.out.return,6'],
      [8, b, 'stock.move,2000000008'],
    ])
    expect(await ofThese('customerOrders')).toEqual([[9, a, 'stock.move,2000000009']])
    expect(await ofThese('reservations')).toEqual([
      [1, a, 'INT-5'],
      [3, a, 'stock.move,2000000003'],
      [6, a, 'stock.move,2000000006'],
      [7, a, 'MO-1'],
    ])
  })
})

it('counts what one warehouse sends to another as its demand, once', async () => {
  const { company, tryton } = await startCompany()
  const [from, to] = company.locations.map(({ id }) => storageOf(id))
  const transit = { id: 903, type: 'storage' }
  const shipment = 'stock.shipment.internal,5'
  const moves: [number, object, object, string | null][] = [
    [1, from!, to!, shipment],
    [2, from!, transit, shipment],
    [3, transit, to!, shipment],
    [4, from!, from!, shipment],
    [5, from!, to!, null],
  ]
  tryton.set({
    more: {
      'stock.location': () => [
        { ...transit, name: 'Transit', code: null, active: true, warehouse: null, address: null },
      ],
      'stock.move': () =>
        moves.map(([at, here, there, of]) => ({
          ...moveOf(2_000_000_000 + at, { from_location: here, to_location: there, shipment: of }),
          ...{ state: 'done', effective_date: day('2026-11-05') },
        })),
    },
  })
  const sentOf = async (options = {}) =>
    (await records(tryton, 'demand', { history_days: 3650, ...options }))
      .filter(({ document }) => Number(document) > 2_000_000_000)
      .map(({ document, location }) => [Number(document) - 2_000_000_000, location])
  const { code } = company.locations[0]!
  expect(await sentOf()).toEqual([
    [1, code],
    [2, code],
  ])
  expect(await sentOf({ transfer_demand: false })).toEqual([])
})

describe('terms', () => {
  const supplierOf = (id: number, values: Record<string, unknown>): ModelRecord => ({
    ...{ id, template: { id: 1 }, product: null, active: true, company: { id: 1 } },
    ...{ sequence: 5, lead_time: days(21), currency: { code: 'EUR' }, prices: [] },
    party: { id: 9_000 + id, code: `S${id}`, name: null, supplier_lead_time: null },
    ...{ ...TIMES, ...values },
  })
  const supplierIn = async (...rows: ModelRecord[]) => {
    const { company, tryton } = await startCompany()
    tryton.set({
      badRow: { model: 'purchase.product_supplier', id: 1, values: { sequence: 5 } },
      more: { 'purchase.product_supplier': () => rows },
    })
    const { code, supplier } = company.items[0]!
    const found = (await records(tryton, 'planning')).find(({ sku }) => sku === code)
    return found!.supplier === supplier.code ? 'its own' : found!.supplier
  }

  it('are those of the supplier that Tryton takes: without a sequence first, then by number', async () => {
    expect(await supplierIn(supplierOf(8_001, { sequence: null }))).toBe('S8001')
    expect(await supplierIn(supplierOf(8_001, { sequence: 5 }))).toBe('its own')
    expect(await supplierIn(supplierOf(8_001, { sequence: 4 }))).toBe('S8001')
    const ofProduct = supplierOf(8_001, { sequence: 9, product: { id: 1 } })
    expect(await supplierIn(ofProduct)).toBe('S8001')
    expect(await supplierIn(supplierOf(8_001, { sequence: 1, active: false }))).toBe('its own')
    expect(await supplierIn(supplierOf(8_001, { sequence: 1, lead_time: null }))).toBe('its own')
  })

  it('have the price of the last row that matches, in the order of their sequence', () => {
    const row = (id: number, sequence: number | null, quantity: number) => ({
      ...{ id, product_supplier: 1, sequence, quantity, unit_price: `${id}` },
    })
    const steps = (...rows: ReturnType<typeof row>[]) =>
      pricesOf(rows).map(({ quantity, unit_price: price }) => [quantity, price])
    expect(steps(row(1, 1, 0), row(2, 2, 100))).toEqual([
      [0, '1'],
      [100, '2'],
    ])
    // The rows stand in the wrong order: the first one of all is also the last that matches.
    expect(steps(row(1, 2, 0), row(2, 1, 100))).toEqual([[0, '1']])
    expect(steps(row(1, 1, 10), row(2, 1, 10))).toEqual([[10, '2']])
    expect(steps(row(1, 3, 50), row(2, null, 0), row(3, 1, 100))).toEqual([
      [0, '2'],
      [50, '1'],
    ])
  })

  it.each([
    [{ factor: 1000, rate: 0.001, rounding: 0.01 }, 10],
    [{ factor: 96, rate: 0.010416666667, rounding: 0.5 }, 48],
    [{ factor: 12, rate: 0.083333333333, rounding: 1 }, 12],
    [{ factor: 12, rate: 0.083333333333, rounding: 0.01 }, null],
    [{ factor: 0.001, rate: 1000, rounding: 1 }, null],
  ])('round orders as the unit of purchase does: %o', async (unit, lotSize) => {
    const { company, tryton } = await startCompany()
    const values = { purchase_uom: { id: 55, symbol: 'x', ...unit } }
    tryton.set({ badRow: { model: 'product.product', id: 1, values } })
    const { code } = company.items[0]!
    const found = (await records(tryton, 'planning')).filter(({ sku }) => sku === code)
    expect(found.length).toBeGreaterThan(0)
    for (const row of found) expect(row.lotSize).toBe(lotSize)
  })
})

it.each([
  ['below zero', { unit_price: decimal('-1.5') }],
  ['in a currency without a code', null],
])('a price %s is left out, and the order counts', async (_, wrong) => {
  const { company, tryton } = await startCompany()
  const [order] = await records(tryton, 'openOrders')
  const { unitCost, currency, ...rest } = order!
  expect([Number(unitCost) > 0, currency]).toEqual([true, 'EUR'])
  const id = Number(order!.line.split('/')[0])
  const { number, orderedAt, supplier } = company.orders.find(({ lines }) =>
    lines.some((line) => line.id === id),
  )!
  const purchase = {
    ...{ number, reference: null, currency: { code: 'US$' }, party: { code: supplier.code } },
    purchase_date: day(new Date(orderedAt).toISOString().slice(0, 10)),
  }
  tryton.set({ badRow: { model: 'purchase.line', id, values: wrong ?? { purchase } } })
  expect((await records(tryton, 'openOrders'))[0]).toEqual(rest)
})
