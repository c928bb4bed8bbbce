// What the first weeks of SKUs that were new once tell of those that are new now.
import type { LocationContext } from '../series/location-context.ts'
import { type Launch, LAUNCH_AGES, LAUNCH_HORIZONS, type LaunchRule } from '../series/launches.ts'
import type { Days, Units } from '../types.ts'
import { type ShortHistory, writeColdStartQuantiles } from './cold-start.ts'
import { root } from './distribution.ts'
import { FORECAST_QUANTILES } from './numeric/forecast-quantiles.ts'
import { pinballLoss } from './scores.ts'

const FEWEST = 20
/** Launches at which half of what they say counts. */
const HALF_SHARE = 20
const BOUNDS = [0.25, 4] as const
/** How many times its variance a move must be, squared, before it counts at all. */
const HARDNESS = 4

/** Rules by age, then horizon; null where there were too few. */
export function learnAnalogues(
  launches: readonly Launch[],
  prior: LocationContext['prior'],
): LaunchRule[] | null {
  if (launches.length < FEWEST) return null
  return LAUNCH_AGES.flatMap((age, a) =>
    LAUNCH_HORIZONS.map((horizon, h) => {
      const cases = launches.map(({ windows }) => {
        const { came, ...known } = windows[a]!
        return caseOf(known, prior, horizon, came[h]!)
      })
      cases.sort(inOrder)
      const halves = [0, 1].map((half) => cases.filter((_, i) => i % 2 === half))
      return { age, horizon, ...bestMove(halves) }
    }),
  )
}

type Move = Pick<LaunchRule, 'centre' | 'below' | 'above'>

/** What was said of a launch, and what came. */
export interface Case {
  said: Float64Array
  came: Units
}

const NO_MOVE: Move = { centre: 0, below: 1, above: 1 }

function caseOf(
  known: ShortHistory,
  prior: LocationContext['prior'],
  horizon: Days,
  came: Units,
): Case {
  const said = new Float64Array(3)
  writeColdStartQuantiles(known, prior, horizon, said, 0)
  return { said, came }
}

/** So that each half has launches of all sizes, whatever their order was. */
const inOrder = (a: Case, b: Case) =>
  a.said[1]! - b.said[1]! || a.said[2]! - b.said[2]! || a.said[0]! - b.said[0]! || a.came - b.came

/**
 * The move, or the width alone, or neither: what, learnt from each half of the launches, costs least on the other one.
 * @param halves two
 * @param common what may have moved all launches of the same months alike, in distances from P50 to P90, and is no rule: with it
 * neither the P50 nor the width is moved unless it is by more
 */
export function bestMove(halves: readonly (readonly Case[])[], common = 0): Move {
  const cases = halves.flat()
  const move = (of: readonly Case[]) => moveOf(of, common)
  const kinds = common ? [() => NO_MOVE, move] : [() => NO_MOVE, widthOf, move]
  const costs = kinds.map((learn) => {
    const losses = [0, 1].map((half) => lossOf(halves[half]!, learn(halves[1 - half]!)))
    return (losses[0]!.units + losses[1]!.units) * (losses[0]!.scaled + losses[1]!.scaled)
  })
  return kinds[costs.indexOf(Math.min(...costs))]!(cases)
}

/** Large launches count most in units, all alike where they are scaled. */
function lossOf(cases: readonly Case[], move: Move) {
  const sum = { units: 0, scaled: 0 }
  for (const { said, came } of cases) {
    const moved = said.slice()
    apply(move, moved, 0)
    const loss = FORECAST_QUANTILES.reduce(
      (total, level, j) => total + pinballLoss(level, came, Math.round(moved[j]!)),
      0,
    )
    sum.units += loss
    sum.scaled += loss / (1 + said[1]!)
  }
  return sum
}

/** Where they lay, in distances from P50 to P90, as roots. */
const positionOf = ({ said, came }: Case) => {
  const [r10, r50, r90] = [...said].map(root) as [number, number, number]
  const side = Math.max(r90 - r50, 1e-9)
  return { at: (root(came) - r50) / side, lower: (r50 - r10) / side }
}

const widthOf = (cases: readonly Case[]) => stretched(cases, 0)

