import type { Days, Level, Units } from '../types.ts'

/** Sums over scored cases: one origin of one series at one horizon each. */
export interface Scores {
  cases: number
  /** Those of series whose demand changed before the origin: only they have a scale. */
  scaledCases: number
  /** Σ mean pinball loss over P10, P50, P90, over (scale × horizon). */
  scaledLoss: number
  /** Σ mean pinball loss, in units. */
  loss: number
  demand: Units
  median: Units
  /** Σ |P50 − demand| */
  error: Units
  /** Cases with P10 ≤ demand ≤ P90, and with demand above P90. */
  covered: number
  above: number
}

export interface Metrics {
  cases: number
  /** SPL: mean scaled pinball loss; null where demand never changed. */
  scaledPinballLoss: number | null
  /** wQL: 2 × Σ loss / Σ demand; null without demand, like bias and error. */
  weightedQuantileLoss: number | null
  coverage: number
  aboveP90: number
  /** Σ (P50 − demand) / Σ demand. */
  bias: number | null
  /** WAPE: Σ |P50 − demand| / Σ demand. */
  error: number | null
}

export const emptyScores = (): Scores => ({
  cases: 0,
  scaledCases: 0,
  scaledLoss: 0,
  loss: 0,
  demand: 0,
  median: 0,
  error: 0,
  covered: 0,
  above: 0,
})

/** What a forecast of a quantile costs: level·error where it was too low, (level − 1)·error else. */
export function pinballLoss(level: Level, demand: Units, quantile: Units): Units {
  const error = demand - quantile
  return error > 0 ? level * error : (level - 1) * error
}

/** @param scale mean absolute change of demand from day to day before the origin */
export function addCase(
  scores: Scores,
  demand: Units,
  { p10, p50, p90 }: { p10: Units; p50: Units; p90: Units },
  scale: Units,
  horizon: Days,
): void {
  const loss =
    (pinballLoss(0.1, demand, p10) +
      pinballLoss(0.5, demand, p50) +
      pinballLoss(0.9, demand, p90)) /
    3
  scores.cases++
  if (scale > 0) {
    scores.scaledCases++
    scores.scaledLoss += loss / (scale * horizon)
  }
  scores.loss += loss
  scores.demand += demand
  scores.median += p50
  scores.error += Math.abs(p50 - demand)
  if (demand >= p10 && demand <= p90) scores.covered++
  if (demand > p90) scores.above++
}

export function addScores(into: Scores, more: Scores): void {
  for (const key of Object.keys(into) as (keyof Scores)[]) into[key] += more[key]
}

/** Null where nothing was scored. */
export function metricsOf(scores: Scores): Metrics | null {
  const { cases, scaledCases, demand } = scores
  if (!cases) return null
  const ofDemand = (units: Units) => (demand > 0 ? units / demand : null)
  return {
    cases,
    scaledPinballLoss: scaledCases ? scores.scaledLoss / scaledCases : null,
    weightedQuantileLoss: ofDemand(2 * scores.loss),
    coverage: scores.covered / cases,
    aboveP90: scores.above / cases,
    bias: ofDemand(scores.median - demand),
    error: ofDemand(scores.error),
  }
}
