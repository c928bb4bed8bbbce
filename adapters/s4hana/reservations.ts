// What is promised to production, projects and cost centres: reservations.
import { Fatal, isUnreadable } from '../errors.ts'
import { addRecords } from '../rows/quarantine.ts'
import type { SnapshotPage } from '../rows/snapshot.ts'
import type { ReservationRow } from './entities.ts'
import { RESERVATION } from './services.ts'
import type { System } from './system.ts'
import { toReservation } from './to-reservation.ts'

export const RESERVATIONS = {
  service: RESERVATION,
  set: 'A_ReservationDocumentItem',
  key: ['Reservation', 'ReservationItem', 'RecordType'],
  select: [
    'Reservation',
    'ReservationItem',
    'RecordType',
    'Product',
    'Plant',
    'GoodsMovementType',
    'RequirementType',
    'IssuingOrReceivingPlant',
    'MatlCompRequirementDate',
    'ResvnItmRequiredQtyInBaseUnit',
    'ResvnItmWithdrawnQtyInBaseUnit',
  ],
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
  let [done, total]: [number, number | null] = [0, null]
  try {
    for await (const page of system.pages<ReservationRow>(RESERVATIONS, {}, signal)) {
      done += page.rows.length
      total ??= page.total
      const batch: SnapshotPage<'reservations'> = { records: [], quarantined: [], done, total }
      addRecords(batch, page.rows, toReservation, placeOf)
      yield batch
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    const meaning = 'Grant the service, or set the option reservations=false.'
    throw new Fatal(error.code, `${error.message} ${meaning}`, error.target)
  }
}
