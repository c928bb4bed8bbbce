import type { Agreement } from '../../../sandbox/odoo/behaviour.ts'
import { kindsConformance } from '../../conformance/adapter-kinds.ts'
import { orderAtPrice } from '../store.ts'
import { adapter, connectionTo, startCompany } from './support.ts'

kindsConformance(adapter, {
  async missing() {
    const { odoo } = await startCompany({ size: 20 })
    return {
      connection: connectionTo(odoo, { database: 'elsewhere' }),
      target: 'options.database',
    }
  },

  async severalCompanies() {
    const { odoo } = await startCompany({ size: 20 }, { isMultiCompany: true })
    const of = (company?: string) => connectionTo(odoo, company ? { company } : {})
    return { open: of(), chosen: of('1'), foreign: of('3') }
  },

  async kits() {
    const behaviour = { hasKitsAndDropShipping: true }
    const { company, odoo } = await startCompany({ size: 20 }, behaviour)
    const [pair] = company.pairs
    const orders = [1, 2].map(() =>
      company.takeSalesOrder([{ pair: pair!, quantity: 2_000, dueInDays: 5 }]),
    )
    expect(orders.some(({ id }) => id % 2 !== 0)).toBe(true)
    const { code: sku } = pair!.item
    const connection = connectionTo(odoo)
    return { connection, record: 'customerOrders', sku, quantity: 4_000, kit: null }
  },

  async codeReused() {
    const { company, odoo } = await startCompany({ size: 20 })
    const { code } = company.items[0]!
    const values = { default_code: code, active: false }
    odoo.set({ badRow: { model: 'product.product', id: 2, values } })
    const own = company.pairs.filter(({ item }) => item.id === 1)
    const onHand = own.reduce((all, pair) => all + Math.max(0, pair.onHand), 0)
    return { connection: connectionTo(odoo), sku: code, onHand }
  },

  async codeTwice() {
    const { company, odoo } = await startCompany({ size: 20 })
    const { code } = company.items[0]!
    odoo.set({ badRow: { model: 'product.product', id: 2, values: { default_code: code } } })
    return { connection: connectionTo(odoo), sku: code }
  },

  async codeChanged() {
    const { company, odoo } = await startCompany({ size: 20 })
    const item = company.items[0]!
    const change = () => {
      company.clock.advance(1)
      company.changeItem(item, { code: 'AFTER' })
    }
    return { connection: connectionTo(odoo), change, before: item.code, after: 'AFTER' }
  },

  async supplierOrder() {
    const { company, odoo } = await startCompany({ size: 20 })
    // Of two vendors of one rank Odoo takes the one that is cheaper.
    const [first, second] = company.items
    const product_tmpl_id = { id: first!.id, name: first!.name }
    const values = { product_tmpl_id, min_qty: 0, price: 0.01 }
    odoo.set({ badRow: { model: 'product.supplierinfo', id: second!.id, values } })
    return {
      connection: connectionTo(odoo),
      ...{ sku: first!.code, supplier: second!.supplier.code },
    }
  },

  rounding: { notFor: 'Odoo keeps decimals of every unit; vendors are asked for whole ones' },

  async orderPrice() {
    const { company, odoo } = await startCompany({ size: 20 })
    return { connection: connectionTo(odoo), document: orderAtPrice(company) }
  },

  async confirmation() {
    const { company, odoo } = await startCompany({ size: 20 })
    const pair = company.pairs.find(({ item }) => item.isActive)!
    const orders = [1, 2].map(() =>
      company.order(pair.item.supplier, [{ pair, quantity: 10, dueInDays: 5 }]),
    )
    // Vendors have confirmed what they were reminded of, the day that is planned; Odoo knows no quantity.
    const isConfirmed = ({ id }: { id: number }) => id % 2 === 0
    const { number: document, lines } = orders.find(isConfirmed)!
    const { due } = lines[0]!
    return {
      ...{ connection: connectionTo(odoo), document },
      line: { quantity: 10, due, confirmedOn: due, confirmedQuantity: null },
      unconfirmed: orders.find((order) => !isConfirmed(order))!.number,
    }
  },

  async refusedList() {
    const { company, odoo } = await startCompany({ size: 60 })
    company.orders.find(({ status }) => status === 'open')!.status = 'draft'
    const item = company.items.find(({ isActive }) => isActive)!
    const agreement: Agreement = {
      ...{ id: 1, type: 'blanket_order', state: 'confirmed', item, quantity: 10, ordered: 4 },
      ...{ price: 30, from: false, until: false },
    }
    odoo.set({ agreements: [agreement] })
    return {
      connection: connectionTo(odoo),
      refuse: () => odoo.set({ broken: ['purchase.requisition.line'] }),
      isOf: ({ kind }) => kind === 'contract',
    }
  },
})
