import { objectSet } from '../odata/object-set.ts'
import { decimal } from '../world/decimal.ts'
import { isAlive } from '../world/revisions.ts'
import { planningOf } from '../world/planning.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

export function supplyPlanningSet(world: World): EntitySet {
  const { pairs, patches } = world
  return objectSet(
    {
      name: 'A_ProductSupplyPlanning',
      keys: 'Product Plant',
      fields:
        'Product Plant MRPType MRPResponsible LotSizingProcedure RoundingProfile ProcurementType ' +
        'ProcurementSubType SafetyDuration PlanningTimeFence ABCIndicator FollowUpProduct Currency ' +
        'BaseUnit DfltStorageLocationExtProcmt|Decimal: PlannedDeliveryDurationInDays ' +
        'GoodsReceiptDuration TotalReplenishmentLeadTime InHouseProductionTime ' +
        'MinimumLotSizeQuantity MaximumLotSizeQuantity FixedLotSizeQuantity ' +
        'LotSizeRoundingQuantity SafetyStockQuantity MinimumSafetyStockQuantity ' +
        'ReorderThresholdQuantity MaximumStockQuantity SrvcLvl|DateTime: EffectiveOutDate',
      size: () => pairs.count,
      hasRow: (pair) => isAlive(world, pairs.skuOf(pair)),
      build(pair) {
        const { planning, row } = shared(world, pair)
        return {
          ...row,
          LotSizingProcedure: 'EX',
          SafetyDuration: '00',
          PlanningTimeFence: '000',
          Currency: 'EUR',
          PlannedDeliveryDurationInDays: String(planning.deliveryDays),
          LotSizeRoundingQuantity: decimal(planning.rounding),
          SafetyStockQuantity: '0.000',
          ReorderThresholdQuantity: '0.000',
        }
      },
    },
    patches,
  )
}

export function productPlantSet(world: World): EntitySet {
  const { pairs, patches } = world
  return objectSet(
    {
      name: 'A_ProductPlant',
      keys: 'Product Plant',
      fields:
        'Product Plant PurchasingGroup ProfileCode MRPType MRPResponsible ProcurementType BaseUnit ' +
        'ProfitCenter|Decimal: MinimumLotSizeQuantity MaximumLotSizeQuantity FixedLotSizeQuantity ' +
        'GoodsReceiptDuration StockInTransferQuantity StockInTransitQuantity' +
        '|Boolean: IsMarkedForDeletion IsBatchManagementRequired|DateTime: ProfileValidityStartDate',
      size: () => pairs.count,
      hasRow: (pair) => isAlive(world, pairs.skuOf(pair)),
      build(pair) {
        const { planning, row } = shared(world, pair)
        return { ...row, PurchasingGroup: '001', IsMarkedForDeletion: planning.isFlagged }
      },
    },
    patches,
  )
}

/** Values that both views of a SKU at a plant have. */
function shared(world: World, pair: number) {
  const { pairs } = world
  const planning = planningOf(world, pair)
  return {
    planning,
    row: {
      Product: pairs.codes[pairs.skuOf(pair)]!,
      Plant: pairs.plantCodes[pairs.plantOf(pair)]!,
      BaseUnit: pairs.unit(pairs.skuOf(pair)).base,
      MRPType: 'PD',
      MRPResponsible: '001',
      ProcurementType: planning.procurement,
      GoodsReceiptDuration: String(planning.receiptDays),
      MinimumLotSizeQuantity: decimal(planning.minimumLot),
      MaximumLotSizeQuantity: '0.000',
      FixedLotSizeQuantity: '0.000',
    },
  }
}
