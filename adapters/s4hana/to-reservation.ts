import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { dayOf } from '../rows/days.ts'
import { toThreePlaces } from '../rows/decimals.ts'
import { codeOf, numberOf, unitsOf } from '../rows/values.ts'
import type { ReservationRow } from './entities.ts'

const REQUIRED = 'ResvnItmRequiredQtyInBaseUnit'
const WITHDRAWN = 'ResvnItmWithdrawnQtyInBaseUnit'

/** A component of a planned order, which nobody has released. */
const PLANNED = 'SB'

/** What is not withdrawn yet; null where nothing is, and where it does not leave the plant's stock. */
export const toReservation = (row: ReservationRow): RecordOf<'reservations'> | null =>
  mapAbout(row.Product, row.Plant, () => reservationOf(row))

function reservationOf(row: ReservationRow): RecordOf<'reservations'> | null {
  if (!row.Product || !row.Plant || row.RequirementType === PLANNED || staysInPlant(row))
    return null
  const open = unitsOf(row[REQUIRED], REQUIRED) - unitsOf(row[WITHDRAWN], WITHDRAWN)
  const quantity = open > 0n ? numberOf(toThreePlaces(open), REQUIRED) : 0
  if (quantity === 0) return null
  const { Reservation, ReservationItem, RecordType } = row
  return {
    document: codeOf(Reservation, 'Reservation'),
    line: codeOf([ReservationItem, RecordType].filter(Boolean).join('/'), 'ReservationItem'),
    sku: codeOf(row.Product, 'Product'),
    location: codeOf(row.Plant, 'Plant'),
    quantity,
    due: dayOf(row.MatlCompRequirementDate, 'MatlCompRequirementDate'),
  }
}

/** Transfer postings (3xx) between storage locations of one plant. */
const staysInPlant = ({
  GoodsMovementType: type,
  IssuingOrReceivingPlant: to,
  Plant,
}: ReservationRow) => Boolean(type?.startsWith('3')) && (!to || to === Plant)
