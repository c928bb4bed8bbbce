// API_PRODUCT_SRV
import { descriptionSet, productSet } from './product-master.ts'
import { productPlantSet, supplyPlanningSet } from './product-plant.ts'
import { unitSet } from './product-units.ts'
import { valuationSet } from './product-valuation.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

export function products(world: World): EntitySet[] {
  return [
    productSet,
    descriptionSet,
    unitSet,
    valuationSet,
    supplyPlanningSet,
    productPlantSet,
  ].map((make) => make(world))
}
