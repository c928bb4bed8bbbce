// node bench/pilot/run.ts [worlds] [pairs] [first seed]: what a pilot on one half-year predicts, against what the proposals would really
// have saved in the next one, in made-up companies.
import {
  type Calibration,
  calibrate,
  calibrationSample,
  contextsOf,
  type Days,
  demandDistribution,
  type DemandHistory,
  forecastPair,
  type LocationContext,
  predictQuantiles,
  toDate,
} from '../../engine/index.ts'
import { replayProposals } from '../../engine/replay/index.ts'
import { historyOf } from '../../cli/offline/histories.ts'
import { reportOf } from '../../cli/pilot/figures.ts'
import { replayPast } from '../../cli/pilot/replay.ts'
import {
  BEFORE,
  COSTS,
  costOf,
  FIRST_DAY,
  HALF_YEAR,
  makeWorld,
  pastOf,
  randomFrom,
  takesOf,
  termsOf,
  type World,
  type WorldPair,
} from './world.ts'

const WEEK: Days = 7
const SECOND = BEFORE + HALF_YEAR
const END = SECOND + HALF_YEAR

export interface Predicted {
  predicted: { value: number; low: number; high: number }
  real: number
  own: number
}

export async function tryWorld(world: World): Promise<Predicted> {
  const past = pastOf(world, SECOND)
  const pilot = await replayPast(past, { weeks: HALF_YEAR / WEEK }, { pool: null }, () => {})
  const { saving } = reportOf(past, pilot)
  const own = costOf(world.pairs, SECOND, END)
  return {
    predicted: saving,
    real: own - costOf(followProposals(world, SECOND).pairs, SECOND, END),
    own,
  }
}

/**
 * The same company, which orders every proposal from a day on for half a year: it sees the sales that its own stock leaves, and
 * nothing else.
 */
export function followProposals(world: World, from: Days): World {
  const { pairs, habit, seed } = world
  const to = from + HALF_YEAR
  const random = randomFrom(1000 + seed)
  const known = pastOf(world, to)
  const histories = pairs.map((_, at) => historyOf(known.histories, at))
  const weeks: { context: LocationContext; calibration: Calibration | null }[] = []
  for (let week = 0; week < HALF_YEAR / WEEK; week++) {
    const day = FIRST_DAY + from + WEEK * week
    const context = contextsOf(
      histories.map((history) => ({ location: 'L1', history })),
      day,
    ).get('L1')!
    const sample = calibrationSample(histories, (history) => history, day)
    const series = sample.map((history) => ({ history, context }))
    weeks.push({
      context,
      calibration: week % 4 ? weeks.at(-1)!.calibration : calibrate(series, day),
    })
  }
  return { ...world, pairs: pairs.map((pair) => follow(pair, habit, from, weeks, random)) }
}

function follow(
  pair: WorldPair,
  { review }: World['habit'],
  from: Days,
  weeks: { context: LocationContext; calibration: Calibration | null }[],
  random: () => number,
): WorldPair {
  const to = from + HALF_YEAR
  const [sold, stock, short] = [pair.sold.slice(), pair.stock.slice(), pair.short.slice()]
  const orders = pair.orders.filter(({ day }) => day < from)
  const taken = new Map<Days, Days>()
  const replayed = replayProposals({
    terms: {
      planning: termsOf(pair, review).planning,
      policy: { target: COSTS, reviewPeriodDays: review, supplierRequired: false },
      waits: false,
    },
    wanted: pair.demand.subarray(from, to),
    counted: new Uint8Array(HALF_YEAR).fill(1),
    start: {
      day: 0,
      net: pair.stock[from - 1]!,
      open: orders
        .filter(({ day, takes }) => day + takes >= from)
        .map(({ day, takes, quantity }) => ({
          ...{ placed: day - from, arrives: day + takes - from, quantity },
        })),
    },
    reviews: Array.from({ length: Math.ceil(HALF_YEAR / review) }, (_, i) => i * review),
    dateOf: (day) => toDate(FIRST_DAY + from + day),
    forecastAt(day) {
      const { context, calibration } = weeks[day / WEEK]!
      const asOf = FIRST_DAY + from + day
      const model = forecastPair(observed(sold, stock, from + day), asOf, context, calibration)
      return {
        at: (days) => predictQuantiles(model, days),
        distribution: (days) => demandDistribution(model, days),
      }
    },
    leadTimeAt(day) {
      const days = takesOf(pair, random)
      taken.set(day, days)
      return days
    },
    sold(day, units, onHand) {
      sold[from + day] = units
      stock[from + day] = onHand
      short[from + day] = pair.demand[from + day]! - units
    },
  })
  for (const { day, quantity } of replayed.orders)
    orders.push({ day: from + day, takes: taken.get(day)!, quantity })
  return { ...pair, sold, stock, short, orders }
}

/** What was written down before a morning. */
function observed(sold: Float64Array, stock: Float64Array, until: Days): DemandHistory {
  const days: number[] = []
  const empty: number[] = []
  for (let day = 0; day < until; day++) {
    if (sold[day]! > 0) days.push(day)
    if (stock[day]! > 0) continue
    if (empty.at(-1) === FIRST_DAY + day - 1) empty[empty.length - 1] = FIRST_DAY + day
    else empty.push(FIRST_DAY + day, FIRST_DAY + day)
  }
  return {
    days: Int32Array.from(days, (day) => FIRST_DAY + day),
    quantities: Float64Array.from(days, (day) => sold[day]!),
    stock: {
      seen: Int32Array.from({ length: until }, (_, day) => FIRST_DAY + day),
      empty: Int32Array.from(empty),
    },
  }
}

if (import.meta.main) {
  const [worlds = 20, pairs = 200, first = 0] = process.argv.slice(2).map(Number)
  console.log(
    '| world | orders up to | own cost | predicted | band | real | off | within a fifth | band holds |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|')
  let [near, held] = [0, 0]
  for (let seed = first; seed < first + worlds; seed++) {
    const world = makeWorld(seed, pairs)
    const { predicted, real, own } = await tryWorld(world)
    const isNear = Math.abs(predicted.value - real) <= Math.abs(real) / 5
    const isHeld = predicted.low <= real && real <= predicted.high
    near += Number(isNear)
    held += Number(isHeld)
    const shown = [own, predicted.value].map((amount) => amount.toFixed(0))
    const off = `${((100 * (predicted.value - real)) / Math.abs(real)).toFixed(0)} %`
    const cells = [
      seed,
      world.habit.name,
      ...shown,
      `${predicted.low.toFixed(0)} to ${predicted.high.toFixed(0)}`,
      real.toFixed(0),
      off,
    ]
    console.log(`| ${[...cells, isNear ? 'yes' : 'no', isHeld ? 'yes' : 'no'].join(' | ')} |`)
  }
  console.log(`\nWithin a fifth in ${near} of ${worlds}; the band holds in ${held} of ${worlds}.`)
}
