import { DAY_MS } from '../clock.ts'
import { objectSet } from '../odata/object-set.ts'
import { mix } from '../world/hash.ts'
import { isAlive, revisionsOf } from '../world/revisions.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

const NAMES = ['Bolt', 'Bracket', 'Valve', 'Filter', 'Hose', 'Seal', 'Bearing', 'Clamp']
const midnight = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS

export function productSet(world: World): EntitySet {
  const { pairs, patches } = world
  return objectSet(
    {
      name: 'A_Product',
      keys: 'Product',
      fields:
        'Product ProductType CrossPlantStatus ProductGroup BaseUnit ProductOldID ProductStandardID ' +
        'PurchaseOrderQuantityUnit ItemCategoryGroup Division LowLevelCode WeightUnit VolumeUnit ' +
        'CreatedByUser LastChangedByUser' +
        '|DateTime: CrossPlantStatusValidityDate CreationDate LastChangeDate' +
        '|DateTimeOffset: LastChangeDateTime|Boolean: IsMarkedForDeletion IsBatchManagementRequired' +
        '|Decimal: GrossWeight NetWeight MaterialVolume',
      size: () => pairs.skus,
      hasRow: (sku) => isAlive(world, sku),
      build(sku) {
        const life = revisionsOf(world, sku)
        const unit = pairs.unit(sku)
        return {
          Product: pairs.codes[sku]!,
          ProductType: 'HAWA',
          ProductGroup: `G${String(sku % 25).padStart(3, '0')}`,
          BaseUnit: unit.base,
          PurchaseOrderQuantityUnit: unit.order,
          CreationDate: Date.UTC(2021, 2, 1),
          LastChangeDate: midnight(life.changed),
          LastChangeDateTime: life.changed,
          IsMarkedForDeletion: life.isFlagged,
          GrossWeight: '1.200',
          NetWeight: '1.000',
          MaterialVolume: '0.000',
          WeightUnit: 'KG',
        }
      },
    },
    patches,
  )
}

export function descriptionSet(world: World): EntitySet {
  const { pairs, patches } = world
  return objectSet(
    {
      name: 'A_ProductDescription',
      keys: 'Product Language',
      fields: 'Product Language ProductDescription',
      size: () => pairs.skus * 2,
      hasRow: (slot) => isAlive(world, slot >> 1) && (slot % 2 === 1 || (slot >> 1) % 3 === 0),
      build(slot) {
        const sku = slot >> 1
        const { revision } = revisionsOf(world, sku)
        const name = `${NAMES[mix(world.seed, sku, 92) % NAMES.length]!} ${sku + 1}`
        return {
          Product: pairs.codes[sku]!,
          Language: slot % 2 ? 'EN' : 'DE',
          ProductDescription:
            (slot % 2 ? name : `Größe ${sku + 1}`) + (revision ? ` rev ${revision}` : ''),
        }
      },
    },
    patches,
  )
}
