// node bench/accuracy/shops.ts [set]: many small shops that share a season, booked by day and by week on each weekday.
import { demandBetween } from '../../engine/forecast/backtest.ts'
import {
  calibrate,
  calibrationSample,
  contextsOf,
  type DemandHistory,
  demandDistribution,
  type EpochDay,
  forecastPair,
  quantileOf,
} from '../../engine/index.ts'
import { loadHistories, SETS } from './sets.ts'
import { poisson, randomOf } from './synthetic.ts'

interface Series {
  location: string
  history: DemandHistory
}

/** What is ordered by when a unit short costs five times what one left over does, beside the middle. */
const LEVELS = [0.5, 5 / 6]
const HORIZONS = [7, 21, 28, 84]
const SHOPS = 67
const ORIGINS = 6
const EVERY = 56
const DAYS = 3 * 364 + 84
const [SUNDAY, MONDAY] = [3, 4]

/** Few shops have many SKUs, most have one or a few. */
const shopOf = (i: number, count: number) => `S${Math.floor(SHOPS * (i / count) ** 0.35)}`

/** Two waves a year and a peak of six weeks before its end, which shops share but for a part. */
function madeUp(count: number, apart: number): Series[] {
  return Array.from({ length: count }, (_, i) => {
    const random = randomOf(i + 1)
    const location = shopOf(i, count)
    const shift = apart * Math.sin(Number(location.slice(1)) * 7)
    const level = 0.1 * 100 ** random()
    const own = 0.3 * (random() - 0.5)
    const rows: [EpochDay, number][] = []
    let drift = 0
    for (let day = 0; day < DAYS; day++) {
      drift += 0.012 * (random() + random() - 1)
      const at = ((day + shift) % 364) / 364
      const peak = Math.exp(-(((at - 0.93) / 0.045) ** 2))
      const year = 1 + 0.25 * Math.cos(2 * Math.PI * (at - 0.45)) + (1 + own) * peak
      const noise = 0.5 + random()
      const units = poisson(level * Math.exp(drift) * year * noise, random)
      if (units) rows.push([20_000 + day, units])
    }
    return { location, history: historyOf(rows) }
  })
}

const historyOf = (rows: [EpochDay, number][]): DemandHistory => ({
  days: Int32Array.from(rows, ([day]) => day),
  quantities: Float64Array.from(rows, ([, units]) => units),
})

/** The demand of each week, Monday to Sunday, booked so many days after the Sunday. */
function byWeek({ days, quantities }: DemandHistory, later: number): DemandHistory {
  const sums = new Map<EpochDay, number>()
  days.forEach((day, i) => {
    const end = day + ((((SUNDAY - day) % 7) + 7) % 7) + later
    sums.set(end, (sums.get(end) ?? 0) + quantities[i]!)
  })
  return historyOf([...sums])
}

const pasta = (await loadHistories(SETS[0]!)).map(({ days, quantities }, i, all) => ({
  location: shopOf(i, all.length),
  history: { days, quantities },
}))
const WORLDS: Record<string, Series[]> = {
  'one season': madeUp(500, 0),
  'shops differ': madeUp(500, 60),
  pasta,
}

interface Result {
  losses: number[][]
  within: number
  cases: number
}

function score(daily: readonly Series[], booked: readonly Series[], origins: EpochDay[]): Result {
  const result: Result = { losses: HORIZONS.map(() => LEVELS.map(() => 0)), within: 0, cases: 0 }
  for (const origin of origins) {
    const contexts = contextsOf(booked, origin)
    const sample = calibrationSample(booked, ({ history }) => history, origin)
    const calibration = calibrate(
      sample.map(({ history, location }) => ({ history, context: contexts.get(location)! })),
      origin,
    )
    booked.forEach(({ history, location }, i) => {
      const model = forecastPair(history, origin, contexts.get(location)!, calibration)
      HORIZONS.forEach((days, h) => {
        const came = demandBetween(daily[i]!.history, origin, origin + days)
        const distribution = demandDistribution(model, days)
        LEVELS.forEach((level, l) => {
          const error = came - Math.round(quantileOf(distribution, level))
          result.losses[h]![l]! += Math.max(level * error, (level - 1) * error)
        })
        result.cases++
        if (came >= Math.round(distribution.p10) && came <= Math.round(distribution.p90))
          result.within++
      })
    })
  }
  return result
}

const [only, kinds = 'all'] = process.argv.slice(2)
for (const [name, daily] of Object.entries(WORLDS)) {
  if (only && !name.startsWith(only)) continue
  const known = Math.max(...daily.map(({ history }) => history.days.at(-1)! + 1))
  const end = known - ((((known - MONDAY) % 7) + 7) % 7)
  const origins = Array.from({ length: ORIGINS }, (_, i) => end - 84 - i * EVERY)
  const bookings: Record<string, Series[]> = { 'by day': daily }
  for (const later of kinds === 'all' ? [0, -1, -2, -3, -4, -5, -6] : [0, -6])
    bookings[`by week, dated ${later} days`] = daily.map(({ location, history }) => ({
      location,
      history: byWeek(history, later),
    }))
  console.log(`\n| ${name} | ${HORIZONS.map((h) => `P50 ${h} · P83`).join(' | ')} | within |`)
  console.log(`|${'---|'.repeat(HORIZONS.length + 2)}`)
  let first: Result | undefined
  for (const [booking, booked] of Object.entries(bookings)) {
    const result = score(daily, booked, origins)
    first ??= result
    const cells = result.losses.map((each, h) =>
      each
        .map(
          (loss, l) =>
            `${(loss / result.cases).toFixed(3)} (${(loss / first!.losses[h]![l]!).toFixed(3)})`,
        )
        .join(' · '),
    )
    console.log(`| ${[booking, ...cells, (result.within / result.cases).toFixed(3)].join(' | ')} |`)
  }
}
