import { type Calculation, unitCostAt } from '../../engine/proposal/index.ts'

/**
 * What one unit costs in an order of so many, as a decimal string; null where it is not known.
 * @param unitCost where the price does not depend on the quantity
 */
export function unitCostOf(
  unitCost: string | null,
  { prices }: Pick<Calculation, 'prices'>,
  quantity: number,
): string | null {
  if (!prices?.length) return unitCost
  const cost = unitCostAt(quantity, { unitCost: null, breaks: prices })
  return cost === null ? null : String(cost)
}
