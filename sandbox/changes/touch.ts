import { toMs } from '../world/days.ts'
import { assertExists } from './assert-exists.ts'
import type { Row } from '../odata/object-set.ts'
import type { World } from '../world/world.ts'

/** Changes a product and its timestamp. */
export function touch(world: World, sku: string, values: Row = {}): void {
  assertExists(world.pairs.findSku(sku), sku)
  const now = world.clock.now()
  world.patches.put(
    'A_Product',
    { Product: sku },
    { ...values, LastChangeDateTime: now, LastChangeDate: toMs(world.clock.today()) },
  )
}
