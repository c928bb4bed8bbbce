import type { RecordOf } from '../records.ts'
import { BadValue, codeOf, dayOf, numberOf, unitsOf } from '../rows/values.ts'
import { addDays, dayText } from '../rows/days.ts'
import type { RequirementItemRow } from './entities.ts'

const DATE = 'WorkingDayDate'
const QUANTITY = 'PlannedQuantity'

/** What the ERP plans for a period; null for periods of a planning calendar, whose length no service tells. */
export function toErpForecast(row: RequirementItemRow): RecordOf<'erpForecasts'> | null {
  const day = dayOf(row[DATE], DATE)
  if (day === null) throw new BadValue(DATE, 'is missing', 'missing_value')
  const period = periodOf(day, row.PeriodType)
  return (
    period && {
      sku: codeOf(row.Product, 'Product'),
      location: codeOf(row.Plant, 'Plant'),
      ...period,
      quantity: numberOf(unitsOf(row[QUANTITY], QUANTITY), QUANTITY),
    }
  )
}

/** The period that has this first working day. */
function periodOf(day: string, type: string) {
  if (type === 'D') return { firstDay: day, lastDay: day }
  if (type === 'W') {
    const firstDay = addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
    return { firstDay, lastDay: addDays(firstDay, 6) }
  }
  if (type !== 'M') return null
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return { firstDay: `${day.slice(0, 7)}-01`, lastDay: dayText(Date.UTC(year, month, 0)) }
}
