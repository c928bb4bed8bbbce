// What no proposal needs is a note: the sync is whole without it, and says what its issues mean.
import cds from '@sap/cds'
import { type Erp, startErp } from '../../../sandbox/index.ts'
import { Proposals, QuarantinedRows, Series, Skus } from '../../../srv/base/database/entities.ts'
import { withdrawGoneProducts } from '../../../srv/domain/sync/rejected-rows.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { rows } from '../admin/admin.ts'
import { connect } from '../s4hana/source.ts'
import { get } from '../v1/api.ts'

const { SELECT } = cds.ql

const told = async (sync: number) => (await get(`/syncs/sync_${sync}`)).json

const files = {
  'demand.csv': steadyDemand(['A', 'made', 'idle']),
  'items.csv': 'sku,name\nA,Apple\nmade,Made here\nidle,Not planned\n',
  'stock.csv': 'sku,location,on_hand\nA,L1,3\n',
  'planning.csv': 'sku,location,lead_time_days\nA,L1,7\n',
}
/** Among good rows, because a file of bad rows is refused as a whole. */
const orders = (...rows: string[]) =>
  [
    'order,line,sku,location,quantity,due',
    ...rows,
    ...Array.from({ length: 10 }, (_, i) => `G${i},1,A,L1,1,${daysAgo(-9)}`),
  ].join('\n')

it('a source without any demand says so, until it has some', async () => {
  const HEADER = 'sku,location,date,quantity\n'
  const source = await connectFiles('no_demand', { ...files, 'demand.csv': HEADER })
  const { status, notes } = await told((await sync(source, 'full')).ID)
  expect(status).toBe('succeeded')
  expect(notes).toMatchObject([
    {
      ...{ code: 'no_demand', stream: 'demand', key: null },
      message: 'There is no demand: nothing can be forecast or proposed.',
      impact: expect.stringContaining('no forecasts'),
      remedy: expect.stringContaining('Whoever exports demand'),
    },
  ])
  await writeFiles('no_demand', { 'demand.csv': files['demand.csv'] })
  expect((await told((await sync(source)).ID)).notes).toEqual([])
})

describe('a row that cannot be used', () => {
  let source: number
  beforeAll(async () => {
    source = await connectFiles('notes', {
      ...files,
      'open_orders.csv': orders('P1,1,idle,L1,many,', 'P2,1,nobody,L1,many,'),
    })
  })

  it('is a note where its pair is not planned', async () => {
    const { ID } = await sync(source, 'full')
    const { status, issues, notes, counts } = await told(ID)
    expect({ status, issues, quarantined: counts.quarantined }).toEqual({
      ...{ status: 'succeeded', issues: [], quarantined: 0 },
    })
    expect(notes).toMatchObject(
      ['open_orders.csv:2', 'open_orders.csv:3'].map((key) => ({
        ...{ code: 'not_planned', stream: 'openOrders', key },
        impact: expect.stringContaining('No proposal needs this row'),
        remedy: expect.stringContaining('nothing to do'),
      })),
    )
    const listed = await rows(`Syncs(${ID})/issues`)
    expect(listed.map(({ isNote }) => isNote)).toEqual([true, true])
    expect(await rows(`QuarantinedRows?$filter=source_ID eq ${source}`)).toEqual([])
  })

  it('is an issue where its pair is, with what that means and who can mend it', async () => {
    await writeFiles('notes', {
      'open_orders.csv': orders('P1,1,idle,L1,many,', 'P3,1,A,L1,many,'),
    })
    const { ID } = await sync(source)
    const { status, issues, notes } = await told(ID)
    expect(status).toBe('partial')
    expect(issues).toMatchObject([
      {
        ...{ code: 'invalid_value', stream: 'openOrders', key: 'open_orders.csv:3' },
        impact:
          'What is on order of this SKU at this location is not known: it is blocked, not ordered again.',
        remedy: expect.stringMatching(/^Whoever maintains the record corrects it/),
      },
    ])
    expect(notes).toHaveLength(1)
  })

  it('is an issue where the row that plans its pair cannot be read either', async () => {
    const unplanned = await connectFiles('unplanned', {
      ...files,
      'planning.csv': 'sku,location,lead_time_days\nA,L1,7\nmade,L1,soon\nidle,L1,7\n',
      'stock.csv': 'sku,location,on_hand\nA,L1,3\nmade,L1,many\nidle,L1,3\n',
    })
    const { ID } = await sync(unplanned, 'full')
    const { issues, notes } = await told(ID)
    expect(notes.filter(({ code }: { code: string }) => code !== 'read_as')).toEqual([])
    expect(issues).toMatchObject([
      { code: 'invalid_value', key: 'planning.csv:3' },
      { code: 'invalid_value', key: 'stock.csv:3' },
    ])
  })

  it('that has the key of an earlier one says that this one stands, and a column that nobody reads is noted', async () => {
    const twice = await connectFiles('twice', {
      ...files,
      'planning.csv': 'sku,location,lead_time_days,unit_csot\nA,L1,7,1\nA,L1,14,2\n',
    })
    const { ID } = await sync(twice, 'full')
    const { issues, notes } = await told(ID)
    expect(issues).toMatchObject([
      {
        ...{ code: 'duplicate_key', stream: 'planning' },
        impact: expect.stringMatching(/^The first one with this key counts/),
      },
    ])
    expect(notes).toMatchObject([
      {
        ...{ code: 'read_as', stream: 'planning' },
        message: 'planning.csv has columns that nobody reads: unit_csot.',
      },
    ])
    expect(await SELECT.from(Proposals).where({ source_ID: twice, sku: 'A' })).toHaveLength(1)
  })

  it('becomes one when its pair is planned, and is gone with a good row', async () => {
    await writeFiles('notes', {
      'open_orders.csv': orders('P1,1,idle,L1,many,'),
      'planning.csv': 'sku,location,lead_time_days\nA,L1,7\nidle,L1,7\n',
    })
    const { ID } = await sync(source)
    expect(await told(ID)).toMatchObject({ status: 'partial', issues: [{}], notes: [] })
    await writeFiles('notes', { 'open_orders.csv': orders(`P1,1,idle,L1,5,${daysAgo(-9)}`) })
    const { ID: next } = await sync(source)
    expect(await told(next)).toMatchObject({ status: 'succeeded', issues: [], notes: [] })
  })
})

