import type { RecordOf } from '../records.ts'
import { codeOf, countryOf, nameOf, timeZoneOf } from '../rows/values.ts'
import type { Places } from './places.ts'

/** @param timeZone of the company */
export const toLocation = (
  { location, row }: Places['warehouses'][0],
  timeZone: string | null,
): RecordOf<'locations'> => ({
  location: codeOf(location, 'code'),
  name: nameOf(row.name),
  country: countryOf(row['address.']?.['country.']?.code, 'address.country.code'),
  timeZone: timeZoneOf(timeZone, 'company.timezone'),
})
