import { isPeriod, MAX_PERIOD_DAYS, type RecordOf } from '../records.ts'
import { BadValue } from '../rows/bad-value.ts'
import type { Row } from './row.ts'

export function toErpForecast(row: Row): RecordOf<'erpForecasts'> {
  const [firstDay, lastDay] = [row.demandDay('first_day'), row.demandDay('last_day')]
  if (!isPeriod(firstDay, lastDay))
    throw new BadValue('last_day', `must end a period of 1 to ${MAX_PERIOD_DAYS} days`)
  return {
    sku: row.code('sku'),
    location: row.code('location'),
    ...{ firstDay, lastDay },
    quantity: row.units('quantity'),
  }
}
