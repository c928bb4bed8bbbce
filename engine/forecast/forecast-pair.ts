import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { forecastHistory } from '../series/look-back.ts'
import type { LocationContext } from '../series/location-context.ts'
import { comingPromotions } from '../series/planned-days.ts'
import { withLearnt } from '../series/holidays.ts'
import { maxSteps, toSteps } from '../series/steps.ts'
import { type HistorySummary, summariseHistory } from '../series/history-summary.ts'
import type { Days, DemandHistory, EpochDay } from '../types.ts'
import { contextFor } from '../series/series-context.ts'
import { inWeeks } from '../series/spread-bookings.ts'
import { eventsOf, recurringDays } from '../series/recurring-days.ts'
import { yearlyDays } from '../series/yearly-days.ts'
import { withoutStrayStart } from '../series/stray-start.ts'
import { type Posting, stepDaysOf } from '../series/posting.ts'
import { type Calibration, calibrationFor } from './calibration/calibration.ts'
import { type Knots, overDays } from './booked.ts'
import { type StepCalendar, stepCalendarOf, stepCountsOf } from './step-calendar.ts'
import { moveLaunched, moveToAnalogues } from './analogues.ts'
import { NEW_AFTER } from '../series/launches.ts'
import { makeCoherent } from './coherence.ts'
import { censoredShareOf, daysWithin } from './censored-share.ts'
import { writeColdStartQuantiles, YOUNG } from './cold-start.ts'
import { confidenceOf, missingDays } from './confidence.ts'
import type { MeasuredCoverage } from './coverage.ts'
import { DORMANT_AFTER, writeDormantQuantiles } from './dormant.ts'
import { type Driver, driversOf } from './drivers.ts'
import { chanceOfDemand, isUnusuallySilent, mayHaveEnded } from './ended.ts'
import type { KnownData } from './missing-data.ts'
import type { Amounts, ForecastModel } from './model.ts'
import { type CountMoments, rareCounts } from './rare.ts'
import { type DayEffect, effectsFrom } from './planned-effects.ts'
import { matchesMethods, upperMiddle, writeRegularQuantiles } from './regular.ts'
import { writeSeasonalItem } from './seasonal-item.ts'
import { isFollowed, moveToShift, shiftOf } from './shifted.ts'
import { NO_TAIL, tailOf } from './tail.ts'
import { prepareSeries, createBuffers } from './series.ts'
import { stretchOf } from './width.ts'

const buffers = createBuffers(maxSteps(null))

/**
 * Forecasts one SKU at one location for every horizon of 1..90 days. Reads no row on or after
 * `asOf`; the same rows in any order give the same model to the bit.
 * @param calibration what the tenant's own past says; without it all methods count alike
 */
