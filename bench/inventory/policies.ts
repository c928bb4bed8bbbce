import { type Days, interpolateQuantile, predictQuantiles, type Units } from '../../engine/index.ts'
import { propose } from '../../engine/proposal/index.ts'
import { normalQuantile } from '../../engine/forecast/numeric/normal.ts'
import { REVIEW } from './sets.ts'
import type { Moment, Policy } from './simulate.ts'

/** What a unit short costs, as a multiple of carrying one over a review period. */
export type Ratio = number

const CARRYING_RATE = 0.25
/** Of one unit for one day, the unit's cost being 1. */
export const CARRYING_A_DAY = CARRYING_RATE / 365
export const shortageCost = (ratio: Ratio) => ratio * CARRYING_A_DAY * REVIEW

/** The engine as the service calls it. */
export const restock = (ratio: Ratio): Policy => ({
  name: 'restock',
  order({ pair, week, leadTimeDays, onHand, onOrder }) {
    const model = pair.models[week]!
    const result = propose({
      asOf: '2026-01-01',
      forecast: {
        at: (days) => predictQuantiles(model, days),
        quantile: (days, level) => interpolateQuantile(predictQuantiles(model, days), level),
      },
      position: { onHand, onOrder, openProposals: 0 },
      planning: { leadTimeDays, reviewPeriodDays: REVIEW, moq: 1, lotSize: 1, supplier: null },
      policy: {
        reviewPeriodDays: REVIEW,
        target: { stockoutRate: shortageCost(ratio), carryingRate: CARRYING_RATE },
        supplierRequired: false,
      },
    })
    return result.kind === 'order' ? result.quantity : 0
  },
})

/**
 * Order-up-to of the textbook: mean + z·sigma of daily demand over a window. z by the ratio as it
 * is, or `fitted` to the protection interval as our own target quantile is.
 */
export const meanAndSigma = (ratio: Ratio, window: Days, fitted = false): Policy => ({
  name: `mean + z·sigma, ${window} days${fitted ? ', fitted z' : ''}`,
  order(moment) {
    const { mean, deviation } = past(moment, window)
    const days = moment.leadTimeDays + REVIEW
    const worth = fitted ? (ratio * REVIEW) / days : ratio
    const z = normalQuantile(worth / (worth + 1))
    return upTo(moment, mean * days + z * deviation * Math.sqrt(days))
  },
})

/**
 * Min/max as commonly kept: below the demand of lead time and review and half as much again, up to
 * two weeks above that.
 */
export const minMax = (window: Days): Policy => ({
  name: `min/max, ${window} days`,
  order(moment) {
    const { mean } = past(moment, window)
    const min = mean * (moment.leadTimeDays + REVIEW) * 1.5
    const position = moment.onHand + moment.onOrder
    return position < min ? upTo(moment, min + 14 * mean) : 0
  },
})

/** Orders up to what will be wanted until the next order arrives. */
export const clairvoyant: Policy = {
  name: 'perfect knowledge',
  order(moment) {
    const { pair, day, leadTimeDays } = moment
    return upTo(moment, total(pair.demand.subarray(day, day + leadTimeDays + REVIEW)))
  },
}

const upTo = ({ onHand, onOrder }: Moment, level: Units) =>
  Math.max(0, Math.round(level - onHand - onOrder))

const total = (demand: Float64Array) => demand.reduce((sum, units) => sum + units, 0)

function past({ pair, day }: Moment, window: Days) {
  const demand = pair.demand.subarray(Math.max(0, day - window), day)
  const mean = total(demand) / demand.length
  const squares = demand.reduce((sum, units) => sum + (units - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / Math.max(1, demand.length - 1)) }
}
