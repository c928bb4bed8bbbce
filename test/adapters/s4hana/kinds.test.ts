import type { Erp } from '../../../sandbox/index.ts'
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
})
