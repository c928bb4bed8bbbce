// What is promised to production, projects and cost centres: reservations.
import { names } from '../rows/names.ts'
import type { RecordOf } from '../records.ts'
import { toThreePlaces } from '../rows/decimals.ts'
import { addRecords, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, dayOf, mapAbout, numberOf, unitsOf } from '../rows/values.ts'
import type { ReservationRow } from './entities.ts'
import { withRemedy } from './optional.ts'
import { RESERVATION } from './services.ts'
import type { System } from './system.ts'

export const RESERVATIONS = {
  service: RESERVATION,
  set: 'A_ReservationDocumentItem',
  key: ['Reservation', 'ReservationItem', 'RecordType'],
  select: names(
    `Reservation ReservationItem RecordType Product Plant GoodsMovementType RequirementType
     IssuingOrReceivingPlant MatlCompRequirementDate ResvnItmRequiredQtyInBaseUnit
     ResvnItmWithdrawnQtyInBaseUnit`,
  ),
  // H: an issue.
  filter:
    'ReservationItemIsFinallyIssued eq false and ReservationItmIsMarkedForDeltn eq false and ' +
    "DebitCreditCode eq 'H'",
}

const placeOf = ({ Reservation, ReservationItem, RecordType }: ReservationRow) =>
  `${RESERVATIONS.set}('${Reservation}','${ReservationItem}','${RecordType}')`

/** @throws Fatal that says what is not known without reservations */
export async function* readReservations(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'reservations'>> {
  const found = system.pages<ReservationRow>(RESERVATIONS, {}, signal)
  try {
    yield* pagesOf<'reservations', ReservationRow>(found, (page, rows) =>
      addRecords(page, rows, toReservation, placeOf),
    )
  } catch (error) {
    throw withRemedy(error, 'reservations')
  }
}

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