function moveOf(cases: readonly Case[], common: number): Move {
  const at = Float64Array.from(cases, (each) => positionOf(each).at).sort()
  const median = quantile(at, 0.5)
  const error = (quantile(at, 0.84) - quantile(at, 0.16)) / 2 / Math.sqrt(cases.length)
  const size = Math.max(Math.abs(median), 1e-9)
  const believed = Math.max(0, 1 - HARDNESS * (error / size) ** 2) / (1 + (common / size) ** 4)
  return stretched(cases, toThousandths(median * believed), common ? believed : 1)
}

/**
 * So wide that a tenth lay above and, where it can, a tenth below.
 * @param believed how much of that counts
 */
function stretched(cases: readonly Case[], centre: number, believed = 1): Move {
  const share = (believed * cases.length) / (cases.length + HALF_SHARE)
  const above = Float64Array.from(cases, (each) => positionOf(each).at - centre).sort()
  const below = Float64Array.from(cases, (each) => {
    const { at, lower } = positionOf(each)
    return (centre - at) / Math.max(lower, 1e-9)
  }).sort()
  return {
    centre,
    below: shrunk(quantile(below, 0.9), share),
    above: shrunk(quantile(above, 0.9), share),
  }
}

const quantile = (sorted: Float64Array, level: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(level * (sorted.length + 1)))]!

const shrunk = (factor: number, share: number) =>
  toThousandths(Math.min(BOUNDS[1], Math.max(BOUNDS[0], factor)) ** share)

const toThousandths = (value: number) => Math.round(1000 * value) / 1000

/** Moves the quantiles of a new SKU to where those of its analogues lay, in place. */
export function moveToAnalogues(
  rules: readonly LaunchRule[],
  age: Days,
  horizon: Days,
  out: Float64Array,
  at: number,
): void {
  const ages = [...new Set(rules.map((rule) => rule.age))]
  const nearest = ages.find((each) => age <= 2 * each) ?? ages.at(-1)!
  apply(
    moveOver(
      rules.filter((rule) => rule.age === nearest),
      horizon,
    ),
    out,
    at,
  )
}

/** From so many days after its first sale a SKU learns nothing more from other launches. */
const KNOWN_FROM: Days = 126

/**
 * The same for a SKU of four weeks or more. Its rule is blended with that of the next age, and fades out after the last one.
 */
export function moveLaunched(
  rules: readonly LaunchRule[],
  age: Days,
  horizon: Days,
  out: Float64Array,
  at: number,
): void {
  if (age >= KNOWN_FROM) return
  const ages = [...new Set(rules.map((rule) => rule.age))].sort((a, b) => a - b)
  const moveAt = (each: Days) =>
    moveOver(
      rules.filter((rule) => rule.age === each),
      horizon,
    )
  const after = ages.findIndex((each) => each >= age)
  const to = after < 0 ? NO_MOVE : moveAt(ages[after]!)
  if (after === 0) return apply(to, out, at)
  const [left, right] = [ages.at(after < 0 ? -1 : after - 1)!, ages[after] ?? KNOWN_FROM]
  apply(between(moveAt(left), to, (age - left) / (right - left)), out, at)
}

/** Between the horizons that were learnt by the logarithm. */
function moveOver(own: readonly LaunchRule[], horizon: Days): Move {
  const after = own.findIndex((rule) => rule.horizon >= horizon)
  const right = own.at(after)!
  const left = own[after < 0 ? own.length - 1 : Math.max(0, after - 1)]!
  const apart = Math.log(right.horizon / left.horizon)
  const share = apart > 0 ? Math.log(horizon / left.horizon) / apart : 0
  return between(left, right, share)
}

function between(from: Move, to: Move, share: number): Move {
  const at = (of: keyof Move) => from[of] + share * (to[of] - from[of])
  return { centre: at('centre'), below: at('below'), above: at('above') }
}

function apply({ centre, below, above }: Move, out: Float64Array, at: number): void {
  if (centre === 0 && below === 1 && above === 1) return
  const [r10, r50, r90] = [0, 1, 2].map((j) => root(out[at + j]!)) as [number, number, number]
  const middle = Math.max(0, r50 + centre * (r90 - r50))
  out[at] = Math.max(0, middle - below * (r50 - r10)) ** 4
  out[at + 1] = middle ** 4
  out[at + 2] = Math.max(middle, middle + above * (r90 - r50)) ** 4
}
