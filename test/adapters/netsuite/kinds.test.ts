import { kindsConformance } from '../../conformance/adapter-kinds.ts'
import { orderAtPrice } from '../store.ts'
import { adapter, closeAll, connectionTo, startSmall } from './support.ts'

afterAll(closeAll)

kindsConformance(adapter, {
  missing: {
    notFor: 'an account is a host of its own, which cannot be reached where there is none',
  },
  severalCompanies: { notFor: 'a role sees the subsidiaries that it was given' },
  kits: { notFor: 'kits are no stocked items; what is committed and fulfilled are their members' },
  async codeReused() {
    const erp = await startSmall()
    erp.execute(
      "UPDATE item SET itemid = (SELECT itemid FROM item WHERE id = 1), isinactive = 'T' WHERE id = 2",
    )
    const { code } = erp.company.items[0]!
    const own = erp.company.pairs.filter(({ item }) => item.id === 1)
    const onHand = own.reduce((all, pair) => all + Math.max(0, pair.onHand), 0)
    return { connection: connectionTo(erp), sku: `${code} (#1)`, onHand }
  },
  async codeTwice() {
    const erp = await startSmall()
    erp.execute('UPDATE item SET itemid = (SELECT itemid FROM item WHERE id = 1) WHERE id = 2')
    return { connection: connectionTo(erp), sku: erp.company.items[0]!.code }
  },
  async codeChanged() {
    const erp = await startSmall()
    const item = erp.company.items[0]!
    const change = () => {
      erp.company.clock.advance(1)
      erp.company.changeItem(item, { code: 'AFTER' })
    }
    return { connection: connectionTo(erp), change, before: item.code, after: 'AFTER' }
  },
  supplierOrder: { notFor: 'an item names its preferred vendor' },
  rounding: { notFor: 'NetSuite has no parts of a purchase unit' },
  async orderPrice() {
    const erp = await startSmall()
    return { connection: connectionTo(erp), document: orderAtPrice(erp.company) }
  },
  confirmation: {
    notFor: 'lines of purchase orders have one expected day, and nothing that is confirmed',
  },
  async refusedList() {
    const erp = await startSmall()
    erp.company.orders.find(({ status }) => status === 'open')!.status = 'draft'
    const pair = erp.company.pairs[3]!
    const line = { item: pair.item, location: null, quantity: 9, unitCost: '1' }
    erp.company.agree(erp.company.suppliers[0]!, [line])
    return {
      connection: connectionTo(erp),
      refuse: () => erp.set({ missing: ['previoustransactionlinelink.previoustype'] }),
      isOf: ({ kind }) => kind === 'contract',
    }
  },
})