export function forecastPair(
  all: DemandHistory,
  asOf: EpochDay,
  locationContext: LocationContext,
  sourceCalibration: Calibration | null = null,
): ForecastModel {
  const context = contextFor(all, asOf, locationContext)
  const posting = context.posting ?? null
  const booked = inWeeks(forecastHistory(all, asOf, context), posting)
  const history = withoutStrayStart(booked, asOf)
  const calibration = calibrationFor(sourceCalibration, posting)
  const past = toSteps(history, asOf, context)
  const { stepDays, end, promo, stockouts, stockoutDays } = past
  const recurring = posting ? null : recurringDays(past, asOf)
  const values = recurring?.rest ?? past.values
  const { activity, seasons } = context
  const covariates = {
    ...(promo && { promotions: { past: promo, ...comingPromotions(history, asOf) } }),
    ...(activity && { year: { activity, day: asOf, end, stockoutDays, seasons } }),
  }
  const series = prepareSeries(values, stepDays, covariates, buffers)
  const summary = summaryOf(history, posting, { asOf, end })
  const calendar = stepCalendarOf(series, { asOf, end }, context)
  const stepCounts = stepCountsOf(context)
  const quantiles = new Float64Array(3 * stepCounts.length)
  let drivers: Driver[]
  let amounts: Amounts | undefined
  let known = Infinity
  let chance: number | null = null
  let counts: CountMoments | null = null
  let isRegular = false
  const isDormant = summary.silentDays >= DORMANT_AFTER
  if (isDormant) {
    forecastDormant(summary, stepDays, stepCounts, quantiles)
    drivers = ['no_recent_demand']
  } else if (summary.days < YOUNG.days || summary.sales < YOUNG.sales || !series.sales) {
    const days = summary.days - daysWithin(stockouts ?? [])
    counts = forecastYoung({ ...summary, days }, context, stepDays, stepCounts, quantiles)
    drivers = ['short_history']
  } else {
    known = end - (context.knownFrom ?? -Infinity)
    amounts = writeRegularQuantiles(series, stepCounts, calibration, known, quantiles)
    const steps = { values, stepDays, end, asOf, known, most: maxSteps(posting) }
    chance = writeSeasonalItem(steps, { stepCounts, quantiles, amounts })
    isRegular = chance === null
    if (isRegular && !posting && known - summary.days >= NEW_AFTER)
      moveToLaunches(calibration, summary.days, stepCounts, quantiles)
    drivers = driversOf(series, summary, { stockouts, stockoutDays })
  }
  makeCoherent(quantiles)
  if (isRegular) counts = rareCounts(series, stepCounts, quantiles)
  const learnt = calibration && matchesMethods(calibration) ? calibration : null
  const rules = learnt?.buckets.flatMap(({ tail }) => tail ?? []) ?? []
  let tail = rules.length
    ? stepCounts.map((steps, i) =>
        tailOf(rules, steps * stepDays, quantiles[3 * i + 1]!, quantiles[3 * i + 2]!),
      )
    : null
  const p75 = isRegular ? upperMiddle(series, stepCounts, learnt, known, quantiles) : null
  const silence = {
    silentDays: Math.max(1, summary.silentDays - (stockoutDays ?? 0)),
    saleSize: summary.units / Math.max(1, summary.sales),
    stepDays,
  }
  const shift = isRegular ? shiftOf(series) : null
  if (shift && isFollowed(shift, series)) {
    counts = null
    moveToShift(shift, series, { stepCounts, quantiles, amounts, p75 })
    makeCoherent(quantiles, p75)
  }
  chance ??= isRegular ? chanceOfDemand(series) : 1
  const ended = isDormant
    ? stepCounts.map(() => NO_TAIL)
    : mayHaveEnded(chance, { stepCounts, quantiles, amounts, p75 }, silence)
  if (ended) {
    tail = ended
    counts = null
    drivers = [...new Set([...drivers, 'no_recent_demand' as const])]
  }
  const censoredShare = censoredShareOf(past)
  const knots = { stepCounts, quantiles, amounts, p75, tail, counts }
  const yearly = isRegular && !posting ? yearlyDays({ values, promo, end }, asOf) : []
  const weekdays = calendar.kind === 'daily' ? calendar.weekdays : undefined
  const days = [...(recurring ? eventsOf(recurring, asOf, weekdays) : []), ...yearly]
  const effects = effectsFrom(posting ? history : withLearnt(history, { ...context, days }), asOf)
  const coverage = learnt?.buckets.flatMap(({ coverage }) => coverage ?? []) ?? []
  const stretch = isRegular ? (steps: number) => stretchOf(steps, series, known) : undefined
  const parts = {
    asOf,
    calendar,
    drivers,
    censoredShare,
    effects,
    ...(posting ? overDays(knots, stepDays, stretch) : knots),
  }
  const measured = coverage.length ? coverage : null
  return toModel(parts, {
    historyDays: summary.days,
    measured,
    isContradicted: shift !== null || (isRegular && isUnusuallySilent(series)),
    known: knownData(summary, !posting && !history.stock, !measured),
  })
}

const LONGEST_NEEDED: Days = missingDays(0, MAX_HORIZON_DAYS)

function knownData(
  { days, sales }: HistorySummary,
  isStockUnknown: boolean,
  isUnmeasured: boolean,
): KnownData | null {
  const known: KnownData = {
    ...(days < LONGEST_NEEDED && { historyDays: days }),
    ...(sales < YOUNG.sales && { isSoldOnce: true }),
    ...(isStockUnknown && { isStockUnknown }),
    ...(isUnmeasured && { isUnmeasured }),
  }
  return Object.keys(known).length ? known : null
}

