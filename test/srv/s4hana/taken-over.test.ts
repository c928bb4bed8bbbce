// An incremental sync that is broken off between two pages of each list, when some of them are stored, and goes on.
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { Syncs } from '../../../srv/base/database/entities.ts'
import { cancelSync, startSync, syncWorker } from '../../../srv/domain/sync/index.ts'
import { type Change, type Erp, type PairTruth, startErp } from '../../../sandbox/index.ts'
import { differencesButVanished, receiptDifferences } from '../../support/erp-truth.ts'
import { finished, sync } from '../../support/server.ts'
import { someOf } from '../../support/some-of.ts'
import { storedRows } from '../../support/stored-rows.ts'
import {
  firstLists,
  hangAt,
  type Lists,
  listsAfterDocuments,
  oldestDays,
  productsInTurn,
} from './hanging-pages.ts'
import { connect, NOTHING_ELSE } from './source.ts'

const { UPDATE } = cds.ql

let erp: Erp
let pairs: PairTruth[]
/** Of which nothing has come. */
let items: { order: string; item: string }[]
beforeAll(async () => {
  erp = await startErp({ size: 30, days: 14, seed: 4 })
  pairs = [...erp.truth({ demand: false })].filter(({ supplier }) => supplier)
  const order: Change = { kind: 'order', ...pairAt(0), quantity: 9 }
  const made = erp.control.change(Array.from({ length: 40 }, () => order))
  items = made.map(({ document }) => ({ order: document!, item: '00010' }))
})
afterAll(() => erp.close())

const pairAt = (at: number) => {
  const { sku, location } = pairs[at]!
  return { sku, location }
}

/** Of each list rows on its first and on its last pages. */
function changeAll() {
  const [closed, received, late] = [items.shift()!, items.pop()!, items.shift()!]
  const ends = [
    ...Array(12).keys(),
    ...Array.from({ length: 12 }, (_, at) => pairs.length - 1 - at),
  ]
  erp.control.change([
    { kind: 'orderLine', ...closed, completed: true, stamped: false },
    { kind: 'receive', ...received, quantity: 1 },
    { kind: 'receive', ...items.at(-1)!, quantity: 1 },
    { kind: 'scheduleLine', ...late, due: '2027-05-05', stamped: false },
    ...ends.flatMap((at): Change[] => [
      { kind: 'rename', sku: pairAt(at).sku, name: `Name ${Math.random()}` },
      { kind: 'issue', ...pairAt(at), quantity: 2 },
      { kind: 'onHand', ...pairAt(at), quantity: 100 * Math.random() },
      { kind: 'planning', ...pairAt(at), values: { MinimumLotSizeQuantity: `${at + 9}.000` } },
    ]),
  ])
}

/** Begins an incremental sync, and waits until it waits for pages of these lists. */
async function pause(source: number, lists: Lists): Promise<number> {
  const { ID } = await hangAt(erp, lists, () => startSync({ source, mode: 'incremental' }))
  return ID
}

async function isTrue(source: number) {
  expect(await differencesButVanished(source, erp)).toEqual([])
  expect(await receiptDifferences(source, erp)).toEqual([])
}

let source: number
let undisturbed: number
beforeAll(async () => {
  const options = {
    ...NOTHING_ELSE,
    purchase_orders: 'v2',
    page_size: 5,
    document_page_size: 3,
    concurrency: 8,
  }
  source = (await connect(erp, 'basic', options)).source
  undisturbed = (await connect(erp, 'basic', options)).source
  for (const each of [source, undisturbed])
    expect(await sync(each, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
})

const TAKEN_OVER: [string, Lists][] = [
  ['products, planning and documents', firstLists],
  ['stock and orders', listsAfterDocuments],
]

// A process that is killed at each of the lists: faults-killed.test.ts.
it.each(someOf(TAKEN_OVER, 2))(
  'an instance that takes over while %s do not come stores what an undisturbed sync stores',
  async (_, lists) => {
    changeAll()
    const ID = await pause(source, lists)
    const later = new Date(Date.now() + 60_000).toISOString()
    await UPDATE.entity(Syncs).set({ owner: 'another', leaseUntil: later }).where({ ID })
    await sleep(4_000)
    erp.control.clearFaults()
    await UPDATE.entity(Syncs).set({ leaseUntil: null }).where({ ID })
    await syncWorker.wake()
    expect(await finished(ID)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await sync(undisturbed)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await storedRows(source)).toEqual(await storedRows(undisturbed))
    await isTrue(source)
  },
)

it.each([
  ['the oldest days', oldestDays],
  ['stock and orders', listsAfterDocuments],
  ['products in turn', productsInTurn],
])(
  'the sync after one that was cancelled while %s did not come knows what has happened in between',
  async (_, lists) => {
    changeAll()
    const ID = await pause(source, lists)
    await cancelSync(ID)
    expect(await finished(ID)).toMatchObject({ status: 'cancelled' })
    erp.control.clearFaults()
    changeAll()
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    await isTrue(source)
    expect(await sync(undisturbed)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await storedRows(source)).toEqual(await storedRows(undisturbed))
  },
)
