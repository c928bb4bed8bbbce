import type { Pair } from '../../../sandbox/company/model.ts'
import type { NetsuiteErp } from '../../../sandbox/netsuite/index.ts'
import { Copy, closeAll, connectionTo, differences, startSmall } from './support.ts'

afterEach(closeAll)

const ZONE = { time_zone: 'America/Los_Angeles' }

describe('a full read equals what the ERP holds', () => {
  it.each([
    ['in pages of a thousand', {}, []],
    ['in small pages', { page_size: 40 }, []],
    ['with several requests at once', { page_size: 100, concurrency: 5 }, []],
    [
      'where columns depend on features',
      {},
      ['aggregateitemlocation.quantityintransit', 'transaction.memo', 'location.fullname'],
    ],
    ['without vendors of items and currencies', {}, ['itemvendor', 'deletedrecord']],
  ])('%s', async (_name, options, missing) => {
    const erp = await startSmall({ size: 150, days: 60 })
    erp.set({ missing })
    const copy = await new Copy(connectionTo(erp, options)).sync('full')
    expect(differences(copy, erp)).toEqual([])
    expect(copy.quarantined).toEqual([])
    expect(copy.of('demand').length).toBeGreaterThan(1000)
    expect(copy.of('openOrders').length).toBeGreaterThan(50)
    expect(copy.of('customerOrders').length).toBeGreaterThan(10)
    expect(copy.of('exchangeRates')).toContainEqual(
      expect.objectContaining({ fromCurrency: 'USD', toCurrency: 'EUR', rate: '0.92' }),
    )
  })

  it('with prices, suppliers, lead times and lots in base units', async () => {
    const erp = await startSmall()
    const copy = await new Copy(connectionTo(erp)).sync('full')
    const planning = new Map(copy.of('planning').map((one) => [`${one.sku}\n${one.location}`, one]))
    expect(planning.size).toBe(erp.company.pairs.length)
    for (const { item, location } of erp.company.pairs) {
      expect(planning.get(`${item.code}\n${location.code}`)).toMatchObject({
        ...{ leadTimeDays: item.leadTimeDays, supplier: item.supplier.code, currency: 'EUR' },
        ...{ unitCost: Number(item.unitCost).toFixed(4), lotSize: item.orderUnit?.factor ?? null },
        ...{ purchasable: item.isActive, moq: null },
      })
    }
    const [order] = copy.of('openOrders')
    const { supplier } = erp.company.orders.find(({ number }) => number === order!.document)!
    expect(order!.supplier).toBe(supplier.code)
  })
})

