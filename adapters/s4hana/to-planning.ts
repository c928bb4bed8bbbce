import type { RecordOf } from '../records.ts'
import { ONE, toMoney } from './decimals.ts'
import type { ProductPlantRow, SupplyPlanningRow } from './rows.ts'
import type { Source } from './planning/source.ts'
import { inBase } from './units.ts'
import type { Conversion } from './units.ts'
import { BadValue, codeOf, numberOf, unitsOf, wholeOf } from './values.ts'

const MAX_DAYS = 3650

export interface PlanningInput {
  plant: ProductPlantRow
  /** Undefined where the product has no planning view at this plant. */
  supply: SupplyPlanningRow | undefined
  source: Source | null
  /** Of the unit that the product is ordered in, where there is no source; null where nobody knows. */
  own: Conversion | null
}

/** How a pair is replenished: docs/guides/s4hana.md has the rules. */
export function toPlanning(input: PlanningInput): RecordOf<'planning'> {
  const { plant, supply, source } = input
  return {
    sku: codeOf(plant.Product, 'Product'),
    location: codeOf(plant.Plant, 'Plant'),
    leadTimeDays: leadTimeOf(supply, source),
    reviewPeriodDays: null,
    moq: moqOf(supply, source),
    lotSize: lotSizeOf(input),
    supplier: source?.supplier ?? null,
    unitCost: source?.cost ? toMoney(source.cost) : null,
    currency: source?.currency ?? null,
    purchasable: isPurchasable(input),
  }
}

/** A time of 0 is one that nobody has maintained. */
function leadTimeOf(supply: SupplyPlanningRow | undefined, source: Source | null): number | null {
  const field = 'PlannedDeliveryDurationInDays'
  const delivery = source?.deliveryDays || (supply ? wholeOf(supply[field], field) : 0)
  if (!delivery) return null
  const workDays = supply ? wholeOf(supply.GoodsReceiptDuration, 'GoodsReceiptDuration') : 0
  const days = delivery + Math.ceil((workDays * 7) / 5)
  if (days > MAX_DAYS) throw new BadValue(field, `must be at most ${MAX_DAYS} days`)
  return days
}

function moqOf(supply: SupplyPlanningRow | undefined, source: Source | null): number | null {
  const field = 'MinimumLotSizeQuantity'
  const lot = supply ? unitsOf(supply[field], field) : 0n
  const minimum = source?.minimum ?? 0n
  return numberOf(lot > minimum ? lot : minimum, field) || null
}

function lotSizeOf({ supply, source, own }: PlanningInput): number | null {
  const field = 'LotSizeRoundingQuantity'
  const rounding = supply ? unitsOf(supply[field], field) : 0n
  if (rounding) return numberOf(rounding, field)
  const conversion = source ? source.conversion : own
  return conversion && (numberOf(inBase(ONE, conversion), field) || null)
}

function isPurchasable({ plant, supply, source }: PlanningInput): boolean {
  if (plant.IsMarkedForDeletion === true) return false
  const procurement = supply?.ProcurementType
  return procurement !== 'E' && (procurement !== 'X' || source !== null)
}
