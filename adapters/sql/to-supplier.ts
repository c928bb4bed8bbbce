import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toSupplier = (row: Row): RecordOf<'suppliers'> => ({
  supplier: row.code('supplier'),
  name: row.nameOrNull('name'),
})
