import cds from '@sap/cds'
import { CurrentStock, Series, Skus, Stock } from '../../../srv/base/database/entities.ts'
import type { AnyRecord } from '../../../adapters/records.ts'
import { DeletionRefused } from '../../../srv/base/database/records/target.ts'
import { RecordsRead, removeRecords } from '../../../srv/base/database/records/records-read.ts'
import '../../support/server.ts'

const { INSERT, SELECT, UPDATE } = cds.ql

const GUARD = { share: 0.5, minRows: 4 }

let source = 700
let reads = 7_000

beforeEach(() => source++)

const begin = (kind: 'stock' | 'skus' | 'planning' | 'openOrders', whole = true) =>
  cds.tx(() => RecordsRead.begin(source, kind, { read: ++reads, whole }))

const write = (to: RecordsRead, records: object[], deleted?: Record<string, string>[]) =>
  cds.tx(() => to.write({ records: records as AnyRecord[], deleted }))

const finish = (to: RecordsRead, guard = GUARD) => cds.tx(() => to.finish(guard))

/** A whole read in one page. */
async function readAll(kind: Parameters<typeof begin>[0], records: object[]) {
  const to = await begin(kind)
  const written = await write(to, records)
  return { ...written, deleted: await finish(to) }
}

const stockOf = (sku: string, onHand: number, location = 'L1') => ({
  ...{ sku, location, onHand, inInspection: null, blocked: null, inTransit: null },
})

const stock = async () =>
  (await SELECT.from(CurrentStock).where({ source_ID: source }).orderBy('sku')).map((row) => [
    row.sku,
    Number(row.onHand),
  ])

describe('a snapshot', () => {
  it('becomes visible at once, when it is whole', async () => {
    await readAll('stock', [stockOf('A', 1), stockOf('B', 2), stockOf('C', 3)])
    const next = await begin('stock')
    await write(next, [stockOf('A', 1), stockOf('B', 5)])
    await write(next, [stockOf('D', 4)])
    expect(await stock()).toEqual([
      ['A', 1],
      ['B', 2],
      ['C', 3],
    ])
    expect(await finish(next)).toBe(1)
    expect(await stock()).toEqual([
      ['A', 1],
      ['B', 5],
      ['D', 4],
    ])
  })

  it('writes only what differs', async () => {
    const all = [stockOf('A', 1), stockOf('B', 2)]
    expect(await readAll('stock', all)).toEqual({ upserted: 2, unchanged: 0, deleted: 0 })
    const rows = () => SELECT.from(Stock).where({ source_ID: source }).orderBy('sku', 'generation')
    const before = await rows()
    expect(await readAll('stock', all)).toEqual({ upserted: 0, unchanged: 2, deleted: 0 })
    expect(await rows()).toEqual(before)
  })

  it('leaves nothing behind where it is broken off', async () => {
    await readAll('stock', [stockOf('A', 1)])
    await write(await begin('stock'), [stockOf('A', 9), stockOf('B', 9)])
    expect(await readAll('stock', [stockOf('A', 2)])).toMatchObject({ upserted: 1, deleted: 0 })
    expect(await stock()).toEqual([['A', 2]])
    const left = await SELECT.from(Stock).where({ source_ID: source })
    expect(left).toHaveLength(1)
  })

  it('takes the last of rows that come twice', async () => {
    await readAll('stock', [stockOf('A', 1)])
    const next = await begin('stock')
    await write(next, [stockOf('A', 2)])
    await write(next, [stockOf('A', 1)])
    await finish(next)
    expect(await stock()).toEqual([['A', 1]])
  })

  it('distinguishes the location of a pair from others', async () => {
    await readAll('stock', [stockOf('A', 1), stockOf('A', 2, 'L2'), stockOf('B', 3, 'L2')])
    await readAll('stock', [stockOf('A', 4), stockOf('B', 5, 'L2')])
    expect(await stock()).toEqual([
      ['A', 4],
      ['B', 5],
    ])
  })

  it('begins anew after its rows were removed', async () => {
    await readAll('stock', [stockOf('A', 1)])
    await cds.tx(() => removeRecords(source))
    await readAll('stock', [stockOf('A', 1)])
    expect(await stock()).toEqual([['A', 1]])
  })
})

describe('master data', () => {
  const sku = (code: string, unitCost: number | null = 1.25) => ({
    ...{ sku: code, name: `The ${code}`, unit: 'EA', supplier: null, unitCost },
    ...{ currency: 'EUR', skuGroup: null, purchasable: null },
  })
  const names = async () =>
    (await SELECT.from(Skus).where({ source_ID: source }).orderBy('sku')).map(
      (row: { sku: string }) => row.sku,
    )

  it('keeps what a read of changes does not name, and deletes what it names as gone', async () => {
    await readAll('skus', [sku('A'), sku('B'), sku('C')])
    const changes = await begin('skus', false)
    const written = await write(changes, [sku('A'), sku('B', 3)], [{ sku: 'C' }])
    expect(written).toEqual({ upserted: 1, unchanged: 1, deleted: 1 })
    expect(await finish(changes)).toBe(0)
    expect(await names()).toEqual(['A', 'B'])
  })

  it('deletes what a whole read lacks, unless that is too much to be believed', async () => {
    await readAll(
      'skus',
      ['A', 'B', 'C', 'D', 'E'].map((code) => sku(code)),
    )
    const fewer = await begin('skus')
    await write(fewer, [sku('A')])
    await expect(finish(fewer)).rejects.toThrow(DeletionRefused)
    expect(await names()).toHaveLength(5)
    expect(
      await readAll(
        'skus',
        ['A', 'B', 'C'].map((code) => sku(code)),
      ),
    ).toMatchObject({
      deleted: 2,
    })
    expect(await names()).toEqual(['A', 'B', 'C'])
  })

  it('takes an amount for unchanged that the database has rounded', async () => {
    await readAll('skus', [sku('A', 1.23456)])
    expect(await readAll('skus', [sku('A', 1.23456)])).toMatchObject({ unchanged: 1 })
  })

  it('distinguishes codes that are equal as numbers', async () => {
    await readAll('skus', [{ ...sku('A'), supplier: '7' }])
    const written = await readAll('skus', [{ ...sku('A'), supplier: '007' }])
    expect(written).toMatchObject({ upserted: 1 })
  })
})

describe('what decides about proposals', () => {
  const marked = async () =>
    (
      await SELECT.from(Series)
        .columns('sku')
        .where({ source_ID: source, dueForProposal: true })
        .orderBy('sku')
    ).map((row) => row.sku)

  it('marks the pairs whose stock or orders changed, came or went, and no others', async () => {
    const order = (sku: string, line: string) => ({
      ...{ document: '4500', line, sku, location: 'L1', quantity: 5 },
      ...{ due: '2026-12-01', reference: null },
    })
    const codes = ['A', 'B', 'C', 'D', 'E']
    await readAll(
      'stock',
      codes.slice(0, 3).map((code) => stockOf(code, 1)),
    )
    await readAll('openOrders', [order('D', '10')])
    const first = source * 100
    const pairs = codes.map((sku, at) => ({
      ...{ ID: first + at, source_ID: source, sku, location: 'L1' },
    }))
    await INSERT.into(Series).entries(pairs)
    await UPDATE.entity(Series).set({ dueForProposal: false }).where({ source_ID: source })
    await readAll('stock', [stockOf('A', 1), stockOf('B', 2)])
    expect(await marked()).toEqual(['B', 'C'])
    await readAll('openOrders', [order('E', '10')])
    expect(await marked()).toEqual(['B', 'C', 'D', 'E'])
  })
})
