import type { RecordOf } from '../records.ts'
import type { Row } from './row.ts'

export const toLocation = (row: Row): RecordOf<'locations'> => ({
  location: row.code('location'),
  name: row.nameOrNull('name'),
  country: row.countryOrNull('country'),
  region: row.regionOrNull('region'),
  timeZone: row.timeZoneOrNull('time_zone'),
})
