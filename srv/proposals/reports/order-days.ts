import type { OrderDays } from '#cds-models/ProposalsService'
import { addDays, onWeekdays, type Weekday, weekdayOf } from '../../../engine/proposal/index.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { today } from '../../store/today.ts'
import { PolicyBook } from '../policy/book.ts'

export interface OrderPlace {
  supplier: string
  location: string | null
}

/** When orders can go out, by the rules that name no SKU; of suppliers without order days nothing. */
export async function readOrderDays(places: OrderPlace[]): Promise<ServiceRow<OrderDays>[]> {
  if (!places.length) return []
  const book = await PolicyBook.ofOrders()
  return places.flatMap(({ supplier, location }) => {
    const place = { sku: '', skuGroup: '', supplier, location: location ?? '' }
    const { value: days } = book.of(place).decide('orderDays')
    if (!days?.length) return []
    const { first, next } = onWeekdays(days as Weekday[], weekdayOf(today()))
    return { supplier, location, next: addDays(today(), first), after: addDays(today(), next) }
  })
}
