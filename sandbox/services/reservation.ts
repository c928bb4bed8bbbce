// API_RESERVATION_DOCUMENT_SRV: the reservations that changes have made.
import { objectSet } from '../odata/object-set.ts'
import type { Row } from '../odata/object-set.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

export const reservations = ({ patches }: World): EntitySet[] => [
  objectSet(
    {
      name: 'A_ReservationDocumentItem',
      keys: 'Reservation ReservationItem RecordType',
      fields:
        'Reservation ReservationItem RecordType Product RequirementType Plant StorageLocation Batch ' +
        'DebitCreditCode BaseUnit GoodsMovementType IssuingOrReceivingPlant' +
        '|Decimal: ResvnItmRequiredQtyInBaseUnit ResvnItmWithdrawnQtyInBaseUnit' +
        '|Boolean: GoodsMovementIsAllowed ReservationItemIsFinallyIssued ' +
        'ReservationItmIsMarkedForDeltn|DateTime: MatlCompRequirementDate',
      size: () => 0,
      build: (): Row => ({}),
    },
    patches,
  ),
]
