import { CUSTOMERS, storageOf } from '../../../sandbox/tryton/places.ts'
import { day, days } from '../../../sandbox/tryton/values.ts'
import { kindsConformance } from '../../conformance/adapter-kinds.ts'
import { orderAtPrice } from '../store.ts'
import { adapter, connectionTo, productLike, startCompany } from './support.ts'

kindsConformance(adapter, {
  async missing() {
    const { tryton } = await startCompany()
    const connection = connectionTo(tryton)
    const account = connection.account.replace('company', 'elsewhere')
    return { connection: { ...connection, account }, target: 'account' }
  },

  async severalCompanies() {
    const { tryton } = await startCompany()
    tryton.set({ companies: [1, 2] })
    const of = (company?: string) => connectionTo(tryton, company ? { company } : {})
    return { open: of(), chosen: of('1'), foreign: of('3') }
  },

  async kits() {
    const { company, tryton } = await startCompany()
    const from = storageOf(company.locations[0]!.id)
    tryton.set({
      more: {
        'stock.move': () => [
          {
            ...{ id: 2_000_000_001, state: 'draft', company: { id: 1 }, product: { id: 1 } },
            ...{ internal_quantity: 4711, planned_date: day('2026-12-24'), effective_date: null },
            ...{ origin: 'sale.line.component,32', shipment: null, from_location: from },
            ...{ to_location: CUSTOMERS, create_date: null, write_date: null },
          },
        ],
        'product.product': () => [productLike(company, 9_001, { code: 'KIT', type: 'kit' })],
        'sale.line.component': () => [
          { id: 32, line: { id: 6_001, sale: { id: 78, number: 'SO-KIT' } } },
        ],
      },
    })
    const connection = connectionTo(tryton)
    const { code: sku } = company.items[0]!
    return { connection, record: 'customerOrders', sku, quantity: 4711, kit: 'KIT' }
  },

  async codeReused() {
    const { company, tryton } = await startCompany()
    tryton.set({
      badRow: { model: 'product.product', id: 1, values: { active: 0 } },
      more: { 'product.product': () => [productLike(company, 9_001, { quantity: 7 })] },
    })
    const onHand = 7 * company.locations.length
    return { connection: connectionTo(tryton), sku: company.items[0]!.code, onHand }
  },

  async codeTwice() {
    const { company, tryton } = await startCompany()
    tryton.set({ more: { 'product.product': () => [productLike(company, 9_001, {})] } })
    return { connection: connectionTo(tryton), sku: company.items[0]!.code }
  },

  async codeChanged() {
    const { company, tryton } = await startCompany()
    const item = company.items[0]!
    const change = () => {
      company.clock.advance(1)
      company.changeItem(item, { code: 'AFTER' })
    }
    return { connection: connectionTo(tryton), change, before: item.code, after: 'AFTER' }
  },

  async supplierOrder() {
    const { company, tryton } = await startCompany()
    const party = { id: 9_000, code: 'FIRST', name: null, supplier_lead_time: null }
    const own = { template: { id: 1 }, product: null, active: true, company: { id: 1 } }
    const more = { sequence: null, lead_time: days(4), currency: { code: 'EUR' }, prices: [] }
    tryton.set({
      more: {
        'purchase.product_supplier': () => [
          { id: 8_001, ...own, ...more, party, create_date: null, write_date: null },
        ],
      },
    })
    return { connection: connectionTo(tryton), sku: company.items[0]!.code, supplier: 'FIRST' }
  },

  async rounding() {
    const { company, tryton } = await startCompany()
    const purchase_uom = { id: 55, symbol: 'Box', factor: 96, rate: 1 / 96, rounding: 0.5 }
    tryton.set({ badRow: { model: 'product.product', id: 1, values: { purchase_uom } } })
    return { connection: connectionTo(tryton), sku: company.items[0]!.code, lotSize: 48 }
  },

  async orderPrice() {
    const { company, tryton } = await startCompany()
    return { connection: connectionTo(tryton), document: orderAtPrice(company) }
  },

  confirmation: {
    notFor: 'lines of purchases have one delivery date, and nothing that is confirmed',
  },

  refusedList: {
    notFor: 'requests that are refused keep what is stored of drafts, whatever was read before',
  },
})
