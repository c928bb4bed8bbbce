// node bench/accuracy/booked.ts [pasta|retail] [every]: demand booked by week and month, scored by what was sold by day.
import { demandBetween, scaleOf } from '../../engine/forecast/backtest.ts'
import {
  addCase,
  addScores,
  emptyScores,
  metricsOf,
  type Scores,
} from '../../engine/forecast/scores.ts'
import { calibrate, calibrationSample, contextsOf, type DemandHistory } from '../../engine/index.ts'
import { loadHistories, type Origin, SETS, type SetRule } from './sets.ts'
import { BOOKED_METHODS } from './booked-methods.ts'
import { ENGINE, type Subject } from './subjects.ts'
import { lastWorkingDay, monthly, weekly } from './synthetic.ts'

const HORIZONS = [7, 28, 90]
/** Days by which origins are earlier than the protocol's, so that they lie anywhere within a period. */
const PHASES = [0, 3, 13, 22]

/** A set as it is booked: what is known of each series, and in which location it is. */
interface Booked {
  name: string
  book(history: DemandHistory, number: number): DemandHistory
  locationOf?(number: number): string
}

const BY_LOCATION = [weekly, monthly, (history: DemandHistory) => history]

const BOOKINGS: Booked[] = [
  { name: 'weekly', book: weekly },
  { name: 'monthly, on the 1st', book: monthly },
  { name: 'monthly, last working day', book: lastWorkingDay },
  {
    name: 'mixed by location',
    book: (history, i) => BY_LOCATION[i % 3]!(history),
    locationOf: (i) => `L${i % 3}`,
  },
  { name: 'mixed by series', book: (history, i) => BY_LOCATION[i % 3]!(history) },
]

interface Set {
  daily: DemandHistory[]
  booked: DemandHistory[]
  origins: Origin[][]
}

function setOf(
  rule: SetRule,
  daily: DemandHistory[],
  { book, locationOf = () => '' }: Booked,
): Set {
  const end = daily.reduce((latest, { days }) => Math.max(latest, days.at(-1)! + 1), 0)
  const booked = daily.map(book)
  const days = PHASES.map((days, i) => end - 90 - i * rule.step - days)
  const origins = days.map((day) => {
    const series = booked.map((history, i) => ({ location: locationOf(i), history }))
    const contexts = contextsOf(series, day)
    const sample = calibrationSample(series, ({ history }) => history, day).map(
      ({ history, location }) => ({ history, context: contexts.get(location)! }),
    )
    const calibration = calibrate(sample, day)
    return series.map(({ location }) => ({
      ...{ day, calibration, planned: null },
      context: contexts.get(location)!,
    }))
  })
  return { daily, booked, origins }
}

interface Result {
  scores: Scores[]
  /** Scaled losses by case, for the error of a difference. */
  losses: number[][]
}

function score({ cases }: SetRule, { daily, booked, origins }: Set, subject: Subject): Result {
  const result: Result = { scores: HORIZONS.map(emptyScores), losses: HORIZONS.map(() => []) }
  daily.forEach((history, i) => {
    for (const origin of origins.map((each) => each[i]!)) {
      const scale = scaleOf(history, origin.day, cases)
      if (scale === null) continue
      subject.forecast(booked[i]!, origin, HORIZONS).forEach((quantiles, h) => {
        const horizon = HORIZONS[h]!
        const one = emptyScores()
        const demand = demandBetween(history, origin.day, origin.day + horizon)
        addCase(one, demand, quantiles, scale, horizon)
        addScores(result.scores[h]!, one)
        result.losses[h]!.push(one.scaledLoss)
      })
    }
  })
  return result
}

const short = (values: number[], digits: number) =>
  values.map((value) => value.toFixed(digits).replace(/^0/, '')).join('/')

function show(name: string, { scores }: Result) {
  const metrics = scores.map((each) => metricsOf(each)!)
  const cells = [
    short(
      metrics.map((each) => each.scaledPinballLoss!),
      4,
    ),
    short(
      metrics.map((each) => each.weightedQuantileLoss!),
      4,
    ),
    short(
      metrics.map((each) => each.coverage),
      3,
    ),
    short(
      metrics.map((each) => each.aboveP90),
      3,
    ),
    short(
      metrics.map((each) => each.bias!),
      2,
    ),
  ]
  console.log(`| ${[name, ...cells].join(' | ')} |`)
}

const [only, every = '1', kind] = process.argv.slice(2)
for (const rule of SETS) {
  if (only && rule.name !== only) continue
  const all = await loadHistories(rule)
  const daily = all.filter((_, i) => i % Number(every) === 0)
  for (const booking of BOOKINGS) {
    if (kind && !booking.name.includes(kind)) continue
    const set = setOf(rule, daily, booking)
    const ours = score(rule, set, ENGINE)
    console.log(`\n${rule.name} booked ${booking.name}: ${ours.scores[0]!.cases} cases\n`)
    console.log('| | SPL | wQL | coverage | above P90 | bias |')
    console.log('| --- | --- | --- | --- | --- | --- |')
    show('`restock`', ours)
    const others = BOOKED_METHODS.map((subject) => ({ subject, of: score(rule, set, subject) }))
    for (const { subject, of } of others) show(subject.name, of)
    const ratios = HORIZONS.map((_, h) => {
      const total = ({ scores }: Result) => scores[h]!.scaledLoss
      const best = others.reduce((a, b) => (total(b.of) < total(a.of) ? b : a))
      const differences = ours.losses[h]!.map((loss, i) => loss - best.of.losses[h]![i]!)
      const mean = differences.reduce((a, b) => a + b, 0) / differences.length
      const squares = differences.reduce((a, b) => a + (b - mean) ** 2, 0)
      const error = Math.sqrt(squares) / total(best.of)
      return `${(total(ours) / total(best.of)).toFixed(3)} ± ${error.toFixed(3)} (${best.subject.name})`
    })
    console.log(`\nover the best: ${ratios.join(', ')}`)
  }
}