/** A booking stands for the days before it, also the first one. */
function summaryOf(
  history: DemandHistory,
  posting: Posting | null,
  { asOf, end }: { asOf: EpochDay; end: EpochDay },
): HistorySummary {
  if (!posting) return summariseHistory(history, end)
  const summary = summariseHistory(history, asOf)
  return { ...summary, days: summary.days + Math.round(stepDaysOf(posting)) }
}

function forecastDormant(
  summary: HistorySummary,
  stepDays: Days,
  stepCounts: readonly number[],
  out: Float64Array,
) {
  const size = summary.units / summary.sales
  stepCounts.forEach((steps, i) =>
    writeDormantQuantiles(summary.silentDays, size, steps * stepDays, out, 3 * i),
  )
}

/** @returns the counts that the quantiles are of, unless launches of the location have moved them */
function forecastYoung(
  summary: HistorySummary,
  { prior, launches }: LocationContext,
  stepDays: Days,
  stepCounts: readonly number[],
  out: Float64Array,
): CountMoments | null {
  const rules = stepDays === 1 && summary.days < YOUNG.days ? launches : null
  const moments = stepCounts.map((steps, i) => {
    const own = writeColdStartQuantiles(summary, prior, steps * stepDays, out, 3 * i)
    if (rules) moveToAnalogues(rules, summary.days, steps, out, 3 * i)
    return own
  })
  if (rules) return null
  const [mean, variance] = [moments.map((own) => own.mean), moments.map((own) => own.variance)]
  return { pack: 1, mean, variance }
}

function moveToLaunches(
  calibration: Calibration | null,
  age: Days,
  stepCounts: readonly number[],
  out: Float64Array,
) {
  const rules = calibration?.buckets.flatMap(({ launched }) => launched ?? []) ?? []
  if (rules.length && matchesMethods(calibration!))
    stepCounts.forEach((days, i) => moveLaunched(rules, age, days, out, 3 * i))
}

interface Parts extends Knots {
  asOf: EpochDay
  calendar: StepCalendar
  drivers: Driver[]
  censoredShare: number
  effects: DayEffect[] | undefined
}

interface Known {
  historyDays: Days
  measured: readonly MeasuredCoverage[] | null
  /** Whether the latest weeks contradict what the past has taught: no confidence is above `low` then. */
  isContradicted: boolean
  known: KnownData | null
}

function toModel(parts: Parts, about: Known): ForecastModel {
  const { historyDays, measured, isContradicted, known } = about
  const { asOf, calendar, stepCounts, quantiles, drivers } = parts
  const { amounts, p75, tail, counts, censoredShare, effects } = parts
  const level = (j: number) => stepCounts.map((_, i) => toTenThousandths(quantiles[3 * i + j]!))
  const [p10, p50, p90] = [level(0), level(1), level(2)]
  const confidence = stepCounts.map((steps, i) =>
    isContradicted
      ? 'low'
      : confidenceOf({ p10: p10[i]!, p50: p50[i]!, p90: p90[i]! }, historyDays, steps, measured),
  )
  const model = { asOf, calendar, stepCounts: [...stepCounts], p10, p50, p90, confidence, drivers }
  return {
    ...model,
    ...(p75 && { p75: p75.map(toTenThousandths) }),
    ...(tail && { tail: tail.map(toHundredths) }),
    ...(counts && { counts: roundedCounts(counts) }),
    ...(amounts && { amounts: rounded(amounts) }),
    ...(censoredShare > 0 && { censoredShare }),
    ...(effects && { effects }),
    ...(known && { known }),
  }
}

const toHundredths = (value: number) => Math.round(value * 100) / 100
const toTenThousandths = (value: number) => Math.round(value * 1e4) / 1e4

const roundedCounts = ({ pack, mean, variance }: CountMoments): CountMoments => ({
  pack,
  mean: mean.map(toTenThousandths),
  variance: variance.map(toTenThousandths),
})

const rounded = ({ level, yearly, promotion }: Amounts): Amounts => ({
  level: level.map(toTenThousandths),
  ...(yearly && { yearly: yearly.map(toTenThousandths) }),
  ...(promotion && { promotion: promotion.map(toTenThousandths) }),
})
