import { inventoryPosition, withoutNoise } from '../inventory/position.ts'
import { shelfLifeLimit } from '../inventory/limits.ts'
import type { ProposalDriver } from './calculation.ts'
import type { ProposalInput } from './input.ts'
import type { Requirement } from './requirement.ts'
import type { Situation } from './situation.ts'
import type { Units } from '../types.ts'

export interface Cap {
  driver: Extract<
    ProposalDriver,
    'spare_stock_cap' | 'max_order_cap' | 'max_stock_cap' | 'shelf_life_cap'
  >
  /** The most that it lets an order be; may be below 0. */
  limit: Units
}

/** What limits an order; empty where nothing does. */
export function capsOf(
  { planning, forecast }: ProposalInput,
  situation: Situation & Pick<Requirement, 'onOrder' | 'onOrderLater' | 'drafts'>,
): Cap[] {
  const { spare, maximumOrder, maximumStock, shelfLifeDays } = planning
  const position = inventoryPosition(situation)
  const caps: Cap[] = []
  if (spare != null) caps.push({ driver: 'spare_stock_cap', limit: spare })
  if (maximumOrder != null) caps.push({ driver: 'max_order_cap', limit: maximumOrder })
  if (maximumStock != null) {
    const all = position + situation.onOrderLater
    caps.push({ driver: 'max_stock_cap', limit: withoutNoise(maximumStock - all) })
  }
  if (shelfLifeDays != null) {
    const arrival = situation.arrivalDay
    const limit = shelfLifeLimit(forecast, arrival, shelfLifeDays, position)
    caps.push({ driver: 'shelf_life_cap', limit })
  }
  return caps
}
