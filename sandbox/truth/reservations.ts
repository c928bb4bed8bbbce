import { DAY_MS } from '../clock.ts'
import type { EntitySet } from '../odata/set.ts'
import { dayText } from '../world/days.ts'
import { readRows } from './rows.ts'

export interface ReservationTruth {
  reservation: string
  item: string
  /** Not withdrawn, in base units. */
  quantity: number
  due: string
}

/** What is reserved and not withdrawn, by `sku\nlocation`. */
export function reservationTruth(set: EntitySet): Map<string, ReservationTruth[]> {
  const byPair = new Map<string, ReservationTruth[]>()
  for (const row of readRows(set)) {
    if (row.ReservationItemIsFinallyIssued || row.ReservationItmIsMarkedForDeltn) continue
    const open =
      Number(row.ResvnItmRequiredQtyInBaseUnit) - Number(row.ResvnItmWithdrawnQtyInBaseUnit)
    const isInPlant = String(row.GoodsMovementType).startsWith('3')
    if (open <= 0 || isInPlant) continue
    const pair = `${row.Product}\n${row.Plant}`
    const known = byPair.get(pair) ?? []
    byPair.set(pair, known)
    known.push({
      reservation: String(row.Reservation),
      item: String(row.ReservationItem),
      quantity: Math.round(open * 1000) / 1000,
      due: dayText(Number(row.MatlCompRequirementDate) / DAY_MS),
    })
  }
  return byPair
}
