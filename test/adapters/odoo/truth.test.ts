// All that Odoo has, read whole and after each kind of change, by both protocols.
import { Copy, differences } from '../copy.ts'
import { adapter, connectionTo, startCompany } from './support.ts'

describe.each([19, 16])('Odoo %i', (version) => {
  it('is read without a difference, whole and after each change', async () => {
    const { company, odoo } = await startCompany(
      { size: 60, now: '2026-11-20T06:00:00Z' },
      { version },
    )
    const copy = new Copy(adapter, connectionTo(odoo))
    await copy.sync('full')
    expect(differences(copy, company)).toEqual([])
    expect(copy.quarantined).toEqual([])
    const open = company.orders.filter(({ status }) => status === 'open')
    const [first, second, third, fourth] = open as [(typeof open)[0], ...typeof open]
    const [pair] = company.pairs.filter(({ onHand }) => onHand > 60)
    let sale = company.sell(pair!, 1)
    const changes: Record<string, () => void> = {
      sell: () => void (sale = company.sell(pair!, 5)),
      'sell more than there is': () => void company.sell(company.pairs[3]!, 500),
      'take back': () => void company.takeBack(pair!, 2, sale),
      'receive a part': () => void company.receive(first, first.lines[0]!, 1),
      'receive the rest': () =>
        void company.receive(first, first.lines[0]!, first.lines[0]!.quantity),
      'close a line': () => company.closeLine(second!, second!.lines[0]!),
      'cancel an order': () => company.cancelOrder(third!),
      'delete an order': () => company.deleteOrder(fourth!),
      'change a due day': () =>
        company.changeLine(open[5]!, open[5]!.lines[0]!, { due: '2027-02-01' }),
      'change a quantity': () =>
        company.changeLine(open[6]!, open[6]!.lines[0]!, { quantity: 480 }),
      'order anew': () =>
        void company.order(pair!.item.supplier, [{ pair: pair!, quantity: 24, dueInDays: 5 }]),
      'take and deliver': () => {
        const order = company.takeSalesOrder([{ pair: pair!, quantity: 4, dueInDays: 2 }])
        company.deliver(order, order.lines[0]!, 3)
      },
      'cancel a sale': () => company.cancelSalesOrder(company.salesOrders[0]!),
      'a new item': () => {
        const wish = { ...company.items[0]!, code: 'NEW-1', name: 'New' }
        const item = company.addItem(wish)
        company.adjust(company.pairOf(item, company.locations[1]!), 12)
      },
      'retire an item': () => company.changeItem(company.items[5]!, { isActive: false }),
      'rename an item': () => company.changeItem(company.items[6]!, { name: 'Other' }),
      'count stock to nothing': () => void company.adjust(pair!, -pair!.onHand),
    }
    for (const [name, change] of Object.entries(changes)) {
      company.clock.advance(1)
      change()
      await copy.sync()
      expect([name, ...differences(copy, company)]).toEqual([name])
    }
    expect(copy.rows('stock')).toContainEqual({
      ...{ sku: pair!.item.code, location: pair!.location.code, onHand: 0, backorders: 0 },
    })
    // Nothing but reads went over the wire.
    const calls = new Set(odoo.log.map(({ method, call }) => `${method} ${call.split('.').at(-1)}`))
    for (const call of calls) {
      expect(call).toMatch(/^POST (search_read|search_count|fields_get|version|authenticate)$/)
    }
  })
})

it('knows terms, price breaks and suppliers in base units', async () => {
  for (const version of [19, 16]) {
    const { company, odoo } = await startCompany({ size: 60 }, { version })
    const copy = await new Copy(adapter, connectionTo(odoo)).sync('full')
    const planning = copy.rows('planning')
    for (const { item, location } of company.pairs) {
      const found = planning.find((row) => row.sku === item.code && row.location === location.code)
      if (!found) continue
      expect(found).toMatchObject({
        ...{ leadTimeDays: item.leadTimeDays, moq: item.moq, supplier: item.supplier.code },
        ...{ currency: 'EUR', purchasable: item.isActive },
        lotSize: item.lotSize > 1 ? item.lotSize : null,
      })
      expect(Number(found.unitCost)).toBeCloseTo(Number(item.unitCost), 2)
    }
    expect(planning.length).toBeGreaterThan(50)
    expect(copy.rows('priceBreaks')).toHaveLength(6)
    const item = company.items[9]!
    expect(copy.rows('priceBreaks')[0]).toMatchObject({
      ...{
        sku: item.code,
        location: '',
        supplier: item.supplier.code,
        fromQuantity: item.moq * 10,
      },
    })
    expect(copy.rows('suppliers')).toEqual(
      company.suppliers
        .filter(({ id }) => company.items.some(({ supplier }) => supplier.id === id))
        .map(({ code, name }) => ({ supplier: code, name })),
    )
  }
})

it('knows requests for quotation, which are no orders yet', async () => {
  for (const version of [19, 16]) {
    const { company, odoo } = await startCompany({ size: 60 }, { version })
    company.orders.filter(({ status }) => status === 'open')[7]!.status = 'draft'
    const copy = await new Copy(adapter, connectionTo(odoo)).sync('full')
    const requested = company.orders.filter(({ status }) => status === 'draft')
    const lines = requested.flatMap((order) => order.lines.map((line) => ({ order, line })))
    expect(lines.length).toBeGreaterThan(0)
    expect(copy.rows('drafts')).toHaveLength(lines.length)
    for (const { order, line } of lines) {
      const { item, location } = line.pair
      expect(copy.rows('drafts')).toContainEqual({
        ...{ document: order.number, line: String(line.id), kind: 'rfq', sku: item.code },
        ...{ location: location.code, quantity: line.quantity, due: line.due },
        createdOn: new Date(order.orderedAt).toISOString().slice(0, 10),
        ...{ supplier: order.supplier.code, reference: null },
      })
    }
    const open = copy.rows('openOrders').map(({ document }) => document)
    expect(open.filter((document) => requested.some(({ number }) => number === document))).toEqual(
      [],
    )
  }
})