describe('what has changed since is read', () => {
  let erp: NetsuiteErp
  let copy: Copy

  const start = async () => {
    erp = await startSmall({ size: 60 })
    copy = await new Copy(connectionTo(erp, ZONE)).sync('full')
    erp.company.clock.advance(1)
  }
  const open = () => erp.company.orders.find((one) => one.status === 'open')!

  const CHANGES: [string, () => void][] = [
    ['a sale', () => void erp.company.sell(erp.company.pairs[0]!, 5)],
    ['a sale of what is not there', () => void erp.company.sell(erp.company.pairs[1]!, 500)],
    ['a return', () => void erp.company.takeBack(erp.company.pairs[0]!, 2)],
    ['a count', () => void erp.company.adjust(erp.company.pairs[2]!, -1)],
    ['a part received', () => void erp.company.receive(open(), open().lines[0]!, 1)],
    ['a line that is closed', () => erp.company.closeLine(open(), open().lines[0]!)],
    ['an order that is cancelled', () => erp.company.cancelOrder(open())],
    ['an order that is deleted', () => erp.company.deleteOrder(open())],
    [
      'another quantity and day',
      () => erp.company.changeLine(open(), open().lines[0]!, { quantity: 77, due: '2027-01-05' }),
    ],
    [
      'a new order',
      () =>
        void erp.company.order(erp.company.suppliers[0]!, [
          { pair: erp.company.pairs[3]!, quantity: 24, dueInDays: 9 },
        ]),
    ],
    [
      'a customer order, delivered in part and cancelled',
      () => {
        const [first, second] = erp.company.pairs as [never, never]
        const lines = [{ pair: first, quantity: 7, dueInDays: 3 }]
        const order = erp.company.takeSalesOrder(lines)
        erp.company.deliver(order, order.lines[0]!, 3)
        erp.company.cancelSalesOrder(
          erp.company.takeSalesOrder([{ pair: second, quantity: 1, dueInDays: 3 }]),
        )
      },
    ],
    [
      'a new item that sells',
      () => {
        const [like] = erp.company.items
        const item = erp.company.addItem({ ...like!, code: 'NEW-1', name: 'New' })
        erp.company.sell(erp.company.pairOf(item, erp.company.locations[0]!), 4)
      },
    ],
    [
      'an item that is retired and renamed',
      () => erp.company.changeItem(erp.company.items[0]!, { isActive: false, name: 'Old' }),
    ],
    [
      'an item that is deleted',
      () => {
        // One that is ordered cannot be.
        const { orders, salesOrders, items } = erp.company
        const lines = [...orders, ...salesOrders].flatMap((one) => one.lines as { pair: Pair }[])
        const ordered = new Set(lines.map(({ pair }) => pair.item))
        erp.company.deleteItem(items.find((item) => !ordered.has(item))!)
      },
    ],
  ]

  it('after each single change', async () => {
    await start()
    for (const [name, change] of CHANGES) {
      change()
      await copy.sync()
      expect({ name, wrong: differences(copy, erp) }).toEqual({ name, wrong: [] })
      expect(copy.quarantined).toEqual([])
      // Nobody reads the history again.
      expect(copy.read.get('demand')).toBeLessThan(60)
      expect(copy.read.get('skus')).toBeLessThan(5)
      erp.company.clock.advance(1)
    }
  })

  it('and a day later what came of an order, for its lead time', async () => {
    await start()
    const order = open()
    const [line] = order.lines as [(typeof order.lines)[0]]
    erp.company.receive(order, line, 1)
    await copy.sync()
    const received = copy.of('receipts')
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      ...{ document: order.number, line: '1', sku: line.pair.item.code, due: line.due },
      ...{ location: line.pair.location.code, supplier: order.supplier.code, quantity: 1 },
      orderedOn: new Date(order.orderedAt).toISOString().slice(0, 10),
    })
  })
})

describe('the time zone of the user', () => {
  it.each([
    ['is not known, and far behind', 'Pacific/Pago_Pago', {}],
    ['is not known, and far ahead', 'Pacific/Kiritimati', {}],
    ['is another than was said', 'America/Los_Angeles', { time_zone: 'Asia/Tokyo' }],
  ])('%s', async (_name, timeZone, options) => {
    const erp = await startSmall({}, timeZone)
    // Something has been changed lately, as in any account that is used.
    erp.company.sell(erp.company.pairs[1]!, 1)
    const copy = await new Copy(connectionTo(erp, options)).sync('full')
    erp.company.sell(erp.company.pairs[0]!, 5)
    await copy.sync()
    expect(differences(copy, erp)).toEqual([])
  })
})

it('a document that was changed, and lost a line, is read anew', async () => {
  const erp = await startSmall()
  const copy = await new Copy(connectionTo(erp, ZONE)).sync('full')
  erp.company.clock.advance(1)
  const { document } = copy.of('demand').at(-1)!
  const [number, line] = document!.split('/')
  const now = new Date(erp.company.clock.now()).toISOString().slice(0, 19).replace('T', ' ')
  const before = copy.of('demand').length
  erp.execute(`UPDATE "transaction" SET lastmodifieddate = '${now}' WHERE id = ${number}`)
  erp.execute(`DELETE FROM transactionline WHERE "transaction" = ${number} AND id = ${line}`)
  await copy.sync()
  expect(copy.of('demand')).toHaveLength(before - 1)
  expect(copy.of('demand').some((one) => one.document === document)).toBe(false)
})
