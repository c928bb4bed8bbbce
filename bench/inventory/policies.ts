import { type Days, demandDistribution, predictQuantiles, type Units } from '../../engine/index.ts'
import { type ProposalInput, propose } from '../../engine/proposal/index.ts'
import { roundToLots } from '../../engine/inventory/lots.ts'
import { type Pair, REVIEW } from './sets.ts'
import type { Lots, Moment, Policy } from './simulate.ts'

/** What a unit short costs, as a multiple of carrying one over a review period. */
export type Ratio = number

const CARRYING_RATE = 0.25
/** Of one unit for one day, the unit's cost being 1. */
export const CARRYING_A_DAY = CARRYING_RATE / 365
export const shortageCost = (ratio: Ratio) => ratio * CARRYING_A_DAY * REVIEW

export const SINGLE_UNITS = (): Lots => ({ moq: 1, lotSize: 1 })

/** Lots of a week's demand, two of them at least; the demand is that of the last 90 days before the first review. */
export function weeklyLots({ demand }: Pair, start: Days): Lots {
  const past = demand.subarray(Math.max(0, start - 90), start)
  const lotSize = Math.max(1, Math.round((7 * total(past)) / past.length))
  return { moq: 2 * lotSize, lotSize }
}

/** The engine as the service calls it. */
export const restock = (ratio: Ratio): Policy => ({
  name: 'restock',
  order(moment) {
    const result = propose(inputOf(moment, ratio))
    return result.kind === 'order' ? result.quantity : 0
  },
})

/** What the engine is asked at a review. */
export function inputOf(moment: Moment, ratio: Ratio): ProposalInput {
  const { pair, week, leadTimeDays, lots, unserved, onHand, onOrder } = moment
  const model = pair.models[week]!
  return {
    asOf: '2026-01-01',
    forecast: {
      at: (days) => predictQuantiles(model, days),
      distribution: (days) => demandDistribution(model, days),
    },
    position: { onHand, onOrder, openProposals: 0 },
    planning: { leadTimeDays, reviewPeriodDays: REVIEW, ...lots, supplier: null },
    policy: {
      reviewPeriodDays: REVIEW,
      target: {
        stockoutRate: shortageCost(ratio),
        carryingRate: CARRYING_RATE,
        unmetDemand: unserved === 'waits' ? 'backordered' : 'lost',
      },
      supplierRequired: false,
    },
  }
}

/** Order-up-to of the textbook: mean + k·sigma of daily demand over a window. */
export const meanAndSigma = (window: Days, k: number): Policy => ({
  name: `mean + ${k}·sigma, ${window} days`,
  order(moment) {
    const { mean, deviation } = past(moment, window)
    const days = moment.leadTimeDays + REVIEW
    return upTo(moment, mean * days + k * deviation * Math.sqrt(days))
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

const upTo = ({ onHand, onOrder, lots }: Moment, level: Units) =>
  roundToLots(Math.max(0, Math.round(level - onHand - onOrder)), lots)

const total = (demand: Float64Array) => demand.reduce((sum, units) => sum + units, 0)

interface Past {
  mean: number
  deviation: number
}

const known = new WeakMap<Pair, Map<string, Past>>()

export function past({ pair, day }: Pick<Moment, 'pair' | 'day'>, window: Days): Past {
  const ofPair = known.get(pair) ?? new Map<string, Past>()
  known.set(pair, ofPair)
  const key = `${day} ${window}`
  const found = ofPair.get(key) ?? pastOf(pair.demand.subarray(Math.max(0, day - window), day))
  ofPair.set(key, found)
  return found
}

function pastOf(demand: Float64Array): Past {
  const mean = total(demand) / demand.length
  const squares = demand.reduce((sum, units) => sum + (units - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / Math.max(1, demand.length - 1)) }
}
