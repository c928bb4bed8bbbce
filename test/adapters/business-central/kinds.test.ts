import { startBusinessCentral } from '../../../sandbox/business-central/index.ts'
import type { BusinessCentralSandbox } from '../../../sandbox/business-central/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { kindsConformance } from '../../conformance/adapter-kinds.ts'
import { orderAtPrice } from '../store.ts'
import { adapter, connectionTo } from './support.ts'

const started: BusinessCentralSandbox[] = []
const start = async (options: Parameters<typeof startBusinessCentral>[1] = {}) => {
  const one = await startBusinessCentral(makeCompany({ size: 30, days: 20 }), options)
  started.push(one)
  return one
}
afterAll(() => Promise.all(started.map((one) => one.close())))

const UNIQUE = { notFor: 'Business Central lets no two items have one number' }

kindsConformance(adapter, {
  async missing() {
    const connection = connectionTo(await start(), { company: 'Elsewhere' })
    return { connection, target: 'options.company' }
  },
  async severalCompanies() {
    const companies = ['A', 'B'].map((name, at) => ({
      ...{ name, displayName: name, id: `f5f2b5a4-0000-4000-8000-00000000000${at}` },
    }))
    const erp = await start({ companies })
    const of = (company?: string) => connectionTo(erp, company ? { company } : {})
    return { open: of(), chosen: of('A'), foreign: of('C') }
  },
  kits: { notFor: 'its lists of open lines name what is moved, the parts of an exploded kit too' },
  ...{ codeReused: UNIQUE, codeTwice: UNIQUE },
  async codeChanged() {
    const erp = await start()
    const item = erp.company.items[0]!
    const change = () => {
      erp.company.clock.advance(1)
      erp.company.changeItem(item, { code: 'AFTER' })
    }
    return { connection: connectionTo(erp), change, before: item.code, after: 'AFTER' }
  },
  supplierOrder: { notFor: 'the card names the one vendor that orders go to' },
  rounding: { notFor: 'the card says the order multiple in the base unit' },
  async orderPrice() {
    const erp = await start()
    const options = { purchase_line_service: 'purchaseDocumentLines' }
    return { connection: connectionTo(erp, options), document: orderAtPrice(erp.company) }
  },
  async confirmation() {
    const erp = await start()
    const pair = erp.company.pairs.find(({ item }) => item.isActive)!
    const [asked, promised] = [1, 2].map(() =>
      erp.company.order(pair.item.supplier, [{ pair, quantity: 10, dueInDays: 5 }]),
    )
    const [line] = promised!.lines
    const { due } = line!
    erp.company.changeLine(promised!, line!, { requested: due, promised: '2031-02-03' })
    return {
      connection: connectionTo(erp, { purchase_line_service: 'purchaseDocumentLines' }),
      ...{ document: promised!.number, unconfirmed: asked!.number },
      line: { quantity: 10, due, confirmedOn: '2031-02-03', confirmedQuantity: 10 },
    }
  },
  async refusedList() {
    const erp = await start()
    const order = erp.company.orders.find(({ status }) => status === 'open')!
    order.status = 'draft'
    const pair = erp.company.pairs.find(({ item }) => item.isActive)!
    const line = { item: pair.item, location: null, quantity: 9, unitCost: '1' }
    erp.company.agree(order.supplier, [line])
    return {
      connection: connectionTo(erp, { order_lines_service: 'RestockOrderLines' }),
      refuse: () => erp.fault({ match: /RestockOrderLines/, status: 400, times: 9 }),
      isOf: ({ kind }) => kind === 'contract',
    }
  },
})
