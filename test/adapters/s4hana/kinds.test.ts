import type { Erp, PairTruth } from '../../../sandbox/index.ts'
import { kindsConformance } from '../../conformance/adapter-kinds.ts'
import { adapter, connectionTo, startSmallErp } from './support.ts'

let erp: Erp
afterAll(() => erp.close())

const FIXED = { notFor: 'a product number is what S/4HANA knows a product by, and stays' }

kindsConformance(adapter, {
  async missing() {
    erp = await startSmallErp()
    const connection = connectionTo(erp)
    return { connection: { ...connection, account: `${erp.url}/nowhere` }, target: null }
  },
  severalCompanies: { notFor: 'plants are read, of whatever company code the user may read' },
  kits: { notFor: 'items of orders name what is delivered, parts of a sales BOM too' },
  ...{ codeReused: FIXED, codeTwice: FIXED, codeChanged: FIXED },
  supplierOrder: { notFor: 'source of supply: see planning/info-records.ts and its tests' },
  rounding: { notFor: 'the rounding value is in the base unit' },
  async orderPrice() {
    erp = await startSmallErp()
    const [{ sku, location }] = [...erp.truth({ demand: false })] as [PairTruth]
    const [made] = erp.control.change([{ kind: 'order', sku, location, quantity: 20 }])
    const document = made!.document!
    // Net, for ten cartons of six.
    const unit = { PurchaseOrderQuantityUnit: 'CRT', OrderPriceUnit: 'CRT' }
    const factors = { OrderItemQtyToBaseQtyNmrtr: '6', OrderItemQtyToBaseQtyDnmntr: '1' }
    const price = { NetPriceAmount: '108.000', NetPriceQuantity: '10', DocumentCurrency: 'EUR' }
    const key = { PurchaseOrder: document, PurchaseOrderItem: '00010' }
    const values = { ...unit, ...factors, ...price }
    erp.control.change([{ kind: 'row', set: 'PurchaseOrderItem', key, values }])
    return { connection: connectionTo(erp), document }
  },
})