describe('a product that the ERP no longer has', () => {
  let erp: Erp
  /** Tests share it, and leave it without issues. */
  let source: number
  beforeAll(async () => {
    erp = await startErp({ size: 30, days: 30 })
    source = await connectWith('v2')
  })
  afterAll(() => erp.close())

  async function connectWith(version: string) {
    const connected = await connect(erp, 'basic', { purchase_orders: version })
    expect(await sync(connected.source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
    return connected.source
  }
  const ordered = () =>
    [...erp.truth({ demand: false })].filter(({ openOrders }) => openOrders.length)
  const isBought = async (sku: string) =>
    (await SELECT.one.from(Skus).where({ source_ID: source, sku }))!.purchasable !== false

  it.each(['v2', 'v4'])(
    'is known as gone at once by its orders of %s, which are notes, and nothing is proposed for it',
    async (version) => {
      erp.control.set({ v4: true })
      const own = version === 'v2' ? source : await connectWith(version)
      const open = async () =>
        (await SELECT.from(Proposals).where({ source_ID: own, status: 'pending' })).map(
          (row) => row.sku!,
        )
      const before = await open()
      const gone = ordered().find(({ sku }) => before.includes(sku))!.sku
      erp.control.change([{ kind: 'vanish', sku: gone }])
      for (const mode of ['incremental', 'full', 'incremental'] as const) {
        const { ID } = await sync(own, mode)
        const { status, issues, notes } = await told(ID)
        expect({ status, issues }).toEqual({ status: 'succeeded', issues: [] })
        // A full sync finds it by its catalogue: V4 orders are understood without.
        const expected = version === 'v4' && mode === 'full' ? [] : ['not_in_catalogue']
        expect([...new Set(notes.map(({ code }) => code))]).toEqual(expected)
        expect(await open()).not.toContain(gone)
      }
    },
  )

  it('is bought again once it is back, though its orders cannot be read then', async () => {
    const [{ sku } = { sku: '' }] = ordered()
    erp.control.change([{ kind: 'vanish', sku }])
    await sync(source)
    expect(await isBought(sku)).toBe(false)
    erp.control.change([{ kind: 'recreate', sku }])
    erp.control.set({ forbidden: ['API_PURCHASEORDER_PROCESS_SRV'] })
    expect(await sync(source)).toMatchObject({ status: 'partial' })
    expect(await isBought(sku)).toBe(true)
    erp.control.set({ forbidden: [] })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  })

  it('is bought still where more are gone than is believed', async () => {
    const [{ sku } = { sku: '' }] = ordered()
    const row = { ID: 'gone', source_ID: source, sync: 0, record: 'openOrders', place: '', sku }
    const what = { code: 'product_gone', message: '', location: '', excerpt: '' }
    await cds.run(cds.ql.INSERT.into(QuarantinedRows).entries({ ...row, ...what }))
    for (const [minRows, expected] of [
      [1, true],
      [1_000, false],
    ] as const) {
      await cds.tx(() => withdrawGoneProducts({ ID: 0, source, guard: { share: 0, minRows } }))
      expect(await isBought(sku)).toBe(expected)
    }
    await sync(source, 'full')
    expect(await isBought(sku)).toBe(true)
  })

  it('is not one whose row cannot be read: its demand stays', async () => {
    const { sku, location } = [...erp.truth()].find(({ demand }) => demand.length)!
    const key = { Product: sku, ValuationArea: location, ValuationType: '' }
    const set = { kind: 'row', set: 'A_ProductValuation', key } as const
    const price = (text: string) =>
      erp.control.change([{ ...set, values: { StandardPrice: text, MovingAveragePrice: text } }])
    price('many')
    const { ID } = await sync(source, 'full')
    expect(await told(ID)).toMatchObject({
      status: 'partial',
      issues: [{ stream: 'skus', key: `A_Product('${sku}')` }],
    })
    expect(await SELECT.from(Series).where({ source_ID: source, sku })).not.toEqual([])
    price('1.00')
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded' })
  })
})
