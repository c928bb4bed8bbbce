import type { RecordOf } from '../records.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import type { VendorRow } from './queries.ts'

export const toSupplier = (row: VendorRow): RecordOf<'suppliers'> => ({
  supplier: codeOf(row.entityid, 'entityid'),
  name: nameOf(row.companyname) ?? nameOf(row.entityid),
})
