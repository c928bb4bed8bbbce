// node bench/accuracy/launches.ts [days between origins]: SKUs that were new on retail, forecast with and without what launches before them tell.
import { demandBetween } from '../../engine/forecast/backtest.ts'
import { addCase, emptyScores, metricsOf, type Scores } from '../../engine/forecast/scores.ts'
import {
  type Calibration,
  type DemandHistory,
  forecastPair,
  type LocationContext,
  predictDemand,
} from '../../engine/index.ts'
import { loadHistories, originOf, SETS } from './sets.ts'

const HORIZONS = [7, 28, 90]
/** Days since the first sale. */
const AGES = [
  [1, 8],
  [9, 27],
  [28, 55],
  [56, 90],
  [91, 125],
] as const
const AFTER = 56
const ORIGINS = 10
const STEP = Number(process.argv[2] ?? 28)

interface Known {
  context: LocationContext
  calibration: Calibration | null
}

/** The same without what launches tell. */
const withoutLaunches = ({ context, calibration }: Known): Known => ({
  context: { ...context, launches: null },
  calibration: calibration && {
    ...calibration,
    buckets: calibration.buckets.map((bucket) => ({ ...bucket, launched: [] })),
  },
})

const knowsLaunches = ({ context, calibration }: Known) =>
  !!context.launches || calibration?.buckets.some(({ launched }) => launched?.length)

const own = await loadHistories(SETS[1]!)
const end = own.reduce((latest, { days }) => Math.max(latest, days.at(-1)! + 1), 0)
const cells = AGES.map(() => ({
  cases: 0,
  before: HORIZONS.map(emptyScores),
  since: HORIZONS.map(emptyScores),
  losses: HORIZONS.map(() => [] as [number, number][]),
}))
for (let k = 0; k < ORIGINS; k++) {
  const day = end - 90 - k * STEP
  const known = originOf(own, day)
  if (!knowsLaunches(known)) continue
  const plain = withoutLaunches(known)
  for (const history of own) {
    const first = history.days[0]!
    const cell = AGES.findIndex(([from, to]) => day - first >= from && day - first <= to)
    if (cell < 0 || first < known.context.knownFrom! + AFTER) continue
    const { before, since, losses } = cells[cell]!
    cells[cell]!.cases++
    const was = score(history, day, plain, before)
    const is = score(history, day, known, since)
    HORIZONS.forEach((_, h) => losses[h]!.push([was[h]!, is[h]!]))
  }
}

/** @returns the loss in units by horizon */
function score(history: DemandHistory, day: number, known: Known, into: Scores[]): number[] {
  const model = forecastPair(history, day, known.context, known.calibration)
  return HORIZONS.map((horizon, h) => {
    const demand = demandBetween(history, day, day + horizon)
    const one = emptyScores()
    for (const scores of [into[h]!, one])
      addCase(scores, demand, predictDemand(model, horizon), 1, horizon)
    return metricsOf(one)!.scaledPinballLoss!
  })
}

/** Change of the loss and its standard error over SKUs, in percent. */
function change(losses: readonly [number, number][]): string {
  const total = losses.reduce((sum, [was]) => sum + was, 0)
  const by = losses.map(([was, is]) => is - was)
  const mean = by.reduce((sum, each) => sum + each, 0) / by.length
  const variance = by.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (by.length - 1)
  const percent = 100 / (total / by.length)
  return `${(mean * percent).toFixed(1)} ± ${(Math.sqrt(variance / by.length) * percent).toFixed(1)}`
}

console.log('| days old | launches | coverage, without | with | wQL, without | with | change, % |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
cells.forEach(({ cases, before, since, losses }, a) => {
  if (!cases) return
  const short = (scores: Scores[], of: 'coverage' | 'weightedQuantileLoss', digits: number) =>
    scores.map((each) => metricsOf(each)![of]!.toFixed(digits).replace(/^0/, '')).join(' / ')
  const row = [
    AGES[a]!.join('–'),
    cases,
    short(before, 'coverage', 3),
    short(since, 'coverage', 3),
    short(before, 'weightedQuantileLoss', 4),
    short(since, 'weightedQuantileLoss', 4),
    losses.map(change).join(' / '),
  ]
  console.log(`| ${row.join(' | ')} |`)
})
