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
      return { age, horizon, ...bestMove(cases.sort(inOrder)) }
    }),
  )
}

type Move = Pick<LaunchRule, 'centre' | 'below' | 'above'>

/** What was said of a launch, and what came. */
interface Case {
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

/** The move, or the width alone, or neither: what, learnt from each half of the launches, costs least on the other one. */
function bestMove(cases: readonly Case[]): Move {
  const halves = [0, 1].map((half) => cases.filter((_, i) => i % 2 === half))
  const kinds = [() => NO_MOVE, widthOf, moveOf]
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

function moveOf(cases: readonly Case[]): Move {
  const at = Float64Array.from(cases, (each) => positionOf(each).at).sort()
  const median = quantile(at, 0.5)
  const error = (quantile(at, 0.84) - quantile(at, 0.16)) / 2 / Math.sqrt(cases.length)
  const believed = 1 - HARDNESS * (error / Math.max(Math.abs(median), 1e-9)) ** 2
  return stretched(cases, toThousandths(median * Math.max(0, believed)))
}

/** So wide that a tenth lay above and, where it can, a tenth below. */
function stretched(cases: readonly Case[], centre: number): Move {
  const share = cases.length / (cases.length + HALF_SHARE)
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
  const own = rules.filter((rule) => rule.age === nearest)
  const after = own.findIndex((rule) => rule.horizon >= horizon)
  const right = own.at(after)!
  const left = own[after < 0 ? own.length - 1 : Math.max(0, after - 1)]!
  const apart = Math.log(right.horizon / left.horizon)
  const share = apart > 0 ? Math.log(horizon / left.horizon) / apart : 0
  const between = (of: 'centre' | 'above' | 'below') => left[of] + share * (right[of] - left[of])
  apply({ centre: between('centre'), below: between('below'), above: between('above') }, out, at)
}

function apply({ centre, below, above }: Move, out: Float64Array, at: number): void {
  const [r10, r50, r90] = [0, 1, 2].map((j) => root(out[at + j]!)) as [number, number, number]
  const middle = Math.max(0, r50 + centre * (r90 - r50))
  out[at] = Math.max(0, middle - below * (r50 - r10)) ** 4
  out[at + 1] = middle ** 4
  out[at + 2] = Math.max(middle, middle + above * (r90 - r50)) ** 4
}
