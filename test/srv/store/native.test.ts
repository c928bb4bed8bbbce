// The portable way, for databases without one of their own, does what the native one does.
import cds from '@sap/cds'
import { DemandRows } from '../../../srv/base/database/entities.ts'
import { blockOf, type DemandRow, native } from '../../../srv/base/database/native/index.ts'
import * as portable from '../../../srv/base/database/native/portable.ts'
import { selectRows } from '../../../srv/base/database/native/bulk.ts'
import '../../support/server.ts'

const { SELECT } = cds.ql

const ways = { native, portable: () => portable }
const [FROM, TO] = ['2026-01-01', '2026-01-31']

let series = 900_000

beforeEach(() => (series += 1_000))

const row = (document: string, day: number, quantity: number, promo: boolean | null = null) =>
  ({
    ...{ series, date: `2026-01-${String(day).padStart(2, '0')}`, document, quantity },
    ...{ price: null, promo },
  }) as DemandRow

const stored = () =>
  SELECT.from(DemandRows)
    .columns('date', 'document', 'quantity', 'promo', 'seenIn')
    .where({ block: blockOf(series), series })
    .orderBy('date', 'document')

describe.each(Object.entries(ways))('%s', (_name, way) => {
  const upsert = (rows: DemandRow[], read: number, whole: boolean) =>
    cds.tx(() => way().upsertDemand(rows, read, () => whole))

  it('reports which rows are new or changed, and stamps the others of a whole read', async () => {
    expect(await upsert([row('1/1', 1, 3), row('2/1', 2, 4)], 1, true)).toEqual([series, series])
    expect(await upsert([row('1/1', 1, 3), row('2/1', 2, 5)], 2, true)).toEqual([series])
    expect(await upsert([row('1/1', 1, 3)], 3, false)).toEqual([])
    const rows = await stored()
    expect(rows.map((each) => Number(each.quantity))).toEqual([3, 5])
    expect(rows.map(({ seenIn }) => seenIn)).toEqual([2, 2])
  })

  it('reads the days of a series in their order', async () => {
    await upsert([row('2/1', 7, 4, true), row('1/1', 3, 3, false), row('3/1', 9, 1)], 1, true)
    expect(await way().readDays([series], FROM, TO)).toEqual([
      [series, '2026-01-03', 3, false],
      [series, '2026-01-07', 4, true],
      [series, '2026-01-09', 1, null],
    ])
  })

  it('finds documents from a day on', async () => {
    await upsert([row('1/1', 3, 3), row('2/1', 7, 4), row("o'1", 8, 4)], 1, true)
    const find = (documents: string[], from: string) =>
      cds.tx(() => way().findDocuments(blockOf(series), documents, from))
    const found = await find(['1/1', '2/1', "o'1", 'other'], '2026-01-05')
    expect(found.map((each) => ({ ...each })).sort((a, b) => (a.date < b.date ? -1 : 1))).toEqual([
      { series, document: '2/1', date: '2026-01-07' },
      { series, document: "o'1", date: '2026-01-08' },
    ])
    expect(await find([], FROM)).toEqual([])
  })
})

describe('rows of plain columns', () => {
  const PROPOSALS = 'restock.Proposals'
  const query = () =>
    SELECT.from(PROPOSALS)
      .columns('touched', 'lapsed', 'unitCost', 'value', 'exceptions', 'orderBy', 'quantity')
      .where({ series })
      .orderBy('ID')
  const insert = (further: object) =>
    cds.ql.INSERT.into(PROPOSALS).entries([
      { ID: series, series, status: 'expired', touched: true, quantity: 7, ...further },
    ])

  it('are those that CAP answers', async () => {
    await insert({ lapsed: false, unitCost: '12.5', value: '-0.105', exceptions: ['no_cost'] })
    const [row] = await selectRows<{ quantity: unknown }>(PROPOSALS, query())
    const [known] = (await query()) as { quantity: unknown }[]
    expect({ ...row, quantity: Number(row!.quantity) }).toEqual({ ...known, quantity: 7 })
  })

  it('are those that CAP answers with numbers larger than the driver reads', async () => {
    await insert({ quantity: '9007199254740993' })
    expect(await selectRows(PROPOSALS, query())).toEqual(await query())
  })
})
