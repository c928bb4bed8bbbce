// API_PRODUCT_SRV
import { objectSet } from '../odata/object-set.ts'
import { decimal } from '../world/decimal.ts'
import { mix } from '../world/hash.ts'
import { lifeOf } from '../world/life.ts'
import { planningOf } from '../world/planning.ts'
import type { EntitySet } from '../odata/set.ts'
import type { World } from '../world/world.ts'

const NAMES = ['Bolt', 'Bracket', 'Valve', 'Filter', 'Hose', 'Seal', 'Bearing', 'Clamp']
const DAY_MS = 86_400_000
const midnight = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS

export function products(world: World): EntitySet[] {
  const { pairs, patches } = world
  const skus = () => pairs.skus
  const alive = (sku: number) => !lifeOf(world, sku).vanished
  const code = (sku: number) => pairs.codes[sku]!

  const product = objectSet(
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
      size: skus,
      present: alive,
      build(sku) {
        const life = lifeOf(world, sku)
        const unit = pairs.unit(sku)
        return {
          Product: code(sku),
          ProductType: 'HAWA',
          ProductGroup: `G${String(sku % 25).padStart(3, '0')}`,
          BaseUnit: unit.base,
          PurchaseOrderQuantityUnit: unit.order,
          CreationDate: Date.UTC(2021, 2, 1),
          LastChangeDate: midnight(life.changed),
          LastChangeDateTime: life.changed,
          IsMarkedForDeletion: life.flagged,
          GrossWeight: '1.200',
          NetWeight: '1.000',
          MaterialVolume: '0.000',
          WeightUnit: 'KG',
        }
      },
    },
    patches,
  )
  const description = objectSet(
    {
      name: 'A_ProductDescription',
      keys: 'Product Language',
      fields: 'Product Language ProductDescription',
      size: () => pairs.skus * 2,
      present: (slot) => alive(slot >> 1) && (slot % 2 === 1 || (slot >> 1) % 3 === 0),
      build(slot) {
        const sku = slot >> 1
        const { revision } = lifeOf(world, sku)
        const name = `${NAMES[mix(world.seed, sku, 92) % NAMES.length]!} ${sku + 1}`
        return {
          Product: code(sku),
          Language: slot % 2 ? 'EN' : 'DE',
          ProductDescription:
            (slot % 2 ? name : `Größe ${sku + 1}`) + (revision ? ` rev ${revision}` : ''),
        }
      },
    },
    patches,
  )
  const units = objectSet(
    {
      name: 'A_ProductUnitsOfMeasure',
      keys: 'Product AlternativeUnit',
      fields:
        'Product AlternativeUnit BaseUnit WeightUnit VolumeUnit GlobalTradeItemNumber' +
        '|Decimal: QuantityNumerator QuantityDenominator GrossWeight MaterialVolume',
      size: () => pairs.skus * 3,
      present: (slot) => alive(Math.floor(slot / 3)) && unitOf(world, slot) !== null,
      build(slot) {
        const sku = Math.floor(slot / 3)
        const { base } = pairs.unit(sku)
        const known = unitOf(world, slot)
        return {
          Product: code(sku),
          AlternativeUnit: known?.unit ?? (base === 'KG' ? 'BAG' : 'CAR'),
          BaseUnit: base,
          QuantityNumerator: String(known?.numerator ?? 1),
          QuantityDenominator: String(known?.denominator ?? 1),
        }
      },
    },
    patches,
  )
  const valuation = objectSet(
    {
      name: 'A_ProductValuation',
      keys: 'Product ValuationArea ValuationType',
      fields:
        'Product ValuationArea ValuationType ValuationClass InventoryValuationProcedure Currency ' +
        'BaseUnit PriceDeterminationControl|Decimal: StandardPrice MovingAveragePrice PriceUnitQty' +
        '|Boolean: IsMarkedForDeletion',
      size: () => pairs.count,
      present: (pair) => alive(pairs.skuOf(pair)),
      build(pair) {
        const sku = pairs.skuOf(pair)
        const h = mix(world.seed, sku, 93)
        const price = decimal(1000 + (h % 90_000) * 10)
        return {
          Product: code(sku),
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
  return [product, description, units, valuation, ...perPlant(world)]
}

function perPlant(world: World): EntitySet[] {
  const { pairs, patches } = world
  const size = () => pairs.count
  const present = (pair: number) => !lifeOf(world, pairs.skuOf(pair)).vanished
  const shared = (pair: number) => {
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
  const supply = objectSet(
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
      size,
      present,
      build(pair) {
        const { planning, row } = shared(pair)
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
  const plant = objectSet(
    {
      name: 'A_ProductPlant',
      keys: 'Product Plant',
      fields:
        'Product Plant PurchasingGroup ProfileCode MRPType MRPResponsible ProcurementType BaseUnit ' +
        'ProfitCenter|Decimal: MinimumLotSizeQuantity MaximumLotSizeQuantity FixedLotSizeQuantity ' +
        'GoodsReceiptDuration StockInTransferQuantity StockInTransitQuantity' +
        '|Boolean: IsMarkedForDeletion IsBatchManagementRequired|DateTime: ProfileValidityStartDate',
      size,
      present,
      build(pair) {
        const { planning, row } = shared(pair)
        return { ...row, PurchasingGroup: '001', IsMarkedForDeletion: planning.flagged }
      },
    },
    patches,
  )
  return [supply, plant]
}

interface KnownUnit {
  unit: string
  numerator: number
  denominator: number
}

/** Three slots a SKU, by unit; the order unit's is empty where there is none. */
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
