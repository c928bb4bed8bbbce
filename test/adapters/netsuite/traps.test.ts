import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { HttpClient } from '../../../adapters/http/client.ts'
import { Address } from '../../../adapters/http/address.ts'
import { SuiteQl, SUITEQL } from '../../../adapters/netsuite/suiteql/client.ts'
import type { Query } from '../../../adapters/netsuite/suiteql/query.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import type { Item } from '../../../sandbox/company/model.ts'
import type { NetsuiteErp } from '../../../sandbox/netsuite/index.ts'
import { startNetsuite } from '../../../sandbox/netsuite/index.ts'
import { readAll } from '../../conformance/adapter.ts'
import {
  adapter,
  closeAll,
  connectionTo,
  Copy,
  differences,
  startSmall,
  streamOf,
} from './support.ts'

afterEach(closeAll)

const statements = (erp: NetsuiteErp) => erp.log.flatMap(({ sql }) => (sql ? [sql] : []))

const ask = (erp: NetsuiteErp, q: string, { prefer = 'transient', query = 'limit=10' } = {}) =>
  fetch(`${erp.url}${SUITEQL}?${query}`, {
    method: 'POST',
    headers: { authorization: erp.header(), prefer },
    body: JSON.stringify({ q }),
  })

describe('the simulator', () => {
  it('writes values as NetSuite does, and refuses what it refuses', async () => {
    const erp = await startSmall()
    const q =
      'SELECT i.id, i.createddate, i.reordermultiple, i.averagecost * 0 + 0.5 AS half FROM item i WHERE i.id = 1'
    const { items } = (await (await ask(erp, q)).json()) as { items: object[] }
    expect(items).toEqual([
      { links: [], id: '1', createddate: expect.stringMatching(/^\d+\/\d+\/\d{4}$/), half: '.5' },
    ])
    for (const [sql, options] of [
      ['DELETE FROM item', {}],
      ['SELECT i.id FROM item i LIMIT 5', {}],
      ['SELECT i.nothing FROM item i', {}],
      ['SELECT n.id FROM nothing n', {}],
      ['SELECT i.id FROM item i', { prefer: 'respond-async' }],
      ['SELECT i.id FROM item i', { query: 'limit=1000&offset=100000' }],
      ['SELECT i.id FROM item i', { query: 'limit=1001' }],
      ['SELECT i.id FROM item i', { query: 'limit=10&offset=5' }],
    ] as const) {
      expect((await ask(erp, sql, options)).status).toBe(400)
    }
    const write = await fetch(`${erp.url}/services/rest/record/v1/purchaseOrder`, {
      method: 'POST',
    })
    expect(write.status).toBe(403)
  })
})

