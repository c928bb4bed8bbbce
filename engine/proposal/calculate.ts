import { inventoryPosition } from '../inventory/position.ts'
import { netRequirement, orderUpToLevel } from '../inventory/order-up-to.ts'
import { protectionDays } from '../inventory/protection.ts'
import { roundToLots } from '../inventory/lots.ts'
import { clampTarget, targetQuantile } from '../inventory/target-quantile.ts'
import { driversOf } from './drivers.ts'
import type { Calculation, ProposalInput, ReplenishmentPolicy } from './types.ts'
import type { Days, Level, Units } from '../types.ts'

/** The sum from demand to quantity, with every number that went into it. */
export function calculate(input: ProposalInput, onHand: Units, leadTimeDays: Days): Calculation {
  const { forecast, planning, policy } = input
  const { onOrder, openProposals } = input.position
  const reviewPeriodDays = planning.reviewPeriodDays ?? policy.reviewPeriodDays
  const horizonDays = protectionDays(leadTimeDays, reviewPeriodDays)
  const { p10, p50, p90 } = forecast.at(horizonDays)
  const level = targetLevel(policy, reviewPeriodDays)
  const targetStock = orderUpToLevel(forecast, horizonDays, level)
  const moq = planning.moq || 1
  const lotSize = planning.lotSize || 1
  const position = inventoryPosition({ onHand, onOrder, openProposals })
  const net = netRequirement(targetStock, position)
  const calculation: Calculation = {
    horizonDays,
    leadTimeDays,
    reviewPeriodDays,
    p10,
    p50,
    p90,
    targetQuantile: level,
    targetStock,
    onHand,
    onOrder,
    openProposals,
    netRequirement: net,
    moq,
    lotSize,
    quantity: roundToLots(net, { moq, lotSize }),
    drivers: [],
  }
  return { ...calculation, drivers: driversOf(forecast, calculation) }
}

function targetLevel({ target }: ReplenishmentPolicy, reviewPeriodDays: Days): Level {
  return 'quantile' in target
    ? clampTarget(target.quantile)
    : targetQuantile(target, reviewPeriodDays)
}
