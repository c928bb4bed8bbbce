// Each kind of change is known after the next incremental read, whether or not it left a timestamp.
import type { Change, Erp, PairTruth } from '../../../sandbox/index.ts'
import { Copy, connectionTo, differences, startSmallErp } from './support.ts'

let erp: Erp
let copy: Copy

/** An item of a new order, that has been read. */
async function openItem() {
  const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
  const [made] = erp.control.change([{ kind: 'order', sku, location, quantity: 20 }])
  await copy.sync()
  expect(differences(copy, erp)).toEqual([])
  return { order: made!.document!, item: '00010' }
}

async function isKnown(...changes: Change[]) {
  erp.control.change(changes)
  await copy.sync()
  expect(differences(copy, erp)).toEqual([])
}

describe.each(['v2', 'v4'])('an incremental read (%s purchase orders) knows', (version) => {
  beforeAll(async () => {
    erp = await startSmallErp({ size: 60 })
    const options = { purchase_orders: version, page_size: 50, document_page_size: 50 }
    copy = await new Copy(connectionTo(erp, options)).sync('full')
    expect(differences(copy, erp)).toEqual([])
  })

  afterAll(() => erp.close())

  it.each([true, false])(
    'an order item that is closed and opened again (stamped: %s)',
    async (stamped) => {
      const { order, item } = await openItem()
      await isKnown({ kind: 'orderLine', order, item, completed: true, stamped })
      expect(copy.openOrders.has(`${order}/${item}/0001`)).toBe(false)
      erp.control.change([{ kind: 'receive', order, item, quantity: 2 }])
      await isKnown({ kind: 'orderLine', order, item, completed: false, stamped })
    },
  )

  it('one that is deleted, blocked, and neither', async () => {
    const { order, item } = await openItem()
    for (const deletion of ['L', '', 'S', ''] as const) {
      await isKnown({ kind: 'orderLine', order, item, deletion, stamped: false })
    }
  })

  it('an order that is deleted as a whole', async () => {
    const { order } = await openItem()
    await isKnown({ kind: 'orderHeader', order, deletion: 'L', stamped: false })
    await isKnown({ kind: 'orderHeader', order, deletion: '', stamped: false })
  })

  it('a schedule line that is put off, and one that is split', async () => {
    const { order, item } = await openItem()
    const day = { order, item, due: '2027-01-15', stamped: false }
    await isKnown({ kind: 'scheduleLine', ...day })
    await isKnown({ kind: 'splitSchedule', ...day, quantity: 1, due: '2027-02-15' })
  })

  it('a receipt that is late, one posted for an earlier day, and their cancellations', async () => {
    const { order, item } = await openItem()
    await isKnown({ kind: 'receive', order, item, quantity: 3 })
    erp.control.advance(3)
    await isKnown({ kind: 'receive', order, item, quantity: 1, postingDate: '2026-11-10' })
    erp.control.advance(3)
    await isKnown({ kind: 'cancelReceipt', order, item })
    await isKnown({ kind: 'cancelReceipt', order, item })
  })

  it('prices and planning without a timestamp', async () => {
    const { sku, location } = [...erp.truth({ demand: false })].find(({ unitCost }) => unitCost)!
    await isKnown({ kind: 'price', sku, price: 123.4 })
    await isKnown({ kind: 'planning', sku, location, values: { LotSizeRoundingQuantity: '7.000' } })
  })
})
