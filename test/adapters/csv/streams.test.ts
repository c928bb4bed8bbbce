import { createHash } from 'node:crypto'
import { appendFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from '../../support/properties.ts'
import { Retriable } from '../../../adapters/errors.ts'
import { firstLinesOfDays } from '../../../adapters/csv/duplicates.ts'
import { streamOf } from '../../conformance/adapter.ts'
import { demandFile, temporaryRoot } from './files.ts'

const { adapter, connect, pages, put, read, root } = temporaryRoot()
const DEMAND = demandFile('A,L1,2025-01-01,1', 'A,L1,2025-01-02,2')
const BIG = demandFile(...Array.from({ length: 20_000 }, (_, i) => `s${i},L1,2025-01-01,1`))

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const lastOf = <T>(items: T[]) => items[items.length - 1]!

describe('the cursor of a csv file', () => {
  it('is the hash of its bytes, on the last page alone', async () => {
    const all = await pages('demand', put({ 'demand.csv': BIG }))
    expect(all.map(({ cursor }) => cursor)).toEqual(['partial', 'partial', 'partial', sha256(BIG)])
  })

  it('makes an unchanged file cost no page, touched or not', async () => {
    const account = put({ 'demand.csv': DEMAND })
    utimesSync(join(root, account, 'demand.csv'), new Date(), new Date())
    expect(await pages('demand', account, {}, sha256(DEMAND))).toEqual([])
  })

  it('makes a changed file be read whole', async () => {
    const account = put({ 'demand.csv': DEMAND })
    const { cursor } = lastOf(await pages('demand', account))
    put({ 'demand.csv': demandFile('A,L1,2025-01-03,5') }, account)
    const [page] = await pages('demand', account, {}, cursor)
    expect(page!.records.map(({ date }) => date)).toEqual(['2025-01-03'])
  })

  it('notices a file that was added', async () => {
    const account = put({ 'demand.csv': DEMAND })
    expect(await pages('stock', account, {}, 'absent')).toEqual([])
    put({ 'stock.csv': 'sku,location,on_hand\nA,L1,1\n' }, account)
    const [page] = await pages('stock', account, {}, 'absent')
    expect(page!.records).toHaveLength(1)
    expect(await pages('stock', put({}))).toEqual([
      expect.objectContaining({ records: [], cursor: 'absent' }),
    ])
  })

  it('does not take a file that is gone for one without rows', async () => {
    const stream = streamOf(adapter, connect(put({})), 'stock')
    const stored = () => Promise.resolve([{ sku: 'A', location: 'L1' }])
    for (const since of [null, sha256('sku,location,on_hand\nA,L1,1\n')]) {
      const gone = stream.read(since, new AbortController().signal, stored)
      await expect(gone[Symbol.asyncIterator]().next()).rejects.toMatchObject({
        ...{ code: 'missing_file', target: 'stock.csv' },
      })
    }
    expect(await pages('stock', put({}), {}, sha256('sku,location,on_hand\n'))).toHaveLength(1)
  })

  it('begins anew after a read that broke off', async () => {
    const all = await pages('demand', put({ 'demand.csv': BIG }), {}, 'partial')
    expect(all.flatMap(({ records }) => records)).toHaveLength(20_000)
  })
})

describe('a csv file that changes while it is read', () => {
  it.each([
    ['grows', (path: string) => appendFileSync(path, 'x,L1,2025-01-01,1\n')],
    ['is written again', (path: string) => writeFileSync(path, BIG.replaceAll('2025', '2024'))],
  ])('is to be read again when it %s', async (_, change) => {
    const account = put({ 'demand.csv': BIG })
    const stream = lastOf(adapter.streams(connect(account)))
    const reading = stream.read(null, new AbortController().signal)[Symbol.asyncIterator]()
    await reading.next()
    change(join(root, account, 'demand.csv'))
    const rest = async () => {
      while (!(await reading.next()).done);
    }
    await expect(rest()).rejects.toThrow(Retriable)
  })
})

describe('a packed csv file', () => {
  it('is read like an unpacked one, its progress told in bytes on disk', async () => {
    const packed = gzipSync(BIG)
    const account = put({ 'demand.csv.gz': packed })
    const all = await pages('demand', account)
    expect(all.flatMap(({ records }) => records)).toHaveLength(20_000)
    expect(lastOf(all).cursor).toBe(sha256(packed))
    const { size } = statSync(join(root, account, 'demand.csv.gz'))
    expect(lastOf(all).progress).toEqual({ done: size, total: size, unit: 'bytes' })
  })

  it('may consist of several members', async () => {
    const packed = Buffer.concat([gzipSync(DEMAND), gzipSync('B,L1,2025-01-01,1\n')])
    const [page] = await pages('demand', put({ 'demand.csv.gz': packed }))
    expect(page!.records).toHaveLength(3)
  })

  it('that is cut off ends the stream', async () => {
    const account = put({ 'demand.csv.gz': gzipSync(BIG).subarray(0, -100) })
    await expect(pages('demand', account)).rejects.toMatchObject({ code: 'invalid_gzip' })
  })

  it('that holds nothing is an empty file', async () => {
    const account = put({ 'demand.csv.gz': gzipSync('') })
    await expect(pages('demand', account)).rejects.toMatchObject({ code: 'empty_file' })
  })

  it('may not blow up into memory', async () => {
    const account = put({
      'demand.csv.gz': gzipSync(`${DEMAND}${' '.repeat(300 * 1024 * 1024)}\nB,L1,2025-01-01,1\n`),
    })
    const before = process.memoryUsage().rss
    const all = await pages('demand', account)
    expect(all.flatMap(({ records }) => records)).toHaveLength(3)
    expect(all.flatMap(({ quarantined }) => quarantined)).toEqual([
      expect.objectContaining({ code: 'row_too_long', place: 'demand.csv.gz:4' }),
    ])
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })
})

describe('a key that comes twice', () => {
  it.each([
    ['locations', 'locations.csv', 'location,name', ['L1,a', 'L2,b', 'L1,c']],
    ['skus', 'items.csv', 'sku,name', ['A,a', 'B,b', 'A,c']],
    ['planning', 'planning.csv', 'sku,location,lead_time_days', ['A,L1,1', 'B,L1,2', 'A,L1,3']],
    [
      'priceBreaks',
      'price_breaks.csv',
      'sku,from_quantity,unit_cost',
      ['A,200,1.95', 'A,600,1.94', 'A,200.0,1.9'],
    ],
    [
      'drafts',
      'drafts.csv',
      'document,line,sku,location,kind,quantity',
      ['1,1,A,L1,rfq,1', '1,2,A,L1,rfq,2', '1,1,B,L1,rfq,3'],
    ],
    ['closures', 'closures.csv', 'supplier,from', ['S,2027-01-01', 'S,2027-02-01', 'S,2027-01-01']],
    ['supplierTerms', 'supplier_terms.csv', 'supplier,location', ['S,L1', 'S,', 'S,L1']],
    [
      'openOrders',
      'open_orders.csv',
      'order,line,sku,location,quantity',
      ['1,1,A,L1,1', '1,2,A,L1,2', '1,1,B,L1,3'],
    ],
    [
      'customerOrders',
      'customer_orders.csv',
      'order,line,sku,location,quantity',
      ['1,1,A,L1,1', '1,2,A,L1,2', '1,1,B,L1,3'],
    ],
    [
      'reservations',
      'reservations.csv',
      'reservation,line,sku,location,quantity',
      ['1,1,A,L1,1', '1,2,A,L1,2', '1,1,B,L1,3'],
    ],
    [
      'exchangeRates',
      'exchange_rates.csv',
      'from,to,rate,valid_from',
      ['USD,EUR,0.92,2025-01-01', 'USD,EUR,0.93,2025-01-02', 'USD,EUR,0.94,2025-01-01'],
    ],
    [
      'erpForecasts',
      'erp_forecast.csv',
      'sku,location,from,to,quantity',
      ['A,L1,2025-01-06,2025-01-12,1', 'A,L1,2025-01-13,,2', 'A,L1,2025-01-06,,3'],
    ],
  ] as const)('in %s leaves the first row standing', async (record, file, header, rows) => {
    const { records, quarantined } = await read(record, { [file]: [header, ...rows].join('\n') })
    expect(records).toHaveLength(2)
    expect(quarantined).toMatchObject([
      {
        code: 'duplicate_key',
        place: `${file}:4`,
        target: null,
        message: expect.stringContaining('Line 2'),
        excerpt: rows[2],
      },
    ])
  })

  const STOCK = 'sku,location,on_hand,in_inspection,bin'
  const ORDERS = 'order,line,sku,location,quantity,due,ordered_on'
  it.each([
    [
      'stock',
      'stock.csv',
      STOCK,
      ['A,L1,5.1,,1', 'A,L2,2,,1', 'A,L1,95.2,3,2', 'A,L1,5.1,,1', 'A,L1,5.1,,3'],
      { onHand: 105.4, inInspection: 3 },
    ],
    [
      'openOrders',
      'open_orders.csv',
      ORDERS,
      ['1,1,A,L1,5,2025-02-02,', '1,2,A,L1,7,,', '1,1,A,L1,6,2025-02-01,2025-01-01'],
      { quantity: 11, due: '2025-02-01', orderedOn: '2025-01-01' },
    ],
    [
      'customerOrders',
      'customer_orders.csv',
      'order,line,sku,location,quantity,due',
      ['1,1,A,L1,100,2025-02-01', '1,2,A,L1,7,', '1,1,A,L1,60,2025-02-02'],
      { quantity: 160, due: '2025-02-01' },
    ],
    [
      'reservations',
      'reservations.csv',
      'reservation,line,sku,location,quantity,due',
      ['1,1,A,L1,1,', '1,2,A,L1,2,', '1,1,A,L1,3,'],
      { quantity: 4, due: null },
    ],
    [
      'receipts',
      'receipts.csv',
      'order,line,sku,location,received_on,quantity',
      ['1,1,A,L1,2025-01-02,1', '1,1,A,L1,2025-01-03,2', '1,1,A,L1,2025-01-02,3'],
      { quantity: 4 },
    ],
    [
      'receipts',
      'receipts.csv',
      'order,line,sku,location,received_on,quantity',
      ['1,1,A,L1,2025-01-02,-5', '1,1,A,L1,2025-01-03,5', '1,1,A,L1,2025-01-02,1'],
      { quantity: -4 },
    ],
    [
      'stockHistory',
      'stock_history.csv',
      'sku,location,date,on_hand',
      ['A,L1,2025-01-01,0', 'A,L1,2025-01-02,0', 'A,L1,2025-01-01,5'],
      { onHand: 5 },
    ],
    [
      'demand',
      'demand.csv',
      'sku,location,date,quantity,price,promo',
      ['A,L1,2025-01-02,1,4,', 'A,L1,2025-01-01,2,,', 'A,L1,2025-01-02,3,8,1'],
      { quantity: 4, price: 7, promo: true },
    ],
  ] as const)('in %s adds up', async (record, file, header, rows, sum) => {
    const { records, quarantined } = await read(record, { [file]: [header, ...rows].join('\n') })
    expect(records).toHaveLength(2)
    expect(records).toContainEqual(expect.objectContaining(sum))
    const copies = rows.length - new Set<string>(rows).size
    expect(quarantined.map(({ code }) => code)).toEqual(
      Array.from({ length: copies }, () => 'duplicate_row'),
    )
  })

  it('adds up where its rows lie far apart, and leaves out copies of whole rows', async () => {
    const days = Array.from({ length: 12_000 }, (_, at) => `S${at},L1,2025-01-02,1`)
    const content = demandFile(...days, 'S0,L1,2025-01-02,2', 'bad', ...days.slice(0, 3))
    const { records, quarantined } = await read('demand', { 'demand.csv': content })
    const last = new Map(records.map(({ sku, quantity }) => [sku, quantity]))
    expect(last.size).toBe(12_000)
    expect([last.get('S0'), last.get('S1'), last.get('S11999')]).toEqual([3, 1, 1])
    expect(quarantined.map(({ place }) => place)).toEqual([
      'demand.csv:12003',
      'demand.csv:12004',
      'demand.csv:12005',
      'demand.csv:12006',
    ])
  })

  it('does not count where the first row was quarantined', async () => {
    const content = demandFile('A,L1,2025-01-01,-1', 'A,L1,2025-01-01,1')
    const { records, quarantined } = await read('demand', { 'demand.csv': content })
    expect(records).toHaveLength(1)
    expect(quarantined).toHaveLength(1)
  })

  it('is found in any order of days', () => {
    const keys = fc.array(fc.tuple(fc.nat(3), fc.nat(40)), { maxLength: 200 })
    const property = fc.property(keys, (rows) => {
      const seen = firstLinesOfDays()
      const expected = new Map<string, number>()
      rows.forEach(([series, day], index) => {
        const date = new Date(Date.UTC(1970, 0, 1 + day * 500)).toISOString().slice(0, 10)
        const record = { sku: `s${series % 2}`, location: `l${series >> 1}`, date }
        const key = Object.values(record).join()
        const line = index + 2
        const known = seen.earlierLine({ ...record, quantity: 1, price: null, promo: null }, line)
        expect(known).toBe(expected.get(key) ?? null)
        if (!expected.has(key)) expected.set(key, line)
      })
    })
    fc.assert(property)
  })
})

describe('the check of a csv account', () => {
  it('reports what is there, what is missing and what is wrong, without reading rows', async () => {
    const account = put({
      'demand.csv': demandFile('this is no row'),
      'stock.csv': 'sku,location\n',
      'items.csv': '',
      'planning.csv.gz': gzipSync('sku,location,lead_time_days\n'),
    })
    const checks = await adapter.check(connect(account), new AbortController().signal)
    expect(Object.fromEntries(checks.map(({ record, status }) => [record, status]))).toEqual({
      locations: 'absent',
      skus: 'failed',
      planning: 'ok',
      priceBreaks: 'absent',
      supplierTerms: 'absent',
      closures: 'absent',
      drafts: 'absent',
      stock: 'failed',
      batches: 'absent',
      stockHistory: 'absent',
      openOrders: 'absent',
      customerOrders: 'absent',
      receipts: 'absent',
      reservations: 'absent',
      exchangeRates: 'absent',
      plannedEvents: 'absent',
      erpForecasts: 'absent',
      demand: 'ok',
    })
    expect(checks.find(({ record }) => record === 'stock')!.message).toContain('on_hand')
  })

  it('reports a missing demand file, and refuses a missing folder', async () => {
    const { signal } = new AbortController()
    const checks = await adapter.check(connect(put({})), signal)
    expect(lastOf(checks)).toMatchObject({ record: 'demand', status: 'failed' })
    await expect(adapter.check(connect('nowhere'), signal)).rejects.toMatchObject({
      ...{ code: 'folder_not_found', target: 'account' },
    })
  })
})
