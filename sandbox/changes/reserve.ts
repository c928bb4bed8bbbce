import { dayOf, toMs } from '../world/days.ts'
import { decimal } from '../world/decimal.ts'
import type { World } from '../world/world.ts'
import { assertExists } from './assert-exists.ts'
import type { Change } from './change.ts'

const DUE_AFTER = 14

/** Makes or changes a reservation of one item. */
export function reserve(world: World, change: Extract<Change, { kind: 'reserve' }>): void {
  const { sku, location, reservation, quantity, due, withdrawn = 0, type = '261' } = change
  const pair = assertExists(world.pairs.find(sku, location), `${sku} at ${location}`)
  const key = { Reservation: reservation, ReservationItem: '1', RecordType: '' }
  const milli = (units: number) => decimal(Math.round(units * 1000))
  world.patches.put('A_ReservationDocumentItem', key, {
    Product: sku,
    Plant: location,
    RequirementType: 'AR',
    DebitCreditCode: 'H',
    GoodsMovementType: type,
    BaseUnit: world.baseUnits[world.pairs.skuOf(pair)]!,
    ResvnItmRequiredQtyInBaseUnit: milli(quantity),
    ResvnItmWithdrawnQtyInBaseUnit: milli(withdrawn),
    ReservationItemIsFinallyIssued: withdrawn >= quantity,
    ReservationItmIsMarkedForDeltn: false,
    MatlCompRequirementDate: toMs(due === undefined ? world.clock.today() + DUE_AFTER : dayOf(due)),
  })
}
