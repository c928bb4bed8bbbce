/** The levels that every method answers: P10, P50, P90. */
export const FORECAST_QUANTILES: readonly number[] = [0.1, 0.5, 0.9]
/** Standard normal quantile of .9. */
export const Z90 = 1.2815515655446004
