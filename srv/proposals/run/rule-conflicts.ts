// Ordering rules that cut a need, or leave nothing of it.
import {
  type Calculation,
  inventoryPosition,
  orderQuantity,
  smallestOrder,
} from '../../../engine/proposal/index.ts'
import type { Facts } from '../../facts.ts'
import type { PairMessage } from './exceptions.ts'

/** The rule that limits an order and the one that asks for more, where the need is not met because of them. */
export function ruleConflictsOf(calculation: Calculation): PairMessage[] {
  const codes = new Set(calculation.exceptions?.map(({ code }) => code))
  const isNothingLeft = codes.has('capped_below_moq')
  if (!isNothingLeft && !codes.has('capped_below_need')) return []
  const { netRequirement, limit = 0 } = calculation
  const possible = isNothingLeft ? 0 : orderQuantity(netRequirement, calculation, limit)
  const facts: Facts = isNothingLeft
    ? {
        text: 'exception_capped_below_moq',
        missing: netRequirement,
        cap: capOf(calculation),
        limit: Math.max(0, limit),
        least: leastOf(calculation),
      }
    : {
        text: 'exception_capped_below_need',
        missing: netRequirement,
        level: Math.round(calculation.targetQuantile * 100),
        from: fromOf(calculation, 'target_quantile', 'stockout_cost'),
        cap: capOf(calculation),
        quantity: possible,
      }
  const quantity = netRequirement - possible
  return [{ kind: 'rule_conflict', document: null, quantity, from: null, to: null, facts }]
}

/** The tightest of the limits. */
function capOf(calculation: Calculation): Facts {
  const { limit, maximumOrder, maximumStock, shelfLifeDays = 0, onOrderLater = 0 } = calculation
  const is = (value: number) => Math.abs(value - limit!) < 1e-6
  if (maximumOrder !== undefined && is(maximumOrder)) {
    const from = fromOf(calculation, 'maximum_order')
    return { text: 'cap_maximum_order', count: maximumOrder, from }
  }
  const position = inventoryPosition(calculation) + onOrderLater
  if (maximumStock !== undefined && is(maximumStock - position)) {
    const from = fromOf(calculation, 'maximum_stock')
    return { text: 'cap_maximum_stock', count: maximumStock, from }
  }
  const from = fromOf(calculation, 'shelf_life')
  return { text: 'cap_shelf_life', count: shelfLifeDays, from }
}

function leastOf(calculation: Calculation): Facts {
  const { moq, lotSize } = calculation
  return moq >= lotSize
    ? { text: 'least_moq', count: smallestOrder(calculation), from: fromOf(calculation, 'moq') }
    : { text: 'least_lot', count: lotSize, from: fromOf(calculation, 'lot_size') }
}

const RULE = 'policy:'

/** Who said a value, by the first of these names that is known. */
function fromOf({ rules }: Calculation, ...names: string[]): Facts {
  const origin = names.map((name) => rules?.[name]).find(Boolean)
  if (origin?.startsWith(RULE)) return { text: 'from_rule', rule: origin.slice(RULE.length) }
  return { text: origin === 'erp' ? 'from_erp' : 'from_setting' }
}
