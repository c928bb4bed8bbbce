import { isPeriod, MAX_PERIOD_DAYS, type RecordOf } from '../records.ts'
import { BadValue } from '../rows/bad-value.ts'
import type { Row } from './row.ts'

/** The columns of a file that says first and last days instead of months. */
export const BY_DATES = ['sku', 'location', 'from', 'quantity']

export const toErpForecast = (row: Row): RecordOf<'erpForecasts'> => ({
  sku: row.code('sku'),
  location: row.code('location'),
  ...(row.has('month') ? row.month('month') : periodOf(row)),
  quantity: row.units('quantity'),
})

function periodOf(row: Row) {
  const firstDay = row.demandDay('from')
  const lastDay = row.has('to') ? row.demandDay('to') : firstDay
  if (lastDay < firstDay) throw new BadValue('to', 'must not lie before from')
  if (!isPeriod(firstDay, lastDay))
    throw new BadValue('to', `must lie within ${MAX_PERIOD_DAYS} days from from on`)
  return { firstDay, lastDay }
}
