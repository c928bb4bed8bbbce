// How SKUs of a location sold at first, to be compared with what would have been forecast then.
import type { Days, DemandHistory, EpochDay, Units } from '../types.ts'
import { unitsOf } from './quantity.ts'

/** Days since the first sale at which a past launch is looked at, and over which. */
export const LAUNCH_AGES: readonly Days[] = [4, 16]
export const LAUNCH_HORIZONS: readonly Days[] = [7, 28, 90]
/** What a location began with were no launches. */
export const NEW_AFTER: Days = 56

/** What was known at an age, and what came then over each horizon. */
export interface LaunchWindow {
  days: Days
  sales: number
  units: Units
  came: Units[]
}

export interface Launch {
  from: EpochDay
  windows: LaunchWindow[]
}

/** How a forecast of a new SKU is moved and stretched, in fourth roots. */
export interface LaunchRule {
  age: Days
  horizon: Days
  /** By how many distances from P50 to P90 the P50 is moved. */
  centre: number
  /** The width below and above it over what it would be. */
  below: number
  above: number
}

/** @returns null where the last window has not passed yet, or nothing was sold */
export function launchOf(
  { days, quantities }: DemandHistory,
  from: EpochDay,
  asOf: EpochDay,
): Launch | null {
  if (from + LAUNCH_AGES.at(-1)! + LAUNCH_HORIZONS.at(-1)! > asOf) return null
  const windows = LAUNCH_AGES.map((age) => {
    const window: LaunchWindow = {
      days: age,
      sales: 0,
      units: 0,
      came: LAUNCH_HORIZONS.map(() => 0),
    }
    for (let i = 0; i < days.length; i++) {
      const since = days[i]! - from - age
      const sold = unitsOf(quantities[i]!)
      if (since >= LAUNCH_HORIZONS.at(-1)! || sold === 0) continue
      if (since < 0) {
        window.sales++
        window.units += sold
      } else
        LAUNCH_HORIZONS.forEach((horizon, h) => {
          if (since < horizon) window.came[h]! += sold
        })
    }
    return window
  })
  return { from, windows }
}

/** Those that came when the location was known already. */
export const newcomers = (launches: readonly Launch[], knownFrom: EpochDay): Launch[] =>
  launches.filter(({ from }) => from >= knownFrom + NEW_AFTER)
