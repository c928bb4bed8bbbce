import type { Exact } from '../../rows/decimals.ts'
import type { Conversion } from '../units.ts'

/** A supplier's terms for a product at a plant, from its info record. */
export interface PurchasingTerms {
  supplier: string
  /** Calendar days; 0 where not maintained. */
  deliveryDays: number
  /** From order units to base units. */
  conversion: Conversion
  /** In base units; 0 for none. */
  minimum: Exact
  /** Per base unit; null without a price, or where the price unit cannot be converted. */
  cost: Exact | null
  currency: string | null
}
