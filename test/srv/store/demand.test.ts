import cds from '@sap/cds'
import { DemandRows, OpenReversals, Series } from '../../../srv/base/database/entities.ts'
import type { RecordOf } from '../../../adapters/records.ts'
import { toEpochDay } from '../../../engine/index.ts'
import { DemandRead } from '../../../srv/base/database/demand/demand-read.ts'
import type { DemandRow } from '../../../srv/base/database/native/index.ts'
import { loadHistories } from '../../../srv/base/database/demand/histories.ts'
import '../../support/server.ts'

const { SELECT } = cds.ql

const GUARD = { share: 0.5, minRows: 100 }

let source = 500
let reads = 5_000

beforeEach(() => source++)

const line = (document: string, date: string, quantity: number, reversalOf?: string) =>
  ({
    ...{ sku: 'A', location: 'L1', date, quantity, price: null, promo: null, document },
    ...(reversalOf ? { reversalOf } : {}),
  }) as RecordOf<'demand'>

const begin = (whole = true, isRestarted = false) =>
  DemandRead.begin(source, { read: ++reads, whole, isRestarted })

const write = (to: DemandRead, ...records: RecordOf<'demand'>[]) =>
  cds.tx(() => to.write({ records }))

const finish = (to: DemandRead) => cds.tx(() => to.finish(GUARD))

/** Demand by day as the engine sees it. */
async function history(asOf = '2026-02-01') {
  const { ID } = (await SELECT.from(Series).columns('ID').where({ source_ID: source }))[0]!
  const found = (await loadHistories([ID], asOf)).get(ID)
  return [...(found?.days ?? [])].map((day, at) => [
    day - toEpochDay('2026-01-01') + 1,
    found!.quantities[at],
  ])
}

describe('lines of documents', () => {
  it('add up to the demand of their day', async () => {
    const to = await begin()
    await write(to, line('1/1', '2026-01-02', 3), line('1/2', '2026-01-02', 4))
    await write(to, line('2/1', '2026-01-05', 1))
    await finish(to)
    expect(await history()).toEqual([
      [2, 7],
      [5, 1],
    ])
  })

  it('count once, however often they are read', async () => {
    const lines = [line('1/1', '2026-01-02', 3), line('2/1', '2026-01-03', 4)]
    const to = await begin()
    expect(await write(to, ...lines, ...lines)).toEqual({ upserted: 2, unchanged: 2, deleted: 0 })
    expect(await write(to, ...lines)).toEqual({ upserted: 0, unchanged: 2, deleted: 0 })
    await finish(to)
    const again = await begin(false)
    const changed = { upserted: 1, unchanged: 0, deleted: 0 }
    expect(await write(again, line('2/1', '2026-01-03', 5))).toEqual(changed)
    expect(await history()).toEqual([
      [2, 3],
      [3, 5],
    ])
  })

  it('go where their document is read again without them', async () => {
    const to = await begin()
    await write(to, line('1/1', '2026-01-02', 3), line('1/2', '2026-01-02', 4))
    await write(to, line('2/1', '2026-01-05', 1))
    await finish(to)
    const again = await begin(false)
    const kept = line('1/1', '2026-01-02', 3)
    const written = await cds.tx(() =>
      again.write({
        records: [kept],
        deleted: ['1/1', '1/2', '9/9'].map((document) => ({ document })),
      }),
    )
    expect(written).toEqual({ upserted: 0, unchanged: 1, deleted: 1 })
    expect(await history()).toEqual([
      [2, 3],
      [5, 1],
    ])
  })

  it('are deleted by a whole read that lacks them, and kept by one of changes', async () => {
    const first = await begin()
    await write(first, line('1/1', '2026-01-02', 3), line('2/1', '2026-01-03', 4))
    await finish(first)
    const changes = await begin(false)
    await write(changes, line('3/1', '2026-01-04', 1))
    expect(await finish(changes)).toBe(0)
    const whole = await begin()
    await write(whole, line('2/1', '2026-01-03', 4), line('3/1', '2026-01-04', 1))
    expect(await finish(whole)).toBe(1)
    expect(await history()).toEqual([
      [3, 4],
      [4, 1],
    ])
  })
})

