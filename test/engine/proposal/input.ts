import { demandFrom } from '../inventory/normal.ts'
import type { DemandForecast, ProposalInput } from '../../../engine/proposal/index.ts'

/** Steady demand a day, with a P10 and a P90 that many shares of the median away. */
export function steadyDemand(perDay: number, spread = 0.5): DemandForecast {
  const quantile = (days: number, level: number) =>
    Math.round(perDay * days * (1 + (level - 0.5) * 2 * spread))
  return demandFrom((days) => ({
    p10: quantile(days, 0.1),
    p50: quantile(days, 0.5),
    p90: quantile(days, 0.9),
    tail: 1,
  }))
}

export interface Overrides {
  asOf?: string
  forecast?: DemandForecast
  position?: Partial<ProposalInput['position']>
  planning?: Partial<ProposalInput['planning']>
  policy?: Partial<ProposalInput['policy']>
}

/** The example of docs/guides/proposals.md, but for what the test says otherwise. */
export function input(overrides: Overrides = {}): ProposalInput {
  return {
    asOf: '2026-11-20',
    forecast: demandFrom((days) => ({
      ...scaled({ p10: 60, p50: 95, p90: 140 }, days / 21),
      tail: 1,
    })),
    ...overrides,
    position: { onHand: 12, onOrder: 20, openProposals: 0, ...overrides.position },
    planning: {
      leadTimeDays: 14,
      reviewPeriodDays: 7,
      moq: 40,
      lotSize: 40,
      supplier: 'S-7',
      ...overrides.planning,
    },
    policy: {
      reviewPeriodDays: 7,
      target: { quantile: 0.9 },
      supplierRequired: false,
      ...overrides.policy,
    },
  }
}

function scaled<T extends Record<string, number>>(values: T, factor: number): T {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Math.round(value * factor)]),
  ) as T
}
