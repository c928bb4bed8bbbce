import type { Exact } from '../../rows/decimals.ts'
import type { Conversion } from '../units.ts'

/** What a supplier's info record says about buying a product for a plant. */
export interface PurchasingTerms {
  supplier: string
  /** Calendar days; 0 where it does not say. */
  deliveryDays: number
  /** Of order units. */
  conversion: Conversion
  /** In base units; 0 for none. */
  minimum: Exact
  /** For a base unit; null where it has no price, or for a unit that cannot be converted. */
  cost: Exact | null
  currency: string | null
}
