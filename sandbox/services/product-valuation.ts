import { objectSet } from '../odata/object-set.ts'
import { decimal } from '../world/decimal.ts'
import { mix } from '../world/hash.ts'
import { isAlive } from '../world/revisions.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

export function valuationSet(world: World): EntitySet {
  const { pairs, patches } = world
  return objectSet(
    {
      name: 'A_ProductValuation',
      keys: 'Product ValuationArea ValuationType',
      fields:
        'Product ValuationArea ValuationType ValuationClass InventoryValuationProcedure Currency ' +
        'BaseUnit PriceDeterminationControl|Decimal: StandardPrice MovingAveragePrice PriceUnitQty' +
        '|Boolean: IsMarkedForDeletion',
      size: () => pairs.count,
      hasRow: (pair) => isAlive(world, pairs.skuOf(pair)),
      build(pair) {
        const sku = pairs.skuOf(pair)
        const h = mix(world.seed, sku, 93)
        const price = decimal(1000 + (h % 90_000) * 10)
        return {
          Product: pairs.codes[sku]!,
          ValuationArea: pairs.plantCodes[pairs.plantOf(pair)]!,
          ValuationType: '',
          ValuationClass: '3100',
          InventoryValuationProcedure: h & 1 ? 'S' : 'V',
          Currency: 'EUR',
          BaseUnit: pairs.unit(sku).base,
          StandardPrice: price,
          MovingAveragePrice: price,
          PriceUnitQty: h % 4 === 0 ? '100' : '1',
        }
      },
    },
    patches,
  )
}
