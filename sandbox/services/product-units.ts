import { objectSet } from '../odata/object-set.ts'
import { isAlive } from '../world/revisions.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

export function unitSet(world: World): EntitySet {
  const { pairs, patches } = world
  return objectSet(
    {
      name: 'A_ProductUnitsOfMeasure',
      keys: 'Product AlternativeUnit',
      fields:
        'Product AlternativeUnit BaseUnit WeightUnit VolumeUnit GlobalTradeItemNumber' +
        '|Decimal: QuantityNumerator QuantityDenominator GrossWeight MaterialVolume',
      size: () => pairs.skus * 3,
      hasRow: (slot) => isAlive(world, Math.floor(slot / 3)) && unitOf(world, slot) !== null,
      build(slot) {
        const sku = Math.floor(slot / 3)
        const { base } = pairs.unit(sku)
        const known = unitOf(world, slot)
        return {
          Product: pairs.codes[sku]!,
          AlternativeUnit: known?.unit ?? (base === 'KG' ? 'BAG' : 'CAR'),
          BaseUnit: base,
          QuantityNumerator: String(known?.numerator ?? 1),
          QuantityDenominator: String(known?.denominator ?? 1),
        }
      },
    },
    patches,
  )
}

interface KnownUnit {
  unit: string
  numerator: number
  denominator: number
}

/** Three slots per SKU, sorted by unit; the order unit's slot may be empty. */
function unitOf(world: World, slot: number): KnownUnit | null {
  const { base, order, factor } = world.pairs.unit(Math.floor(slot / 3))
  const own = { unit: base, numerator: 1, denominator: 1 }
  const ordered = order ? { unit: order, numerator: factor, denominator: 1 } : null
  const third =
    base === 'KG'
      ? { unit: 'G', numerator: 1, denominator: 1000 }
      : { unit: 'PAL', numerator: factor * 40, denominator: 1 }
  return [ordered, third, own][slot % 3]!
}