describe('reversals', () => {
  const net = [[9, 5]]
  const original = line('1/1', '2026-01-02', 8)
  const reversal = line('2/1', '2026-01-20', -8, '1/1')
  const other = line('3/1', '2026-01-09', 5)

  it('count on the day of what they take back', async () => {
    const to = await begin()
    await write(to, original, reversal, other)
    await finish(to)
    expect((await history()).filter(([, quantity]) => quantity)).toEqual(net)
  })

  it('find it in an earlier sync', async () => {
    const first = await begin()
    await write(first, original, other)
    await finish(first)
    const later = await begin(false)
    await write(later, reversal)
    await finish(later)
    expect((await history()).filter(([, quantity]) => quantity)).toEqual(net)
  })

  it('find it however long ago it was', async () => {
    const first = await begin()
    await write(first, line('1/1', '2024-03-01', 8), other)
    await finish(first)
    const later = await begin(false)
    await write(later, reversal)
    await finish(later)
    expect(await SELECT.from(OpenReversals).where({ source_ID: source })).toEqual([])
    expect((await history()).filter(([, quantity]) => quantity)).toEqual(net)
  })

  it('wait for it where it comes later', async () => {
    const to = await begin()
    await write(to, reversal)
    await write(to, original, other)
    await finish(to)
    expect((await history()).filter(([, quantity]) => quantity)).toEqual(net)
    expect(await SELECT.from(OpenReversals).where({ source_ID: source })).toEqual([])
  })

  it('do nothing where it lies before the history that is read', async () => {
    const to = await begin()
    await write(to, reversal, other)
    await finish(to)
    expect(await history()).toEqual(net)
  })
})

describe('returns', () => {
  it('take from the sales before them, the latest first', async () => {
    const to = await begin()
    await write(
      to,
      line('1/1', '2026-01-02', 3),
      line('2/1', '2026-01-05', 4),
      line('3/1', '2026-01-08', -5),
      line('4/1', '2026-01-09', 2),
    )
    await finish(to)
    expect((await history()).filter(([, quantity]) => quantity)).toEqual([
      [2, 2],
      [9, 2],
    ])
  })
})

describe('reading demand', () => {
  it('stands in the caller’s transaction where there is one', async () => {
    const to = await begin()
    const seen = await cds.tx(async () => {
      await to.write({ records: [line('1/1', '2026-01-02', 3)] })
      return history()
    })
    expect(seen).toEqual([[2, 3]])
    expect(await history()).toEqual([[2, 3]])
  })
})

describe('whole reads that begin anew when they are interrupted', () => {
  const sold = (sku: string, date: string, quantity: number, document = '') => ({
    ...line(document, date, quantity),
    sku,
  })
  const stored = async () => {
    const rows = await SELECT.from(DemandRows)
      .columns('toSeries.sku as sku', 'date', 'document', 'quantity', 'seenIn')
      .where({ 'toSeries.source_ID': source } as never)
      .orderBy('sku', 'date', 'document')
    return rows as unknown as (DemandRow & { sku: string; seenIn: number })[]
  }
  const GONE = { share: 1, minRows: 0 }
  const readAll = async (records: RecordOf<'demand'>[]) => {
    const to = await begin(true, true)
    const half = Math.floor(records.length / 2)
    await write(to, ...records.slice(0, half))
    await write(to, ...records.slice(half))
    return cds.tx(() => to.finish(GONE))
  }

  it('write nothing of a day that is as it was', async () => {
    const days = [
      sold('A', '2026-01-02', 3),
      sold('A', '2026-01-03', 4),
      sold('B', '2026-01-03', 1),
    ]
    await readAll(days)
    const first = reads
    expect(await readAll([days[0]!, { ...days[1]!, quantity: 5 }, days[2]!])).toBe(0)
    expect((await stored()).map(({ seenIn }) => seenIn)).toEqual([first, first + 1, first])
  })

  it('delete what they do not find, as a plain list does', async () => {
    let state = 1
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
    const dayOf = (at: number) => new Date(Date.UTC(2023, 0, 1 + at)).toISOString().slice(0, 10)
    let list = new Map<string, RecordOf<'demand'>>()
    for (let round = 0; round < 12; round++) {
      const next = new Map<string, RecordOf<'demand'>>()
      for (const [key, row] of list) if (random(10)) next.set(key, row)
      for (let more = 0; more < 30; more++) {
        const [sku, at] = ['ABC'[random(3)]!, 30 * round + random(1_400)]
        const document = random(4) ? '' : `${random(9)}/1`
        const row = sold(sku, dayOf(at), 1 + random(5), document)
        next.set(`${sku} ${row.date} ${document}`, row)
      }
      // The data of most systems begin later each time.
      for (const [key, row] of next) if (row.date < dayOf(30 * round)) next.delete(key)
      const gone = [...list.keys()].filter((key) => !next.has(key)).length
      expect(await readAll([...next.values()])).toBe(gone)
      list = next
      const rows = [...list].map(([key, { quantity }]) => `${key} ${quantity}`)
      const found = (await stored()).map(
        ({ sku, date, document, quantity }) => `${sku} ${date} ${document} ${Number(quantity)}`,
      )
      expect(found.sort()).toEqual(rows.sort())
    }
    expect(await readAll([])).toBe(list.size)
    expect(await stored()).toEqual([])
  })
})
