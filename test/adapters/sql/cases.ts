// What holds on each database.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Page, Stream } from '../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import type { RecordKind } from '../../../adapters/records.ts'
import { sqlAdapter } from '../../../adapters/sql/index.ts'
import {
  createViews,
  insertRows,
  type Login,
  type TestDatabase,
  type ViewRows,
} from '../../support/databases/database.ts'
import { adapterConformance, readAll, streamOf } from '../../conformance/adapter.ts'
import { kindsConformance } from '../../conformance/adapter-kinds.ts'

const LINE = { document: 'PO-1', line: '1', sku: '007', location: 'L1', quantity: 12.5 }
const AT = '2026-11-20 06:00:00.123456'

const sale = (id: number, more: object = {}) => ({
  ...{ id: String(id), sku: '007', location: 'L1', day: '2026-11-19', quantity: 2 },
  ...{ created_at: AT, changed_at: AT, ...more },
})

/** Some of each, with what databases and ERPs bring along: leading zeros, quotes, letters that some take for the same. */
const ROWS = {
  locations: [
    { location: 'L1', name: "Ulm's", country: 'DE', region: 'BW', time_zone: 'Europe/Berlin' },
  ],
  suppliers: [{ supplier: 'V1', name: 'Müller & Söhne' }],
  items: [
    ...['007', 'a', 'A'].map((sku) => ({ sku, name: sku, unit: 'PC', unit_cost: 1.23456 })),
    { sku: "Ä'1", purchasable: false, phase_out_on: '2027-01-31', successor: '007' },
  ].map((row) => ({ ...row, changed_at: AT })),
  planning: [
    { sku: '007', location: 'L1', lead_time_days: 9, moq: 24, lot_size: 0, changed_at: AT },
    { sku: 'A', location: 'L1', lead_time_days: null, currency: 'EUR', changed_at: AT },
  ],
  price_breaks: [{ sku: '007', from_quantity: 100, unit_cost: 1.1 }],
  closures: [{ supplier: 'V1', first_day: '2027-08-02', last_day: '2027-08-22', reason: 'Works' }],
  supplier_terms: [{ supplier: 'V1', minimum_order_value: 250, orders_by_location: true }],
  stock: [
    { sku: '007', location: 'L1', on_hand: -3.25, blocked: 2 },
    { sku: 'a', location: 'L1', on_hand: 1 },
    { sku: 'A', location: 'L1', on_hand: 2 },
  ],
  batches: [{ sku: '007', location: 'L1', batch: 'B-1', expires_on: '2026-12-24', quantity: 3.5 }],
  stock_history: [{ sku: '007', location: 'L1', day: '2026-11-18', on_hand: 0 }],
  open_orders: [
    { ...LINE, due: '2026-12-01', supplier: 'V1', ordered_on: '2026-11-01' },
    {
      ...{ ...LINE, document: 'PO-2', due: '2026-12-01' },
      ...{ confirmed_on: '2026-12-11', confirmed_quantity: 8.25 },
    },
  ],
  drafts: [
    {
      ...{ document: 'V-1', line: '1', sku: '007', location: '', kind: 'contract', quantity: 0 },
      ...{ currency: 'EUR', agreed_value: 5000, ordered_value: 12.5 },
    },
    { document: 'PR-1', line: '10', sku: '007', location: 'L1', kind: 'requisition', quantity: 20 },
  ],
  customer_orders: [{ ...LINE, document: 'SO-1', due: '2026-11-30' }],
  reservations: [{ ...LINE, document: 'R-1' }],
  receipts: [
    { ...LINE, receipt: 'GR-1', received_on: '2026-11-10', changed_at: AT },
    { ...LINE, receipt: 'GR-2', quantity: -2, received_on: '2026-11-11', changed_at: AT },
  ],
  exchange_rates: [
    { from_currency: 'USD', to_currency: 'EUR', valid_from: '2026-01-01', rate: 0.92 },
  ],
  planned_events: [
    { kind: 'promotion', first_day: '2026-12-01', last_day: '2026-12-06', factor: 2 },
  ],
  erp_forecasts: [
    { sku: '007', location: 'L1', first_day: '2026-12-01', last_day: '2026-12-31', quantity: 40 },
  ],
  demand: Array.from({ length: 7 }, (_, at) => sale(at + 1)),
} satisfies ViewRows

