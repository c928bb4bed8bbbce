import { contextsOf, type Days, type DemandHistory, type EpochDay } from '../../engine/index.ts'
import {
  calibrate,
  calibrationSample,
  demandDistribution,
  forecastPair,
  type ForecastModel,
  type Units,
} from '../../engine/index.ts'
import { demandBetween } from '../../engine/forecast/backtest.ts'
import { countsOf } from '../../engine/forecast/counts.ts'
import { type Distribution, root } from '../../engine/forecast/distribution.ts'
import { probabilityCovered } from '../../engine/inventory/mixture.ts'
import { restock, SINGLE_UNITS } from './policies.ts'
import { REVIEW } from './sets.ts'

/** Days of lead time and review. */
export const HORIZONS: Days[] = [7, 14, 28, 90]
/** A unit short costs so many times what keeping it for a review period does: the shipped costs. */
const RATIO = 83
/** Stock is so many times what the demand of the last 90 days would use. */
const STOCKS = [0, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5]
const RECENT: Days = 90
const FEWEST_SALES = 3

/** A forecast, and what came. */
export interface Case {
  origin: EpochDay
  /** Units a day of late. */
  speed: number
  horizon: Days
  demand: Units
  distribution: Distribution
  stocks: Units[]
  /** What is proposed where there is no stock. */
  proposed: Units
}

/** Demand by day, and as it is known. */
export interface Books {
  daily: readonly DemandHistory[]
  booked: readonly DemandHistory[]
  /** Days between the first sale and the origin, at least. */
  known: Days
}

/** Forecasts of a tenant from one day, from nothing but what was booked before it. */
export function casesFrom({ daily, booked, known }: Books, origin: EpochDay): Case[] {
  const context = contextsOf(
    booked.map((history) => ({ location: '', history })),
    origin,
  ).get('')!
  const sample = calibrationSample(booked, (history) => history, origin)
  const calibration = calibrate(
    sample.map((history) => ({ history, context })),
    origin,
  )
  return daily.flatMap((history, i) =>
    isKnown(history, origin, known)
      ? casesOf(forecastPair(booked[i]!, origin, context, calibration), history, origin)
      : [],
  )
}

function isKnown({ days, quantities }: DemandHistory, origin: EpochDay, known: Days): boolean {
  const sales = days.filter((day, i) => day < origin && quantities[i]! > 0)
  return sales.length >= FEWEST_SALES && sales[0]! <= origin - known
}

function casesOf(model: ForecastModel, history: DemandHistory, origin: EpochDay): Case[] {
  const speed = demandBetween(history, origin - RECENT, origin) / RECENT
  return HORIZONS.map((horizon) => ({
    ...{ origin, speed, horizon },
    demand: demandBetween(history, origin, origin + horizon),
    distribution: demandDistribution(model, horizon),
    stocks: [...new Set(STOCKS.map((times) => Math.round(times * speed * horizon)))],
    proposed: proposedOf(model, horizon),
  }))
}

const proposedOf = (model: ForecastModel, horizon: Days): Units =>
  restock(RATIO).order({
    pair: { demand: new Float64Array(), models: [model] },
    ...{ week: 0, day: 0, leadTimeDays: horizon - REVIEW, lots: SINGLE_UNITS() },
    ...{ unserved: 'waits', onHand: 0, onOrder: 0 },
  })

/** The chance that so much stock does not suffice. */
export const toldChance = (demand: Distribution, stock: Units): number =>
  1 - probabilityCovered([{ weight: 1, demand }], stock)

/** The same forecast so many times as wide about its median. */
export function widened(forecast: Distribution, times: number): Distribution {
  const { p10, p50, p75, p90, counts } = forecast
  const at = (units: Units) => Math.max(0, root(p50) + times * (root(units) - root(p50))) ** 4
  const variance = counts && counts.mean * Math.max(1, times ** 2 * counts.dispersion)
  const wider = counts && countsOf({ pack: counts.pack, mean: counts.mean, variance: variance! })
  return {
    ...forecast,
    ...{ p10: at(p10), p90: at(p90) },
    ...(p75 !== undefined && { p75: at(p75) }),
    ...(wider && { counts: wider }),
  }
}
