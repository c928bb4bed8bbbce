import type { RecordOf } from '../records.ts'
import { mapAbout } from '../rows/bad-value.ts'
import { codeOf, codeOrNull, numberOf, unitsOf } from '../rows/values.ts'
import type { Field } from '../rows/values.ts'
import type { ItemCardRow, PlanningFields, StockkeepingUnitRow } from './entities.ts'
import { choiceOf, formulaDaysOf } from './values.ts'

/** @param unit what the stockkeeping unit of the location says; it holds instead of the item's card */
export const toPlanning = (
  card: ItemCardRow,
  location: string,
  unit: StockkeepingUnitRow | undefined,
): RecordOf<'planning'> =>
  mapAbout(card.No, location, () => {
    const from: PlanningFields = unit ?? card
    const system = choiceOf(from.Replenishment_System)
    return {
      sku: codeOf(card.No, 'No'),
      location: codeOf(location, 'Location_Code'),
      leadTimeDays: formulaDaysOf(from.Lead_Time_Calculation, 'Lead_Time_Calculation'),
      reviewPeriodDays: null,
      moq: positiveOrNull(from.Minimum_Order_Quantity, 'Minimum_Order_Quantity'),
      lotSize: positiveOrNull(from.Order_Multiple, 'Order_Multiple'),
      supplier: codeOrNull(from.Vendor_No, 'Vendor_No'),
      unitCost: null,
      currency: null,
      purchasable:
        card.Blocked !== true &&
        card.Purchasing_Blocked !== true &&
        (system === '' || system === 'Purchase'),
    }
  })

/** 0 is what an empty field says. */
function positiveOrNull(value: Field, field: string): number | null {
  const units = unitsOf(value, field)
  return units > 0n ? numberOf(units, field) : null
}
