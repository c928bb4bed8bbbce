import { startErp } from '../../sandbox/index.ts'
import { all, query, rowsOf } from './client.ts'
import { deliveredByPair, demandByPair, onOrderV2, onOrderV4 } from './reference.ts'
import type { Erp, PairTruth, TruthOptions } from '../../sandbox/index.ts'

const WORLD = { now: '2026-02-10T08:30:00Z', defaultPage: 5000 }

let erp: Erp
beforeEach(async () => {
  erp = await startErp({ size: 150, days: 60, ...WORLD })
})
afterEach(() => erp.close())

const name = ({ sku, location }: PairTruth) => `${sku} ${location}`

/** Holds everything that the truth says about quantities against a second reading. */
async function check() {
  const truth = [...erp.truth()]
  const pairs = new Set(truth.map(name))
  const demand = await demandByPair(erp)
  const v2 = await onOrderV2(erp)
  const v4 = await onOrderV4(erp)
  for (const pair of truth) {
    const days = [...(demand.get(name(pair)) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    expect([name(pair), pair.demand.map(({ date, quantity }) => [date, quantity])]).toEqual([
      name(pair),
      days,
    ])
    expect([name(pair), v2.get(name(pair)) ?? 0]).toEqual([name(pair), pair.onOrder])
    expect([name(pair), v4.get(name(pair)) ?? 0]).toEqual([name(pair), pair.onOrder])
  }
  return { truth, pairs }
}

it('agrees with what is read through the wire formats', async () => {
  const { truth } = await check()
  expect(truth.some(({ onOrder }) => onOrder > 0)).toBe(true)
  expect(truth.some(({ demand }) => demand.some(({ quantity }) => quantity < 0))).toBe(true)
})

it('still does after days of business, across the year’s end and with changes', async () => {
  const before = erp.control.counts()
  erp.control.advance(3)
  const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
  const made = erp.control.change([
    { kind: 'issue', sku, location, quantity: 7, postingDate: '2025-12-30' },
    { kind: 'return', sku, location, quantity: 2 },
    { kind: 'cancelLast', sku, location },
    {
      kind: 'order',
      sku,
      location,
      quantity: 40,
      reference: 'prop_1042',
      schedule: [
        { due: '2026-01-05', quantity: 10 },
        { due: '2026-04-05', quantity: 30 },
      ],
    },
  ])
  const order = made[3]!.document!
  erp.control.change([
    { kind: 'receive', order, item: '00010', quantity: 12 },
    { kind: 'receive', order, item: '00010', quantity: 2, type: '122' },
    { kind: 'cancel', year: made[1]!.year!, document: made[1]!.document! },
  ])
  const { truth } = await check()
  const after = erp.control.counts()
  expect(after.documents).toBeGreaterThan(before.documents + 6)
  const open = truth[0]!.openOrders.filter((line) => line.order === order)
  expect(open).toEqual([
    {
      ...{ order, item: '00010', scheduleLine: '0002', quantity: 30 },
      ...{ due: '2026-04-05', reference: 'prop_1042' },
    },
  ])
})

it('knows the deliveries, too', async () => {
  const options: TruthOptions = { basis: 'deliveries' }
  const delivered = await deliveredByPair(erp)
  for (const pair of erp.truth(options)) {
    const days = [...(delivered.get(name(pair)) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    expect(pair.demand.map(({ date, quantity }) => [date, quantity])).toEqual(days)
  }
})

it('adds up unrestricted own stock only', async () => {
  const [first] = [...erp.truth({ demand: false })].filter(({ onHand }) => onHand > 0)
  const { sku, location } = first!
  erp.control.change([
    { kind: 'onHand', sku, location, quantity: 12 },
    { kind: 'stock', sku, location, quantity: 5, type: '07' },
    { kind: 'stock', sku, location, quantity: 3, storageLocation: '999Z', batch: 'B7' },
  ])
  const [after] = [...erp.truth({ demand: false, sku })].filter(
    (pair) => pair.location === location,
  )
  expect(after).toMatchObject({ onHand: 15, blocked: 5 })
  const $filter = `Material eq '${sku}' and Plant eq '${location}'`
  const rows = await rowsOf(erp, `API_MATERIAL_STOCK_SRV/A_MatlStkInAcctMod?${query({ $filter })}`)
  expect(rows.map(({ StorageLocation }) => StorageLocation)).toContain('999Z')
  const keys = (await all(erp, 'API_MATERIAL_STOCK_SRV/A_MatlStkInAcctMod')).map(
    (row) => `${row.Material} ${row.Plant} ${row.StorageLocation}`,
  )
  expect(keys).toEqual([...keys].sort())
})

it('lets products vanish, flags and renames them with a timestamp', async () => {
  const skus = new Set([...erp.truth({ demand: false })].map(({ sku }) => sku))
  const [gone, flagged, renamed] = [...skus] as [string, string, string]
  erp.control.change([
    { kind: 'vanish', sku: gone },
    { kind: 'flag', sku: flagged },
    { kind: 'rename', sku: renamed, name: 'Another name' },
  ])
  expect([...erp.truth({ sku: gone })]).toEqual([])
  expect([...erp.truth({ sku: flagged })].map(({ purchasable }) => purchasable)).toContain(false)
  const $filter = "LastChangeDateTime ge datetimeoffset'2026-02-10T08:00:00Z'"
  const changed = await rowsOf(erp, `API_PRODUCT_SRV/A_Product?${query({ $filter })}`)
  expect(changed.map(({ Product }) => Product)).toEqual([flagged, renamed])
})

it('has every peculiarity that an adapter must get right', async () => {
  await erp.close()
  erp = await startErp({ size: 600, days: 60, ...WORLD })
  const truth = [...erp.truth({ demand: false })]
  const some = (test: (pair: PairTruth) => boolean) => expect(truth.some(test)).toBe(true)
  some(({ leadTimeDays }) => leadTimeDays === null)
  some(({ supplier }) => supplier === null)
  some(({ purchasable, supplier }) => !purchasable && supplier !== null)
  some(({ moq }) => moq === null)
  some(({ lotSize }) => lotSize === 24)
  some(({ unit }) => unit === 'KG')
  some(({ inInspection, blocked, inTransit }) => inInspection + blocked + inTransit > 0)
  some(({ openOrders }) => openOrders.some(({ due }) => due < '2026-02-10'))
  some(
    ({ openOrders }) =>
      new Set(openOrders.map(({ item, order }) => order + item)).size < openOrders.length,
  )
})
