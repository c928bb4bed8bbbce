import type { Confidence, EpochDay, Units } from '../types.ts'
import type { ShareBefore } from '../series/successions.ts'
import type { StepCalendar } from './step-calendar.ts'
import type { Driver } from './drivers.ts'
import type { DayEffect } from './planned-effects.ts'
import type { KnownData } from './missing-data.ts'
import type { CountMoments } from './rare.ts'

/** Answers any horizon of 1..90 days without the history. Plain data, under 4,000 bytes as JSON. */
export interface ForecastModel {
  asOf: EpochDay
  calendar: StepCalendar
  /** The first day of its demand, where that is after `asOf`; absent where it is not. */
  startsOn?: EpochDay
  /** Of the days before each of these, the share of its demand that is asked for, ascending; absent where it is all. */
  shares?: ShareBefore[]
  /** Numbers of steps for which the quantiles were computed, ascending; those between are interpolated. */
  stepCounts: number[]
  /** Quantiles of the sum for each step count, unrounded, in order and not falling. */
  p10: Units[]
  p50: Units[]
  p90: Units[]
  /** Where P75 lies nearer to the median than P90 tells (distribution.ts), for each step count. */
  p75?: Units[]
  /** How heavy demand above P90 is, for each step count (distribution.ts); absent where the past says nothing of it. */
  tail?: number[]
  /** Where demand is rare: the moments of the count of packs that it is, for each step count. */
  counts?: CountMoments
  /** For each step count. */
  confidence: Confidence[]
  /** Of any horizon; the weekday's part is told with the answer, it depends on the horizon. */
  drivers: Driver[]
  /** What the P50 for each step count is made of; absent where there was too little demand to learn from. */
  amounts?: Amounts
  /** What is planned of its days beside promotions whose effect was learnt; absent for nothing. */
  effects?: DayEffect[]
  /** Share of the past year's days without stock, which say nothing of demand; absent for none. */
  censoredShare?: number
  /** Where there was too little to know; absent for nothing. */
  known?: KnownData
}

/** What the P50 is made of, for each step count, in units; what the past taught is the rest. */
export interface Amounts {
  /** What the mix of the methods says. */
  level: Units[]
  /** What the season adds to or takes from it; absent where no year is known. */
  yearly?: Units[]
  /** What the planned promotions add to or take from it; absent where none is planned. */
  promotion?: Units[]
}

/** Reads a stored model. Version 0.1.0 stored its calendar as `clock` and its step counts as `knots`. */
export function parseModel(json: string): ForecastModel {
  const stored = JSON.parse(json) as ForecastModel | StoredBefore
  if (!('knots' in stored)) return stored
  const { clock, knots, ...rest } = stored
  return { ...rest, calendar: clock, stepCounts: knots }
}

type StoredBefore = Omit<ForecastModel, 'calendar' | 'stepCounts'> & {
  clock: StepCalendar
  knots: number[]
}
