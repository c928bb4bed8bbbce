import type { RecordOf } from '../../records.ts'
import { ONE, toMoney } from '../../rows/decimals.ts'
import type { SupplyPlanningRow } from '../entities.ts'
import type { PurchasingTerms } from './terms.ts'
import { type Conversion, inBase } from '../units.ts'
import {
  BadValue,
  codeOf,
  codeOrNull,
  dayOf,
  mapAbout,
  MAX_DAYS,
  numberOf,
  unitsOf,
  wholeOf,
} from '../../rows/values.ts'

export interface PlanningInput {
  supply: SupplyPlanningRow
  /** Flagged for deletion at the plant. */
  isFlagged: boolean
  terms: PurchasingTerms | null
  /** Conversion of the product's order unit, used where there is no info record; null where it has none. */
  orderUnit: Conversion | null
}

/** The planning record of a pair: docs/guides/s4hana.md has the rules. */
export const toPlanning = (input: PlanningInput): RecordOf<'planning'> =>
  mapAbout(input.supply.Product, input.supply.Plant, () => planningOf(input))

function planningOf(input: PlanningInput): RecordOf<'planning'> {
  const { supply, terms } = input
  return {
    sku: codeOf(supply.Product, 'Product'),
    location: codeOf(supply.Plant, 'Plant'),
    leadTimeDays: leadTimeOf(supply, terms),
    reviewPeriodDays: null,
    moq: moqOf(supply, terms),
    lotSize: lotSizeOf(input),
    supplier: terms?.supplier ?? null,
    unitCost: terms?.cost ? toMoney(terms.cost) : null,
    currency: terms?.currency ?? null,
    orderUnit: terms?.orderUnit ?? null,
    unitsPerOrderUnit: terms && (numberOf(inBase(ONE, terms.conversion), 'orderUnit') || null),
    orderPrice: terms?.orderPrice ? toMoney(terms.orderPrice) : null,
    supplierSku: terms?.supplierSku ?? null,
    purchasable: isPurchasable(input),
    phaseOutOn: phaseOutOf(supply),
    successor: codeOrNull(supply.FollowUpProduct, 'FollowUpProduct'),
  }
}

/** Null where none is maintained, which some systems fill with a day far off. */
function phaseOutOf({ EffectiveOutDate }: SupplyPlanningRow): string | null {
  const day = dayOf(EffectiveOutDate, 'EffectiveOutDate')
  return day !== null && day < FAR_DAY ? day : null
}

const FAR_DAY = '2200-01-01'

/** Null where no delivery time is maintained (0). */
function leadTimeOf(supply: SupplyPlanningRow, terms: PurchasingTerms | null): number | null {
  const field = 'PlannedDeliveryDurationInDays'
  const delivery = terms?.deliveryDays || wholeOf(supply[field], field)
  if (!delivery) return null
  const workDays = wholeOf(supply.GoodsReceiptDuration, 'GoodsReceiptDuration')
  const days = delivery + Math.ceil((workDays * 7) / 5)
  if (days > MAX_DAYS) throw new BadValue(field, `must be at most ${MAX_DAYS} days`)
  return days
}

function moqOf(supply: SupplyPlanningRow, terms: PurchasingTerms | null): number | null {
  const field = 'MinimumLotSizeQuantity'
  const lot = unitsOf(supply[field], field)
  const minimum = terms?.minimum ?? 0n
  return numberOf(lot > minimum ? lot : minimum, field) || null
}

function lotSizeOf({ supply, terms, orderUnit }: PlanningInput): number | null {
  const field = 'LotSizeRoundingQuantity'
  const rounding = unitsOf(supply[field], field)
  if (rounding) return numberOf(rounding, field)
  const conversion = terms ? terms.conversion : orderUnit
  return conversion && (numberOf(inBase(ONE, conversion), field) || null)
}

function isPurchasable({ supply, isFlagged, terms }: PlanningInput): boolean {
  if (isFlagged || supply.ProcurementType === 'E') return false
  return supply.ProcurementType !== 'X' || terms !== null
}
