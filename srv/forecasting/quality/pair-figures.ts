import type { PairQuality } from './pairs.ts'

/** Quality of the forecasts of some pairs, in percent but for counts, units and money; null where nothing is known. */
export interface PairFigures {
  cases: number
  /** (sum of P50 − demand) / demand, and its standard error. */
  bias: number | null
  biasError: number | null
  /** 2 × pinball loss of P10, P50 and P90 / demand. */
  weightedLoss: number | null
  /** Loss over that of repeating the last season − 1, and its standard error. */
  toNaive: number | null
  toNaiveError: number | null
  /** |demand − P50| of each window, added up; and at the unit cost, in the account's currency. */
  error: number
  money: number | null
  /** Periods that the ERP forecast too. */
  erpCases: number
  /** Of these: how far P50 was off over how far the ERP was − 1, its standard error, and the bias of both. */
  toErp: number | null
  toErpError: number | null
  erpBias: number | null
  biasBesideErp: number | null
}

export function pairFiguresOf(pairs: readonly PairQuality[]): PairFigures {
  const sum = (of: (pair: PairQuality) => number) =>
    pairs.reduce((total, pair) => total + of(pair), 0)
  const ratio = (part: (pair: PairQuality) => number, whole: (pair: PairQuality) => number) => ({
    value: percent(sum(part), sum(whole)),
    error: standardError(pairs.map((pair) => [part(pair), whole(pair)])),
  })
  const bias = ratio(
    ({ p50, demand }) => p50 - demand,
    ({ demand }) => demand,
  )
  const toNaive = ratio(
    ({ loss, naiveLoss }) => loss - naiveLoss,
    ({ naiveLoss }) => naiveLoss,
  )
  const toErp = ratio(
    ({ erp }) => (erp ? erp.error - erp.erpError : 0),
    ({ erp }) => erp?.erpError ?? 0,
  )
  const erpDemand = sum(({ erp }) => erp?.demand ?? 0)
  const known = pairs.flatMap(({ money }) => money ?? [])
  return {
    cases: sum(({ cases }) => cases),
    ...{ bias: bias.value, biasError: bias.error },
    weightedLoss: percent(
      2 * sum(({ loss }) => loss),
      sum(({ demand }) => demand),
    ),
    ...{ toNaive: toNaive.value, toNaiveError: toNaive.error },
    error: Math.round(10 * sum(({ error }) => error)) / 10,
    // All in the account's currency, to the cent.
    money: known.length
      ? known.reduce((cents, each) => cents + Math.round(each * 100), 0) / 100
      : null,
    erpCases: sum(({ erp }) => erp?.cases ?? 0),
    ...{ toErp: toErp.value, toErpError: toErp.error },
    erpBias: percent(
      sum(({ erp }) => (erp ? erp.quantity - erp.demand : 0)),
      erpDemand,
    ),
    biasBesideErp: percent(
      sum(({ erp }) => (erp ? erp.p50 - erp.demand : 0)),
      erpDemand,
    ),
  }
}

/**
 * Of the ratio of two sums over a sample of pairs, in percent, by linearisation (Cochran 1977, 2.11): the windows of a pair
 * depend on each other, so that a pair counts as one. Null below two pairs.
 */
function standardError(all: readonly [part: number, whole: number][]): number | null {
  const terms = all.filter(([, whole]) => whole !== 0)
  const whole = terms.reduce((sum, [, each]) => sum + each, 0)
  if (terms.length < 2 || !whole) return null
  const ratio = terms.reduce((sum, [part]) => sum + part, 0) / whole
  const squares = terms.reduce((sum, [part, each]) => sum + (part - ratio * each) ** 2, 0)
  const error = Math.sqrt((terms.length / (terms.length - 1)) * squares) / whole
  return Math.round(1000 * error) / 10
}

/** Rounded to one decimal place. */
const percent = (part: number, whole: number): number | null =>
  whole ? Math.round((1000 * part) / whole) / 10 : null
