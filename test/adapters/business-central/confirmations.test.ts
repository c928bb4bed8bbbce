// What suppliers promise, and what orders cost, of the published page of purchase lines.
import { startBusinessCentral } from '../../../sandbox/business-central/index.ts'
import type { BusinessCentralSandbox } from '../../../sandbox/business-central/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { differences, Store } from '../store.ts'
import { adapter, connectionTo } from './support.ts'

let erp: BusinessCentralSandbox
const OPTIONS = { purchase_line_service: 'purchaseDocumentLines' }
const start = async (behaviour = {}) => {
  erp = await startBusinessCentral(makeCompany({ size: 120, days: 20 }), behaviour)
  const { company } = erp
  const pair = company.pairs.find(({ item }) => item.isActive)!
  const order = (...lines: { quantity: number; dueInDays: number }[]) =>
    company.order(
      pair.item.supplier,
      lines.map((line) => ({ pair, ...line })),
    )
  const store = new Store(adapter, connectionTo(erp, OPTIONS))
  const openOf = (document: string) =>
    store
      .all('openOrders')
      .filter((line) => line.document === document)
      .map(({ quantity, due, confirmedOn, confirmedQuantity, unitCost }) => [
        ...[quantity, due, confirmedOn, confirmedQuantity, unitCost],
      ])
  return { company, order, store, openOf }
}
afterEach(() => erp.close())

it('reads promised days, of what is open, when they change', async () => {
  const { company, order, store, openOf } = await start()
  const [asked, short] = [
    order({ quantity: 10, dueInDays: 5 }),
    order({ quantity: 6, dueInDays: 9 }, { quantity: 4, dueInDays: 9 }),
  ]
  const [line] = asked.lines
  const { due } = line!
  Object.assign(line!, { price: '2', discount: 10, received: 0 })
  for (const each of short.lines) each.price = '3'
  await store.sync('full')
  expect(differences(store, company)).toEqual([])
  expect(openOf(asked.number)).toEqual([[10, due, null, undefined, '1.8000']])
  company.changeLine(asked, line!, { requested: due, promised: '2031-02-03' })
  company.receive(asked, line!, 4)
  // Of two lines that are one here, the first alone is promised.
  company.changeLine(short, short.lines[0]!, { promised: short.lines[0]!.due })
  await store.sync()
  expect(openOf(asked.number)).toEqual([[6, due, '2031-02-03', 6, '1.8000']])
  const day = short.lines[0]!.due
  expect(openOf(short.number)).toEqual([[10, day, day, 6, '3.0000']])
  expect(store.quarantined).toEqual([])
  expect(erp.log.some(({ path }) => path.includes('outstandingPurchaseLines'))).toBe(false)
})

it('keeps an order whose promised day or amount cannot be used, without them', async () => {
  const { order, store, openOf } = await start()
  const [day, amount, wanted, whole] = [1, 2, 3, 4].map(() => order({ quantity: 10, dueInDays: 5 }))
  const { due, pair } = whole!.lines[0]!
  const row = (of: { number: string }, change: object) => ({
    ...{ documentNumber: of.number, documentType: 'Order', type: 'Item' },
    ...{ number: pair.item.code, locationCode: pair.location.code, buyFromVendorNumber: 'V1' },
    ...{ outstandingQtyBase: 10, outstandingAmtExVatLcy: 18, requestedReceiptDate: due },
    ...{ promisedReceiptDate: '2031-02-03', expectedReceiptDate: '2031-02-03', ...change },
  })
  const value = [
    row(day!, { promisedReceiptDate: 'soon' }),
    row(amount!, { outstandingAmtExVatLcy: 'much' }),
    row(wanted!, { requestedReceiptDate: '2031-02-30' }),
    row(whole!, { outstandingQtyBase: 'many' }),
  ]
  erp.fault({ match: /purchaseDocumentLines/, status: 200, body: { value } })
  await store.sync('full')
  expect(openOf(day!.number)).toEqual([[10, due, null, undefined, '1.8000']])
  expect(openOf(amount!.number)).toEqual([[10, due, '2031-02-03', 10, undefined]])
  expect(openOf(wanted!.number)).toEqual([[10, '2031-02-03', '2031-02-03', 10, '1.8000']])
  expect(openOf(whole!.number)).toEqual([])
  expect(store.quarantined.map(({ target, sku }) => [target, sku])).toEqual([
    ...[['promisedReceiptDate'], ['outstandingAmtExVatLcy'], ['requestedReceiptDate']].map(
      ([target]) => [target, undefined],
    ),
    ['outstandingQtyBase', pair.item.code],
  ])
})

it('reads orders without them where the page may not be read, and says so', async () => {
  const { company, store } = await start({ forbidden: ['purchaseDocumentLines'] })
  await store.sync('full')
  expect(differences(store, company)).toEqual([])
  expect(store.all('openOrders').every(({ confirmedOn }) => confirmedOn === undefined)).toBe(true)
  const checks = await adapter.check(connectionTo(erp, OPTIONS), new AbortController().signal)
  const found = checks.find(({ record }) => record === 'openOrders')
  expect(found).toMatchObject({ status: 'ok', notes: [expect.stringContaining('promise')] })
  // The check asks for a row, not for all.
  const asked = erp.log.filter(({ path }) => path.endsWith('/outstandingPurchaseLines'))
  expect(asked.at(-1)!.rows).toBe(1)
})

it('reads orders without them where the page has not all the fields, and says so', async () => {
  const { company, store } = await start()
  erp.fault({ match: /purchaseDocumentLines/, status: 400, times: 2 })
  const checks = await adapter.check(connectionTo(erp, OPTIONS), new AbortController().signal)
  expect(checks.find(({ record }) => record === 'openOrders')).toMatchObject({
    ...{ status: 'ok', notes: [expect.stringContaining('promise')] },
  })
  await store.sync('full')
  expect(differences(store, company)).toEqual([])
})

it('says that nothing may be read of orders where no right is left, and checks the others', async () => {
  await start({ forbidden: ['purchaseDocumentLines', 'outstandingPurchaseLines'] })
  const checks = await adapter.check(connectionTo(erp, OPTIONS), new AbortController().signal)
  const missing = checks.filter(({ status }) => status !== 'ok')
  expect(missing).toMatchObject([{ record: 'openOrders', status: 'forbidden' }])
})
