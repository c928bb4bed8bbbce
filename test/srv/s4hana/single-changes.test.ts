// After each single change of the ERP an incremental sync stores what the ERP says is true, row by row.
import { isDeepStrictEqual } from 'node:util'
import { type Change, type Erp, type PairTruth, startErp } from '../../../sandbox/index.ts'
import { differencesButVanished, receiptDifferences } from '../../support/erp-truth.ts'
import { sync } from '../../support/server.ts'
import { someOf } from '../../support/some-of.ts'
import { connect, NOTHING_ELSE } from './source.ts'

/** So many open ones that an incremental read asks for the receipts of some of them only. */
const ORDERS = 140

interface Item {
  order: string
  item: string
}

let erp: Erp
/** By the version of the purchase orders that they read. */
let [v2, v4]: number[] = []
let pairs: PairTruth[]
/** Items of 20 that were due five days ago, and 30 that are due in twenty. */
let items: Item[]

const dayAt = (days: number) =>
  new Date(Date.parse(erp.control.counts().today) + days * 86_400_000).toISOString().slice(0, 10)

const pairAt = (at: number) => {
  const { sku, location } = pairs[at % pairs.length]!
  return { sku, location }
}

beforeAll(async () => {
  erp = await startErp({ size: 16, days: 16, seed: 2 })
  pairs = [...erp.truth({ demand: false })].filter(({ supplier }) => supplier)
  const schedule = [
    { due: dayAt(-5), quantity: 20 },
    { due: dayAt(20), quantity: 30 },
  ]
  const orders = Array.from({ length: ORDERS }, (_, at): Change => ({
    kind: 'order',
    ...pairAt(at),
    quantity: 50,
    schedule,
  }))
  items = erp.control.change(orders).map(({ document }) => ({ order: document!, item: '00010' }))
  const connectTo = async (version: string) =>
    (
      await connect(erp, 'basic', {
        ...NOTHING_ELSE,
        ...{ purchase_orders: version, page_size: 100 },
      })
    ).source
  ;[v2, v4] = [await connectTo('v2'), await connectTo('v4')]
  await areTrue([v2, v4], 'full')
})
afterAll(() => erp.close())

async function areTrue(sources: number[], mode: 'full' | 'incremental' = 'incremental') {
  for (const source of sources) {
    expect(await sync(source, mode)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differencesButVanished(source, erp)).toEqual([])
    expect(await receiptDifferences(source, erp)).toEqual([])
  }
}

const truth = () => [...erp.truth(), ...erp.receipts()]

/** One change after the other, with a sync after each. */
async function eachIsKnown(changes: Change[], sources = [v2!]) {
  for (const change of changes) {
    const before = truth()
    erp.control.change([change])
    expect(isDeepStrictEqual(truth(), before)).toBe(false)
    await areTrue(sources)
  }
}

const line = (item: Item, set: object): Change => ({
  ...{ kind: 'orderLine', stamped: false, ...item, ...set },
})
const receive = (item: Item, quantity: number, more: object = {}): Change => ({
  ...{ kind: 'receive', ...item, quantity, ...more },
})
const header = ({ order }: Item, deletion: '' | 'L'): Change => ({
  ...{ kind: 'orderHeader', order, deletion, stamped: false },
})

/** What happens to an order item. */
const CASES: [string, (item: Item) => Change[]][] = [
  [
    'closed and opened again',
    (item) => [line(item, { completed: true }), line(item, { completed: false })],
  ],
  [
    'deleted and not deleted',
    (item) => [line(item, { deletion: 'L' }), line(item, { deletion: '' })],
  ],
  [
    'blocked and free again',
    (item) => [line(item, { deletion: 'S' }), line(item, { deletion: '' })],
  ],
  ['deleted with its order, and back', (item) => [header(item, 'L'), header(item, '')]],
  [
    'put off and brought forward',
    (item) => [
      { kind: 'scheduleLine', ...item, due: dayAt(60), stamped: false },
      { kind: 'scheduleLine', ...item, due: dayAt(-9), stamped: false },
    ],
  ],
  [
    'split',
    (item) => [{ kind: 'splitSchedule', ...item, quantity: 7, due: dayAt(40), stamped: false }],
  ],
  [
    'received late, for an earlier day, and not after all',
    (item) => [
      receive(item, 3),
      receive(item, 21, { postingDate: dayAt(-9) }),
      { kind: 'cancelReceipt', ...item },
      { kind: 'cancelReceipt', ...item },
    ],
  ],
  [
    'received in full and sent back',
    (item) => [receive(item, 50), receive(item, 8, { type: '122' })],
  ],
]

/** Each case by either version of the purchase orders, by turns the one or the other first. */
const BY_VERSION = CASES.flatMap(([name, changes], at) => {
  const [first, second] = at % 2 ? (['v4', 'v2'] as const) : (['v2', 'v4'] as const)
  return [first, second].map((version) => [name, version, changes] as const)
})

it.each(someOf(BY_VERSION, 3))('an order item is %s (%s)', async (_name, version, changes) => {
  await eachIsKnown(changes(items.pop()!), [version === 'v2' ? v2! : v4!])
})

it('a price is changed without a timestamp', () =>
  eachIsKnown([{ kind: 'price', sku: pairAt(1).sku, price: 123.4 }]))

it('a plan is changed without a timestamp', () =>
  eachIsKnown([
    { kind: 'planning', ...pairAt(2), values: { LotSizeRoundingQuantity: '7.000' } },
    { kind: 'planning', ...pairAt(2), values: { MinimumLotSizeQuantity: '99.000' } },
  ]))

it('demand is booked late, returned and cancelled', () =>
  eachIsKnown([
    { kind: 'issue', ...pairAt(3), quantity: 3, postingDate: dayAt(-12) },
    { kind: 'return', ...pairAt(4), quantity: 2 },
    { kind: 'cancelLast', ...pairAt(3) },
  ]))

it('days pass, and what was known before is changed', async () => {
  const [received, late, closed] = [items.pop()!, items.shift()!, items.pop()!]
  await eachIsKnown([receive(received, 22), line(closed, { completed: true })])
  for (const change of [
    { kind: 'cancelReceipt', ...received },
    receive(late, 5, { postingDate: dayAt(-2) }),
    line(closed, { completed: false }),
    { kind: 'cancelReceipt', ...late },
  ] as Change[]) {
    erp.control.advance(3)
    await areTrue([v2!])
    await eachIsKnown([change])
  }
  await areTrue([v2!, v4!], 'full')
})
