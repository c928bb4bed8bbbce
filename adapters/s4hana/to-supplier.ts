import type { RecordOf } from '../records.ts'
import type { SupplierRow } from './entities.ts'
import { codeOf, nameOf } from '../rows/values.ts'

export const toSupplier = (row: SupplierRow): RecordOf<'suppliers'> => ({
  supplier: codeOf(row.Supplier, 'Supplier'),
  name: nameOf(row.SupplierName),
})
