import { decimal } from '../world/decimal.ts'
import { INFO_ROWS, INFO_SLOTS, infoNumber, infoOf, orgPlantOf } from '../world/info-records.ts'
import { assertExists } from './assert-exists.ts'
import type { World } from '../world/world.ts'
import type { Change } from './change.ts'

/** Sets the price of an info record in all rows of its plants. */
export function changePrice(world: World, change: Extract<Change, { kind: 'price' }>): void {
  const sku = assertExists(world.pairs.findSku(change.sku), change.sku)
  const slot = assertExists(
    [sku * INFO_SLOTS, sku * INFO_SLOTS + 1].find((each) => {
      const info = infoOf(world, each)
      return info && (change.supplier === undefined || info.supplier === change.supplier)
    }),
    `info record of ${change.sku} ${change.supplier ?? ''}`,
  )
  const record = { PurchasingInfoRecord: infoNumber(slot) }
  const price = decimal(Math.round(change.price * 1000))
  for (let row = 0; row < INFO_ROWS; row++) {
    const { isMaintained, plant } = orgPlantOf(world, slot * INFO_ROWS + row)
    if (!isMaintained) continue
    const place = { PurchasingInfoRecordCategory: '0', PurchasingOrganization: '1000' }
    const key = { ...record, ...place, Plant: plant }
    const values = { NetPriceAmount: price, PurgInfoRecdEffctvPrc: price }
    world.patches.put('A_PurgInfoRecdOrgPlantData', key, values)
  }
  if (!change.stamped) return
  const stamp = { LastChangeDateTime: world.clock.now() }
  world.patches.put('A_PurchasingInfoRecord', record, stamp)
}
