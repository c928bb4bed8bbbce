import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { kindsConformance } from '../../conformance/adapter-kinds.ts'
import { orderAtPrice } from '../store.ts'
import { adapter, connectionTo } from './support.ts'

let erp: BusinessOneSandbox
afterAll(() => erp.close())

const UNIQUE = { notFor: 'an item code is what Business One knows an item by, and stays' }

kindsConformance(adapter, {
  async missing() {
    erp = await startBusinessOne(makeCompany({ size: 30, days: 20 }))
    const connection = { ...connectionTo(erp), account: 'ELSEWHERE' }
    return { connection, target: null }
  },
  severalCompanies: { notFor: 'a company is a database of its own, named by the account' },
  kits: { notFor: 'lines of documents name the parts of sales kits' },
  ...{ codeReused: UNIQUE, codeTwice: UNIQUE, codeChanged: UNIQUE },
  supplierOrder: { notFor: 'the item names its main supplier' },
  rounding: { notFor: 'the item says the order multiple in the inventory unit' },
  async orderPrice() {
    erp = await startBusinessOne(makeCompany({ size: 30, days: 20 }))
    orderAtPrice(erp.company)
    const document = String(erp.company.orders.at(-1)!.id)
    return { connection: connectionTo(erp), document }
  },
  confirmation: { notFor: 'lines of purchase orders have one day, and nothing that is confirmed' },
  async refusedList() {
    erp = await startBusinessOne(makeCompany({ size: 120, days: 20 }))
    const untouched = erp.company.orders.filter(
      ({ status, lines }) => status === 'open' && lines.every(({ received }) => !received),
    )
    const [request, quotation] = untouched
    for (const order of [request!, quotation!]) order.status = 'draft'
    erp.set({ kinds: new Map([[request!.id, 'PurchaseRequests']]) })
    return {
      connection: connectionTo(erp),
      refuse: () => erp.fault({ match: /PurchaseQuotations/, status: 400, times: 9 }),
      isOf: ({ document }) => document.startsWith('PurchaseQuotations('),
    }
  },
})
