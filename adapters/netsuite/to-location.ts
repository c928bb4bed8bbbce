import type { RecordOf } from '../records.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import { nameOfLocation } from './account-facts.ts'
import type { LocationRow } from './queries.ts'

export const toLocation = (row: LocationRow, code: string | undefined): RecordOf<'locations'> => ({
  location: codeOf(code, 'name'),
  name: nameOf(nameOfLocation(row)),
})