describe('what NetSuite does to readers', () => {
  it('limits the rows of a query, of which no page has more than one', async () => {
    const company = makeCompany({ size: 4, days: 1 })
    const erp = await startNetsuite(company)
    erp.execute(`WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 101099)
      INSERT INTO vendor (id, entityid) SELECT i, 'V' || i FROM n`)
    erp.set({ totals: false })
    const pages = await readAll(streamOf(connectionTo(erp), 'suppliers'))
    expect(pages.flatMap(({ records }) => records)).toHaveLength(101_002)
    expect(statements(erp).some((sql) => /OFFSET|ROWNUM/i.test(sql))).toBe(false)
    await erp.close()
  })

  it('refuses too many requests, by 429 and by 400 with a code, and is asked again', async () => {
    const erp = await startSmall()
    const copy = new Copy(connectionTo(erp))
    erp.fault(
      { status: 429, retryAfter: '0' },
      { status: 400, code: 'SSS_REQUEST_LIMIT_EXCEEDED' },
      { status: 400, code: 'WS_REQUEST_BLOCKED' },
      { status: 200, cut: true },
    )
    await copy.sync('full')
    expect(differences(copy, erp)).toEqual([])
  })

  it('asks which columns there are once a read, and what is missing stays null', async () => {
    const erp = await startSmall()
    erp.set({
      missing: [
        ...['aggregateitemlocation.leadtime', 'item.leadtime', 'item.purchaseunit', 'item.cost'],
        ...[
          'item.averagecost',
          'unitstypeuom',
          'itemvendor',
          'transactionline.expectedreceiptdate',
        ],
      ],
    })
    const copy = await new Copy(connectionTo(erp, { page_size: 50 })).sync('full')
    expect(copy.quarantined).toEqual([])
    expect(copy.of('planning')[0]).toMatchObject({
      ...{ leadTimeDays: null, lotSize: null, supplier: null, unitCost: null, currency: null },
    })
    expect(copy.of('skus')[0]).toMatchObject({ unit: null, unitCost: null })
    expect(copy.of('openOrders')[0]!.due).toBeNull()
    const probes = statements(erp).filter((sql) => /FETCH FIRST 1 ROWS/.test(sql))
    expect(probes.length).toBeLessThan(40)
  })

  it('has orders without prices where a role may not see currencies, or they have no code', async () => {
    const erp = await startSmall()
    const read = async () => {
      const pages = await readAll(streamOf(connectionTo(erp), 'openOrders'))
      expect(pages.flatMap(({ quarantined }) => quarantined)).toEqual([])
      return pages.flatMap(({ records }) => records)
    }
    const priced = await read()
    expect(priced.some(({ unitCost }) => unitCost)).toBe(true)
    const plain = priced.map(({ unitCost: _, currency: __, ...line }) => line)
    erp.execute("UPDATE currency SET symbol = 'US$'")
    expect(await read()).toEqual(plain)
    erp.set({ missing: ['currency'] })
    expect(await read()).toEqual(plain)
  })

  it('shows a role fewer locations, whose rows are told and not guessed', async () => {
    const erp = await startSmall()
    erp.execute('DELETE FROM location WHERE id = 2')
    const copy = await new Copy(connectionTo(erp)).sync('full')
    expect(copy.of('stock').some(({ location }) => location === 'WH2')).toBe(false)
    expect(copy.quarantined).toContainEqual(
      expect.objectContaining({ code: 'missing_value', target: 'location' }),
    )
  })

  it('has items and locations of one name, which are told apart by their number', async () => {
    const erp = await startSmall()
    const [first, second] = erp.company.items as [Item, Item]
    erp.execute(`UPDATE item SET itemid = 'TWIN' WHERE id IN (${first.id}, ${second.id})`)
    erp.execute("UPDATE location SET fullname = 'Same'")
    const copy = await new Copy(connectionTo(erp)).sync('full')
    const codes = copy.of('skus').map(({ sku }) => sku)
    expect(codes).toEqual(expect.arrayContaining(['TWIN (#1)', 'TWIN (#2)']))
    expect(copy.of('locations').map(({ location }) => location)).toEqual([
      ...['Same (#1)', 'Same (#2)', 'Same (#3)'],
    ])
    expect(copy.of('stock').some(({ sku }) => sku === 'TWIN (#1)')).toBe(true)
  })

  it('has orders of one number, as of two subsidiaries, which are all counted', async () => {
    const erp = await startSmall()
    const before = (await new Copy(connectionTo(erp)).sync('full')).of('openOrders')
    erp.execute("UPDATE \"transaction\" SET tranid = 'PO1' WHERE type = 'PurchOrd'")
    const copy = await new Copy(connectionTo(erp)).sync('full')
    const orders = copy.of('openOrders')
    expect(orders).toHaveLength(before.length)
    for (const { document } of orders) expect(document).toMatch(/^PO1 \(#\d+\)$/)
    const received = copy.of('receipts').map(({ document }) => document)
    expect(received.every((document) => /^PO1 \(#\d+\)$/.test(document))).toBe(true)
  })

  it('counts what a completion takes with backflush, and not what it makes', async () => {
    const erp = await startSmall()
    const [one] = streamsDemand(await new Copy(connectionTo(erp)).sync('full'))
    const [id, line] = one!.document!.split('/')
    erp.execute(`UPDATE "transaction" SET type = 'WOCompl', status = 'B' WHERE id = ${id}`)
    const read = async () =>
      streamsDemand(await new Copy(connectionTo(erp)).sync('full')).find(
        ({ document }) => document === one!.document,
      )
    expect(await read()).toEqual(one)
    const where = `"transaction" = ${id} AND id = ${line}`
    erp.execute(`UPDATE transactionline SET quantity = -quantity WHERE ${where}`)
    expect(await read()).toBeUndefined()
  })

  it('counts documents that move stock for other reasons as no demand', async () => {
    const erp = await startSmall()
    const [one] = streamsDemand(await new Copy(connectionTo(erp)).sync('full'))
    const id = one!.document!.split('/')[0]
    const demandOf = async (sql: string, options = {}) => {
      erp.execute(sql)
      const copy = await new Copy(connectionTo(erp, options)).sync('full')
      return streamsDemand(copy).filter(({ document }) => document!.startsWith(`${id}/`)).length
    }
    const set = (values: string) => `UPDATE "transaction" SET ${values} WHERE id = ${id}`
    const from = (type: string) => `UPDATE "transaction" SET type = '${type}' WHERE id = 900001`
    expect(await demandOf(set("type = 'ItemShip', status = 'C'"))).toBeGreaterThan(0)
    expect(await demandOf(set("status = 'A'"))).toBe(0)
    expect(await demandOf(set("status = 'C', voided = 'T'"))).toBe(0)
    expect(await demandOf(set("voided = 'F'"))).toBeGreaterThan(0)
    erp.execute(`UPDATE transactionline SET createdfrom = 900001 WHERE "transaction" = ${id}`)
    expect(await demandOf(from('VendAuth'))).toBe(0)
    expect(await demandOf(from('TrnfrOrd'))).toBeGreaterThan(0)
    expect(await demandOf(from('TrnfrOrd'), { transfer_demand: 'false' })).toBe(0)
  })

  it('neither awaits nor owes what vendors send to customers, and counts special orders', async () => {
    const erp = await startSmall()
    const { orders, salesOrders } = erp.company
    const isOpen = ({ status }: { status: string }) => status === 'open'
    const [sale, special] = salesOrders.filter(isOpen)
    const [dropped, ordered, draft] = orders.filter(isOpen)
    // The simulator fills its tables with the first question.
    await new Copy(connectionTo(erp)).sync('full')
    erp.execute(`UPDATE "transaction" SET status = 'A' WHERE id = ${draft!.id}`)
    const before = await new Copy(connectionTo(erp)).sync('full')
    const link = (from: number, line: number, to: number, next: number, type: string) =>
      `(${from}, ${line}, 'SalesOrd', ${to}, ${next}, 'PurchOrd', '${type}')`
    const [line] = sale!.lines
    const links = [dropped!, draft!].map(({ id, lines }) =>
      link(sale!.id, line!.number, id, lines[0]!.number, 'DropShip'),
    )
    links.push(link(special!.id, 1, ordered!.id, ordered!.lines[0]!.number, 'SpecOrd'))
    erp.execute(`INSERT INTO previoustransactionlinelink VALUES ${links.join(', ')}`)
    const where = `"transaction" = ${sale!.id} AND id = ${line!.number}`
    const mark = () => erp.execute(`UPDATE transactionline SET dropship = 'T' WHERE ${where}`)
    mark()
    const after = await new Copy(connectionTo(erp)).sync('full')
    for (const [record, document, number] of [
      ['openOrders', dropped!.number, dropped!.lines[0]!.number],
      ['drafts', draft!.number, draft!.lines[0]!.number],
      ['customerOrders', sale!.number, line!.number],
    ] as const) {
      const isGone = (one: { document: string; line: string }) =>
        one.document === document && one.line === String(number)
      const expected = before.of(record).filter((one) => !isGone(one))
      expect(expected).toHaveLength(before.of(record).length - 1)
      expect(after.of(record)).toEqual(expected)
    }
    erp.set({ missing: ['previoustransactionlinelink'] })
    await new Copy(connectionTo(erp)).sync('full')
    mark()
    const unlinked = await new Copy(connectionTo(erp)).sync('full')
    expect(unlinked.of('customerOrders')).toEqual(after.of('customerOrders'))
    expect(unlinked.of('openOrders').map(({ document }) => document)).toContain(dropped!.number)
  })

  it('has on order what was shipped to a location and has not been received there', async () => {
    const erp = await startSmall()
    await new Copy(connectionTo(erp)).sync('full')
    const [from, to] = erp.company.locations
    const [item, other] = erp.company.items
    const document = (id: number, type: string, status: string) =>
      erp.execute(
        `INSERT INTO "transaction" (id, type, tranid, trandate, status, voided, transferlocation)
         VALUES (${id}, '${type}', 'T${id}', '2026-01-05 00:00:00', '${status}', 'F', ${to!.id})`,
      )
    const line = (
      of: number,
      id: number,
      it: number,
      place: number,
      quantity: number,
      order: number,
    ) =>
      erp.execute(
        `INSERT INTO transactionline ("transaction", id, mainline, taxline, item, location, quantity,
           createdfrom, isinventoryaffecting, expectedreceiptdate)
         VALUES (${of}, ${id}, '${id ? 'F' : 'T'}', 'F', ${it}, ${place}, ${quantity}, ${order}, 'T',
           '2031-05-06 00:00:00')`,
      )
    for (const [order, status] of [
      [800_001, 'F'],
      [800_002, 'G'],
      [800_003, 'TrnfrOrd:E'],
    ] as const)
      document(order, 'TrnfrOrd', status)
    line(800_001, 1, item!.id, to!.id, 10, 0)
    document(800_011, 'ItemShip', 'C')
    line(800_011, 1, item!.id, from!.id, -10, 800_001)
    line(800_011, 2, item!.id, to!.id, 10, 800_001)
    line(800_011, 3, other!.id, from!.id, -4, 800_001)
    document(800_012, 'ItemRcpt', 'B')
    line(800_012, 1, item!.id, to!.id, 3, 800_001)
    line(800_012, 2, other!.id, to!.id, 4, 800_001)
    document(800_013, 'ItemShip', 'C')
    line(800_013, 1, item!.id, from!.id, -5, 800_002)
    document(800_014, 'ItemShip', 'A')
    line(800_014, 1, item!.id, from!.id, -6, 800_003)
    const found = () =>
      new Copy(connectionTo(erp))
        .sync('full')
        .then((copy) => copy.of('openOrders').filter((one) => one.document.startsWith('TrnfrOrd(')))
    expect(await found()).toEqual([
      {
        ...{ document: 'TrnfrOrd(T800001)', line: String(item!.id), sku: item!.code },
        ...{ location: to!.code, quantity: 7, due: '2031-05-06', reference: null },
        ...{ supplier: null, orderedOn: null },
      },
    ])
    erp.set({ missing: ['transaction.transferlocation'] })
    const pages = await readAll(streamOf(connectionTo(erp), 'openOrders'))
    expect(pages.flatMap(({ notes = [] }) => notes)).toEqual([
      expect.stringContaining('between locations'),
    ])
    expect(pages.flatMap(({ records }) => records).length).toBeGreaterThan(3)
  })

  it('says that a role lacks a permission, and which', async () => {
    const erp = await startSmall()
    erp.set({ missing: ['vendor'] })
    const connection = connectionTo(erp)
    const checks = await adapter.check(connection, new AbortController().signal)
    expect(checks.find(({ record }) => record === 'suppliers')).toMatchObject({
      ...{ status: 'forbidden', rights: ['Vendors (View)'] },
    })
    const error = await readAll(streamOf(connection, 'suppliers')).catch(
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ code: 'forbidden' })
  })
})

describe('nothing but SELECTs is sent', () => {
  it('by the whole of a sync', async () => {
    const erp = await startSmall()
    const copy = await new Copy(connectionTo(erp)).sync('full')
    await copy.sync()
    expect(new Set(erp.log.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set([`POST ${SUITEQL}`]),
    )
    expect(statements(erp).every((sql) => /^SELECT /.test(sql) && !/;/.test(sql))).toBe(true)
  })

  it('and another path is refused before a connection is opened', async () => {
    const erp = await startSmall()
    const http = new HttpClient({
      ...{ address: Address.parse(erp.url, 'base_url'), credentials: null, concurrency: 1 },
      reads: { get: [], post: [SUITEQL] },
    })
    const { signal } = new AbortController()
    const url = http.address.url('/services/rest/record/v1/purchaseOrder')
    await expect(http.post(url, {}, signal)).rejects.toMatchObject({ code: 'request_not_allowed' })
    expect(erp.log).toEqual([])
    const query: Query = { columns: { id: 'v.id' }, from: 'vendor v', where: [], key: ['id'] }
    const suiteQl = new SuiteQl(http, 10)
    await expect(suiteQl.page(query, [1.5], signal)).rejects.toThrow(RangeError)
    expect(erp.log).toEqual([])
  })
})

it('a wrong token is told, and a silent ERP may be asked later', async () => {
  const erp = await startSmall()
  const connection = {
    ...connectionTo(erp),
    credentials: { authorization: async () => 'Bearer x' },
  }
  const failure = async () => readAll(streamOf(connection, 'skus')).catch((error: unknown) => error)
  expect(await failure()).toMatchObject({ code: 'unauthorized' })
  erp.fault({ status: 503, retryAfter: '4000' })
  const error = await readAll(streamOf(connectionTo(erp), 'skus')).catch((one: unknown) => one)
  expect(error).toBeInstanceOf(Retriable)
  expect(error).not.toBeInstanceOf(Fatal)
})

/** Rows of documents. */
const streamsDemand = (copy: Copy) => copy.of('demand')
