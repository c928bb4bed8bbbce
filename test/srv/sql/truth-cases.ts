// The company that the S/4HANA sandbox shows, in views of a database: both sources store the same.
import { type Erp, startErp } from '../../../sandbox/index.ts'
import {
  createViews,
  insertRows,
  type TestDatabase,
  type ViewRow,
  type ViewRows,
} from '../../support/databases/database.ts'
import { differences, differencesButVanished, receiptDifferences } from '../../support/erp-truth.ts'
import { sync } from '../../support/server.ts'
import { storedRows } from '../../support/stored-rows.ts'
import { connect as connectErp } from '../s4hana/source.ts'
import { errorOf, get, post } from '../v1/api.ts'

/** What both have the same keys and columns of; names and numbers of receipts are not in the truth. */
const SAME = /^(stock|customerOrders|reservations|demand): /

export function truthCases(start: () => Promise<TestDatabase>) {
  let erp: Erp
  let database: TestDatabase
  beforeAll(async () => {
    erp = await startErp({ size: 60, days: 120 })
    database = await start()
  }, 120_000)
  afterAll(async () => {
    await erp?.close()
    await database?.stop()
  })

  const connection = (user: string, password: string) => ({
    ...{ type: 'sql', account: database.account, client_id: user, client_secret: password },
    options: { page_size: 500 },
    precedence: 100,
  })

  it('stores what the ERP has, row by row, in full and after days of business', async () => {
    const now = () => new Date().toISOString().replace('T', ' ').slice(0, 23)
    let rows = rowsOf(erp, now())
    await createViews(database, 'restock_', rows)
    const { user, password } = database.reader
    const { status, json } = await post('/sources', connection(user, password))
    expect({ status, json }).toMatchObject({ status: 201, json: { status: 'connected' } })
    const source = Number(json.id.slice(4))
    const other = (await connectErp(erp, 'basic', { purchase_orders: 'v2' })).source
    for (const each of [source, other])
      expect(await sync(each, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differences(source, erp)).toEqual([])
    expect(await receiptDifferences(source, erp)).toEqual([])
    expect(await sameRows(source)).toEqual(await sameRows(other))
    const { data } = (await get('/proposals')).json as { data: { source_id: string }[] }
    expect(data.map(({ source_id: id }) => id)).toContain(json.id)

    for (const days of [1, 3]) {
      erp.control.advance(days)
      const next = rowsOf(erp, now())
      await replaceRows(rows, next)
      rows = next
      for (const each of [source, other]) expect(await sync(each)).toMatchObject({ issues: [] })
      expect(await differencesButVanished(source, erp)).toEqual([])
      expect(await receiptDifferences(source, erp)).toEqual([])
      // What vanished is marked as deleted in a view; of an S/4HANA only the next full sync finds it.
      expect(await differencesButVanished(other, erp)).toEqual([])
    }
  })

  it('refuses to connect a login that could write', async () => {
    const login = await database.login('clerk', [])
    const { schema, kind } = database
    const to = kind === 'postgres' ? 'clerk' : "clerk@'%'"
    await database.run(`GRANT SELECT, DELETE ON ${schema}.restock_data_stock TO ${to}`)
    const answer = await post('/sources', connection(login.user, login.password))
    expect(answer.status).toBe(400)
    expect(errorOf(answer)).toMatchObject({ code: 'invalid_parameter' })
    expect(JSON.stringify(answer.json)).toMatch(/may DELETE (on )?\w+\.restock_data_stock/)
  })

  const sameRows = async (source: number) =>
    (await storedRows(source)).filter((line) => SAME.test(line))

  /** Lists are written anew; of demand and receipts rows are changed, added or marked as deleted. */
  async function replaceRows(before: ViewRows, next: ViewRows) {
    for (const name of [
      'items',
      'planning',
      'stock',
      'open_orders',
      'customer_orders',
      'reservations',
    ])
      await database.run(`DELETE FROM restock_data_${name}`)
    const { demand, receipts, ...lists } = next
    await insertRows(database, 'restock_', lists)
    await changeRows('demand', before.demand!, demand!, (row) => `${row.id}`)
    await changeRows(
      'receipts',
      before.receipts!,
      receipts!,
      (row) => `${row.document}/${row.receipt}`,
    )
  }

  async function changeRows(
    name: 'demand' | 'receipts',
    before: ViewRow[],
    next: ViewRow[],
    keyOf: (row: ViewRow) => string,
  ) {
    const old = new Map(before.map((row) => [keyOf(row), row]))
    const changed = next.filter((row) => old.get(keyOf(row))?.quantity !== row.quantity)
    const kept = new Set(next.map(keyOf))
    const gone = before.filter((row) => !kept.has(keyOf(row)))
    const at = next[0]!.changed_at!
    for (const row of [...changed, ...gone]) {
      const where =
        name === 'demand'
          ? `id = '${row.id}'`
          : `document = '${row.document}' AND receipt = '${row.receipt}'`
      await database.run(`DELETE FROM restock_data_${name} WHERE ${where}`)
    }
    const deleted = gone.map((row) => ({ ...row, deleted: true, changed_at: at }))
    await insertRows(database, 'restock_', { [name]: [...changed, ...deleted] })
  }
}

function rowsOf(erp: Erp, changed_at: string): ViewRows {
  const list = (): ViewRow[] => []
  const rows = {
    ...{ items: list(), planning: list(), stock: list(), open_orders: list() },
    ...{ customer_orders: list(), reservations: list(), receipts: list(), demand: list() },
  }
  const skus = new Set<string>()
  for (const pair of erp.truth()) {
    const { sku, location, unit, skuGroup, purchasable } = pair
    if (!skus.has(sku)) rows.items.push({ sku, unit, sku_group: skuGroup })
    skus.add(sku)
    rows.planning.push({
      ...{ sku, location, purchasable, lead_time_days: pair.leadTimeDays, moq: pair.moq },
      ...{ lot_size: pair.lotSize, supplier: pair.supplier, unit_cost: pair.unitCost },
      currency: pair.currency,
    })
    rows.stock.push({
      ...{ sku, location, on_hand: pair.onHand, backorders: pair.backorders },
      ...{ in_inspection: pair.inInspection, blocked: pair.blocked, in_transit: pair.inTransit },
    })
    if (pair.inTransfer > 0)
      rows.open_orders.push({
        ...{ document: `StockInTransfer(${location})`, line: sku, sku, location },
        ...{ quantity: pair.inTransfer, due: null, reference: null },
      })
    for (const { order, item, scheduleLine, quantity, due, reference } of pair.openOrders) {
      const line = `${item}/${scheduleLine}`
      rows.open_orders.push({ document: order, line, sku, location, quantity, due, reference })
    }
    for (const { order, item, scheduleLine, quantity, due } of pair.customerOrders) {
      const line = `${item}/${scheduleLine}`
      rows.customer_orders.push({ document: order, line, sku, location, quantity, due })
    }
    for (const { reservation, item, quantity, due } of pair.reservations)
      rows.reservations.push({ document: reservation, line: item, sku, location, quantity, due })
    for (const { date, quantity } of pair.demand) {
      const id = `${sku}/${location}/${date}`
      rows.demand.push({
        id,
        sku,
        location,
        day: date,
        quantity,
        changed_at,
        created_at: changed_at,
      })
    }
  }
  for (const each of erp.receipts()) {
    rows.receipts.push({
      ...{ document: each.order, line: each.item, receipt: `${each.item}/${each.receivedOn}` },
      ...{ sku: each.sku, location: each.location, supplier: each.supplier, due: each.due },
      ...{ ordered_on: each.orderedOn, received_on: each.receivedOn, quantity: each.quantity },
      changed_at,
    })
  }
  return rows
}
