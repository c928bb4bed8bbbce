// All that Tryton has, read whole and after each kind of change; and its traps.
import { Fatal } from '../../../adapters/errors.ts'
import { readAll, streamOf } from '../../conformance/adapter.ts'
import { Copy, differences } from '../copy.ts'
import { adapter, basicOf, connectionTo, startCompany } from './support.ts'

it('is read without a difference, whole and after each change', async () => {
  const { company, tryton } = await startCompany({ now: '2026-11-20T06:00:00Z' })
  const copy = await new Copy(adapter, connectionTo(tryton)).sync('full')
  expect(differences(copy, company)).toEqual([])
  expect(copy.quarantined).toEqual([])
  const open = company.orders.filter(({ status }) => status === 'open')
  const [pair] = company.pairs.filter(({ onHand }) => onHand > 60)
  const lineOf = (at: number) => [open[at]!, open[at]!.lines[0]!] as const
  const changes: Record<string, () => void> = {
    sell: () => void company.sell(pair!, 5),
    'sell more than there is': () => void company.sell(company.pairs[3]!, 500),
    'take back': () => void company.takeBack(pair!, 2),
    'receive a part': () => void company.receive(...lineOf(0), 1),
    'receive the rest': () => void company.receive(...lineOf(0), lineOf(0)[1].quantity),
    'close a line': () => company.closeLine(...lineOf(1)),
    'cancel an order': () => company.cancelOrder(open[2]!),
    'delete an order': () => company.deleteOrder(open[3]!),
    'change a due day': () => company.changeLine(...lineOf(5), { due: '2027-02-01' }),
    'take and deliver': () => {
      const order = company.takeSalesOrder([{ pair: pair!, quantity: 4, dueInDays: 2 }])
      company.deliver(order, order.lines[0]!, 3)
    },
    'cancel a sale': () => company.cancelSalesOrder(company.salesOrders[0]!),
    'a new item': () => {
      const item = company.addItem({ ...company.items[0]!, code: 'NEW-1', name: 'New' })
      company.adjust(company.pairOf(item, company.locations[1]!), 12)
    },
    'retire an item': () => company.changeItem(company.items[5]!, { isActive: false }),
    'count stock to nothing': () => void company.adjust(pair!, -pair!.onHand),
  }
  for (const [name, change] of Object.entries(changes)) {
    company.clock.advance(1)
    change()
    await copy.sync()
    expect([name, ...differences(copy, company)]).toEqual([name])
  }
  const planning = copy.rows('planning').find(({ sku }) => sku === company.items[1]!.code)
  const item = company.items[1]!
  expect(planning).toMatchObject({
    ...{ leadTimeDays: item.leadTimeDays, moq: item.moq, supplier: item.supplier.code },
    lotSize: item.lotSize > 1 ? item.lotSize : null,
  })
  const calls = new Set(tryton.log.map(({ method, call }) => `${method} ${call.split('.').at(-1)}`))
  for (const call of calls) {
    expect(call).toMatch(/^POST (search_read|search_count|get_preferences|login)$/)
  }
})

it('logs on again when Tryton has forgotten the session', async () => {
  const { company, tryton } = await startCompany()
  const [stream] = adapter.streams(connectionTo(tryton)).filter(({ record }) => record === 'demand')
  const pages = stream!.read(null, new AbortController().signal)[Symbol.asyncIterator]()
  await pages.next()
  tryton.forgetSessions()
  let rows = 0
  for (let next = await pages.next(); !next.done; next = await pages.next()) {
    rows += next.value.records.length
  }
  expect(rows).toBeGreaterThan(company.ledger.size - 200)
})

it('tells a wrong password, a forbidden model and a missing module', async () => {
  const { tryton } = await startCompany()
  let asked = 0
  const connection = {
    ...connectionTo(tryton),
    credentials: {
      async authorization(refused?: string) {
        asked++
        if (refused) throw new Fatal('reconsent_required', 'Enter the password again.')
        return basicOf('restock', 'wrong')
      },
    },
  }
  const code = async (reading: Promise<unknown>) =>
    reading.then(
      () => null,
      (error: unknown) => (error instanceof Fatal ? error.code : error),
    )
  expect(await code(readAll(streamOf(adapter, connection, 'skus')))).toBe('reconsent_required')
  expect(asked).toBe(2)
  tryton.set({ forbidden: ['stock.move'] })
  expect(await code(readAll(streamOf(adapter, connectionTo(tryton), 'demand')))).toBe('forbidden')
  const checks = await adapter.check(connectionTo(tryton), new AbortController().signal)
  expect(checks.find(({ record }) => record === 'demand')).toMatchObject({
    ...{ status: 'forbidden', rights: ['Read stock.move'] },
  })
})

it('tries again where the database was busy', async () => {
  const { company, tryton } = await startCompany()
  tryton.set({ errorOnce: 'database is locked' })
  const pages = await readAll(streamOf(adapter, connectionTo(tryton), 'skus'))
  expect(pages.flatMap(({ records }) => records)).toHaveLength(company.items.length)
})

it('asks for no more than is open or was changed', async () => {
  const { company, tryton } = await startCompany({ size: 1000 })
  // Its orders are no longer new.
  company.clock.advance(1)
  const copy = await new Copy(adapter, connectionTo(tryton, { page_size: 2000 })).sync('full')
  company.clock.advance(1)
  for (const pair of company.pairs.slice(0, 20)) company.sell(pair, 1)
  const before = tryton.log.length
  await copy.sync()
  expect(differences(copy, company)).toEqual([])
  const rows = tryton.log.slice(before).reduce((sum, entry) => sum + entry.rows, 0)
  // Drafts are open too: each is read with every sync.
  const open = company.orders.length + company.salesOrders.length + copy.rows('drafts').length
  // The quantities of all products, by warehouse, are Tryton's own; all else is what was changed or is open.
  expect(rows).toBeLessThan(company.items.length * (company.locations.length + 1) + 4 * open)
})

it('knows purchase requests in base units, and purchases that are not processed', async () => {
  const { company, tryton } = await startCompany({ size: 60 })
  company.orders.filter(({ status }) => status === 'open')[7]!.status = 'draft'
  const copy = await new Copy(adapter, connectionTo(tryton)).sync('full')
  const drafts = Map.groupBy(copy.rows('drafts'), ({ kind }) => kind)
  const lines = company.orders
    .filter(({ status }) => status === 'draft')
    .flatMap((order) => order.lines.map((line) => ({ order, line })))
  expect(lines.length).toBeGreaterThan(0)
  expect(drafts.get('rfq')).toHaveLength(lines.length)
  for (const { order, line } of lines)
    expect(drafts.get('rfq')).toContainEqual({
      ...{ document: order.number, line: String(line.id), kind: 'rfq' },
      ...{ sku: line.pair.item.code, location: line.pair.location.code },
      ...{ quantity: line.quantity, due: line.due, supplier: order.supplier.code },
      createdOn: new Date(order.orderedAt).toISOString().slice(0, 10),
      reference: null,
    })
  const asked = company.pairs.filter((_, at) => at % 10 === 0)
  const open = asked.filter((_, at) => (at + 1) % 5 !== 0)
  expect(drafts.get('requisition')).toHaveLength(open.length)
  for (const { item, location } of open)
    expect(drafts.get('requisition')).toContainEqual(
      expect.objectContaining({
        ...{ sku: item.code, location: location.code, due: '2027-03-01' },
        quantity: 3 * (item.orderUnit?.factor ?? 1),
      }),
    )
})
