import type { RecordOf } from '../records.ts'
import { codeOf, countryOf, nameOf } from '../rows/values.ts'
import type { Places } from './places.ts'

export const toLocation = ({ location, row }: Places['warehouses'][0]): RecordOf<'locations'> => ({
  location: codeOf(location, 'code'),
  name: nameOf(row.name),
  country: countryOf(row['address.']?.['country.']?.code, 'address.country.code'),
})