const VIEW_NAMES = Object.keys(ROWS) as (keyof typeof ROWS)[]
const adapter = sqlAdapter()

export function sqlCases(
  start: () => Promise<TestDatabase>,
  tooMuch: (database: TestDatabase) => Record<string, readonly string[]>,
) {
  let database: TestDatabase
  beforeAll(async () => {
    database = await start()
    await createViews(database, 'restock_', ROWS)
    await createViews(database, 'few_', { demand: [], stock: [] })
    const bad = { ...sale(9), quantity: null }
    await createViews(database, 'bad_', { demand: [...ROWS.demand.slice(1), bad] })
  }, 120_000)
  afterAll(() => database?.stop())

  const connectionOf = (
    options: Record<string, unknown> = {},
    { user, password }: Login = database.reader,
  ): Connection => ({
    ...{ account: database.account, role: '', baseUrl: null },
    options: { page_size: 2, ...options },
    credentials: {
      authorization: async (refused) => {
        if (refused) throw new Fatal('reconsent_required', 'refused')
        return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
      },
    },
  })

  adapterConformance({
    adapter,
    healthy: async () => connectionOf({ changed_at: 'all' }),
    oneBadRow: async () => ({ connection: connectionOf({ prefix: 'bad_' }), record: 'demand' }),
    noRows: async () => ({ connection: connectionOf({ prefix: 'few_' }), record: 'stock' }),
    unreadable: async () => ({
      connection: { ...connectionOf({ tls: 'off' }), account: 'mysql://db.example.com/erp' },
      code: 'insecure_address',
    }),
    http: { notFor: 'a database has a protocol of its own' },
  })

  const AS_WRITTEN = { notFor: 'views hold what was written for them' }
  kindsConformance(adapter, {
    async missing() {
      const account = database.account.replace(/\/\w+$/, '/elsewhere')
      return { connection: { ...connectionOf(), account }, target: 'account' }
    },
    severalCompanies: { notFor: 'views show one company' },
    ...{ kits: AS_WRITTEN, codeReused: AS_WRITTEN, codeTwice: AS_WRITTEN },
    ...{ supplierOrder: AS_WRITTEN, rounding: AS_WRITTEN, orderPrice: AS_WRITTEN },
    codeChanged: { notFor: 'a view knows a SKU by its code alone' },
    refusedList: { notFor: 'drafts are one view' },
    confirmation: async () => ({
      ...{ connection: connectionOf(), document: 'PO-2', unconfirmed: 'PO-1' },
      line: {
        ...{ quantity: 12.5, due: '2026-12-01' },
        ...{ confirmedOn: '2026-12-11', confirmedQuantity: 8.25 },
      },
    }),
  })

  const recordsOf = async (stream: Stream, since: string | null = null) => {
    const pages = await readAll(stream, since)
    return { pages, records: pages.flatMap(({ records }) => records), ...ends(pages) }
  }
  const ends = (pages: Page[]) => ({
    cursor: pages.at(-1)!.cursor,
    deleted: pages.flatMap(({ deleted }) => deleted ?? []),
    rows: pages.at(-1)!.progress.done,
  })
  const read = (record: RecordKind, options: object = {}) =>
    recordsOf(streamOf(adapter, connectionOf({ ...options }), record))

  it('reads the country and the time zone of a location', async () => {
    expect((await read('locations')).records).toEqual([
      {
        ...{ location: 'L1', name: "Ulm's", country: 'DE', region: 'BW' },
        timeZone: 'Europe/Berlin',
      },
    ])
  })

  it('reads codes and numbers as they are, and lets what is missing be missing', async () => {
    expect((await read('stock')).records).toEqual([
      {
        ...{ sku: '007', location: 'L1', onHand: 0, backorders: 3.25 },
        ...{ inInspection: 0, blocked: 2, inTransit: 0 },
      },
      expect.objectContaining({ sku: 'A', onHand: 2 }),
      expect.objectContaining({ sku: 'a', onHand: 1 }),
    ])
    const { records } = await read('skus')
    expect(records).toHaveLength(4)
    expect(records[0]).toMatchObject({ sku: '007', unitCost: '1.2346', supplier: null })
    expect(records).toContainEqual(
      expect.objectContaining({ sku: "Ä'1", purchasable: false, phaseOutOn: '2027-01-31' }),
    )
    expect((await read('planning')).records).toMatchObject([
      { sku: '007', leadTimeDays: 9, lotSize: null },
      { sku: 'A', leadTimeDays: null, moq: null },
    ])
  })

  it('reads what has changed since, its deletions too, and all of it once more within the overlap', async () => {
    const prefix = 'day_'
    const older = (at: number) => `2026-11-20 0${at % 6}:00:00`
    const demand = Array.from({ length: 5000 }, (_, at) =>
      sale(at + 1, { changed_at: older(at), created_at: older(at) }),
    )
    await createViews(database, prefix, { demand })
    const options = { prefix, page_size: 5000 }
    const stream = () => streamOf(adapter, connectionOf(options), 'demand')
    const { cursor, records } = await recordsOf(stream())
    expect(records).toHaveLength(5000)

    await database.run(`DELETE FROM day_data_demand WHERE id IN ('2', '3')`)
    const changed = '2026-11-20 07:00:00'
    await insertRows(database, prefix, {
      demand: [
        sale(2, { day: '2026-11-18', changed_at: changed }),
        sale(3, { deleted: true, changed_at: changed }),
        sale(6001, { changed_at: changed, created_at: changed }),
      ],
    })
    const next = await recordsOf(stream(), cursor)
    const within = demand.filter(({ changed_at }) => changed_at === older(5)).length
    expect(next.rows).toBe(within + 3)
    expect(next.deleted).toEqual([{ document: '2' }, { document: '3' }])
    expect(next.records).toContainEqual(
      expect.objectContaining({ document: '2', date: '2026-11-18' }),
    )
    expect(next.records).not.toContainEqual(expect.objectContaining({ document: '3' }))
    expect((await recordsOf(stream(), next.cursor)).rows).toBe(3)
  })

  it('keeps one of two rows with one key', async () => {
    await createViews(database, 'twice_', {
      stock: [...ROWS.stock, { sku: 'a', location: 'L1', on_hand: 5 }],
      demand: [sale(1), sale(1), sale(2), sale(3, { changed_at: null })],
    })
    for (const [record, count] of [
      ['stock', 3],
      ['demand', 2],
    ] as const) {
      const { pages, records } = await read(record, { prefix: 'twice_', page_size: 100 })
      expect(records).toHaveLength(count)
      const [{ code } = { code: '' }] = pages.flatMap(({ quarantined }) => quarantined)
      expect(['duplicate_key', 'invalid_value']).toContain(code)
    }
  })

  it('takes rows for the same that store the same, however the view writes their keys', async () => {
    const { run } = database
    await run('CREATE TABLE alike_stock (sku varchar(9), location varchar(9), on_hand int)')
    await run(`INSERT INTO alike_stock VALUES ('A', 'L1', 5), ('A', 'L2', 6), ('A ', 'L1', 5)`)
    await run(`CREATE TABLE alike_demand
      (sku varchar(9), location varchar(9), day timestamp NULL, quantity int, id varchar(9))`)
    await run(`INSERT INTO alike_demand VALUES ('A', 'L1', '2026-11-18 08:30:00', 2, NULL),
      ('A', 'L1', '2026-11-18 12:00:00', 3, NULL), ('A', 'L1', '2026-11-19 12:00:00', 4, ''),
      ('A', 'L1', '2026-11-19 12:30:00', 5, '7')`)
    await run(`CREATE TABLE alike_price_breaks
      (sku varchar(9), location varchar(9), from_quantity varchar(9), unit_cost decimal(9, 2))`)
    await run(`INSERT INTO alike_price_breaks VALUES ('A', '', '100', 2), ('A', NULL, '100.0', 2)`)
    const found = async (record: RecordKind) => {
      const { pages, records } = await read(record, { prefix: 'alike_', changed_at: 'none' })
      const rejected = pages.flatMap(({ quarantined }) => quarantined).map(({ code }) => code)
      return { count: records.length, rejected }
    }
    expect(await found('stock')).toEqual({ count: 2, rejected: ['duplicate_key'] })
    expect(await found('demand')).toEqual({ count: 3, rejected: ['duplicate_key'] })
    expect(await found('priceBreaks')).toEqual({ count: 1, rejected: ['duplicate_key'] })
  })

  it('keeps the second of two rows with one key where the first is rejected', async () => {
    await database.run('CREATE TABLE half_stock (sku varchar(9), location varchar(9), on_hand int)')
    await database.run(`INSERT INTO half_stock VALUES ('A', 'L1', NULL)`)
    await database.run(`INSERT INTO half_stock VALUES ('A', 'L1', 5)`)
    const { pages, records } = await read('stock', { prefix: 'half_' })
    expect(records).toMatchObject([{ sku: 'A', onHand: 5 }])
    expect(pages.flatMap(({ quarantined }) => quarantined)).toMatchObject([
      { code: 'missing_value', target: 'on_hand' },
    ])
  })

  it('tells rows of demand without an id where changes alone are read', async () => {
    await createViews(database, 'anon_', { demand: [sale(1), sale(2, { id: null })] })
    const { pages, records } = await read('demand', { prefix: 'anon_' })
    expect(records).toMatchObject([{ document: '1' }])
    const rejected = pages.flatMap(({ quarantined }) => quarantined)
    expect(rejected).toMatchObject([{ code: 'missing_value', target: 'id' }])
  })

  it('finds columns whose names are written in capitals', async () => {
    const mark = database.kind === 'postgres' ? '"' : '`'
    const named = (name: string) => mark + name + mark
    await database.run(`CREATE VIEW loud_planning AS SELECT sku AS ${named('SKU')}, location,
      lead_time_days AS ${named('Lead_Time_Days')}, moq AS ${named('MOQ')}, changed_at
      FROM restock_data_planning WHERE sku = '007'`)
    for (const changed_at of ['none', 'all']) {
      const { records } = await read('planning', { prefix: 'loud_', changed_at })
      expect(records).toMatchObject([{ sku: '007', leadTimeDays: 9, moq: 24 }])
    }
  })

  it('reads numbers and flags as text and binary fractions have them', async () => {
    const float = database.kind === 'postgres' ? 'float8' : 'double'
    await database.run(`CREATE TABLE odd_demand (sku varchar(9), location varchar(9), day char(12),
      quantity varchar(9), price ${float}, promo char(6))`)
    await database.run(`INSERT INTO odd_demand VALUES ('A', 'L1', ' 2026-11-18', '   2.50', 0.00002, 'TRUE'),
      ('A', 'L1', '2026-11-19', '.5', 1e15, 'No'), ('A', 'L1', '2026-11-20', '-.5', 2.5, 'N')`)
    const { pages, records } = await read('demand', { prefix: 'odd_', changed_at: 'none' })
    expect(records).toMatchObject([
      { date: '2026-11-18', quantity: 2.5, price: 0.00002, promo: true },
      { date: '2026-11-20', quantity: -0.5, price: 2.5, promo: false },
    ])
    expect(pages.flatMap(({ quarantined }) => quarantined)).toMatchObject([
      { target: 'price', message: 'price must be at most 1000000000000.' },
    ])
  })

  it('tells the view and the column that are missing', async () => {
    await database.run('CREATE VIEW narrow_stock AS SELECT sku, location FROM restock_data_stock')
    await database.run(
      'CREATE VIEW narrow_demand AS SELECT sku, location, day, quantity FROM restock_data_demand',
    )
    const faultOf = (record: RecordKind) => read(record, { prefix: 'narrow_' }).catch(String)
    const { schema } = database
    expect(await faultOf('stock')).toContain(
      `The view ${schema}.narrow_stock lacks the column on_hand.`,
    )
    expect(await faultOf('demand')).toContain(
      'lacks the columns id, changed_at. The option changed_at',
    )
    expect(await faultOf('planning')).toMatchObject({ records: [] })
    const checks = await adapter.check(
      connectionOf({ prefix: 'narrow_' }),
      new AbortController().signal,
    )
    expect(checks.find(({ record }) => record === 'planning')).toMatchObject({ status: 'absent' })
    const totals = await read('demand', { prefix: 'narrow_', changed_at: 'none' })
    expect(totals.records).toHaveLength(1)
    expect(totals.pages.flatMap(({ quarantined }) => quarantined)).toHaveLength(6)
  })

  it('refuses a login that could write, and says by which right', async () => {
    for (const [sentence, statements] of Object.entries(tooMuch(database))) {
      const user = `w${Math.random().toString(36).slice(2, 10)}`
      const login = await database.login(user, [])
      for (const statement of statements) await database.run(statement.replaceAll('$', user))
      const check = adapter.check(connectionOf({}, login), new AbortController().signal)
      const error = await check.catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'unexpected_rights', target: 'client_id' })
      expect((error as Error).message).toContain(sentence)
      await expect(
        readAll(streamOf(adapter, connectionOf({}, login), 'stock')),
      ).rejects.toMatchObject({ code: 'unexpected_rights' })
    }
  })

  it('refuses a wrong password once, and a database that is away', async () => {
    const wrong = connectionOf({}, { user: 'reader', password: 'wrong' })
    await expect(readAll(streamOf(adapter, wrong, 'stock'))).rejects.toMatchObject({
      code: 'reconsent_required',
    })
    const away = { ...connectionOf(), account: 'postgresql://127.0.0.1:1/erp' }
    await expect(readAll(streamOf(adapter, away, 'stock'))).rejects.toThrow(Retriable)
  })

  it('may be tried again where the connection is lost between two pages', async () => {
    const login = await database.login('lost', [])
    await grantAll('lost')
    const stream = streamOf(adapter, connectionOf({ page_size: 1 }, login), 'demand')
    const reading = stream.read(null, new AbortController().signal)
    const pages = reading[Symbol.asyncIterator]()
    await pages.next()
    await database.cut('lost')
    const readOn = async () => {
      while (!(await pages.next()).done);
    }
    const rows = database.kind === 'postgres' ? readOn() : readOn().catch(retriable)
    if (database.kind === 'postgres') await expect(rows).rejects.toThrow(Retriable)
    else await rows
  })
  // MariaDB may have sent the few rows before it was cut.
  const retriable = (error: unknown) => expect(error).toBeInstanceOf(Retriable)

  it('cancels the statement at the database where it is aborted, and where it is too slow', async () => {
    await database.run(
      `CREATE VIEW slow_stock AS SELECT sku, location, on_hand, ${database.sleep(30)} AS blocked FROM restock_data_stock`,
    )
    const login = await database.login('slow', [])
    await grantAll('slow', ['slow_stock'])
    const stream = (options: object) =>
      streamOf(adapter, connectionOf({ prefix: 'slow_', ...options }, login), 'stock')
    const controller = new AbortController()
    const reading = readAll(stream({}), null, controller.signal)
    reading.catch(() => {})
    while (!(await database.busy('slow'))) await sleep(50)
    const began = Date.now()
    controller.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
    while (await database.busy('slow')) await sleep(50)
    await expect(readAll(stream({ timeout_seconds: 1 }))).rejects.toThrow(/gave no rows in time/)
    while (await database.busy('slow')) await sleep(50)
    expect(Date.now() - began).toBeLessThan(15_000)
  })

  async function grantAll(
    user: string,
    names: string[] = VIEW_NAMES.map((name) => `restock_${name}`),
  ) {
    if (database.kind === 'postgres') await database.run(`GRANT USAGE ON SCHEMA public TO ${user}`)
    for (const name of names) {
      const to = database.kind === 'postgres' ? user : `${user}@'%'`
      await database.run(`GRANT SELECT ON ${database.schema}.${name} TO ${to}`)
    }
  }
}
