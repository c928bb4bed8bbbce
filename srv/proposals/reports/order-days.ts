import type { OrderDays } from '#cds-models/ProposalsService'
import { addDays, onWeekdays, type Weekday, weekdayOf } from '../../../engine/proposal/index.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import type { LocalDays } from '../../store/local-days.ts'
import { today as dayOfAll } from '../../store/today.ts'
import { PolicyBook } from '../policy/book.ts'

export interface OrderPlace {
  supplier: string
  location: string | null
}

/**
 * When orders can go out, by the rules that name no SKU; of suppliers without order days nothing.
 * @param days those of the source that orders; absent: of several
 */
export async function readOrderDays(
  places: OrderPlace[],
  days?: LocalDays,
): Promise<ServiceRow<OrderDays>[]> {
  if (!places.length) return []
  const book = await PolicyBook.ofOrders()
  return places.flatMap(({ supplier, location }) => {
    const place = { sku: '', skuGroup: '', supplier, location: location ?? '' }
    const { value: weekdays } = book.of(place).decide('orderDays')
    if (!weekdays?.length) return []
    const today = days ? (location ? days.of(location) : days.usual) : dayOfAll()
    const { first, next } = onWeekdays(weekdays as Weekday[], weekdayOf(today))
    return { supplier, location, next: addDays(today, first), after: addDays(today, next) }
  })
}
