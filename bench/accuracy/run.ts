// node bench/accuracy/run.ts [--methods]: the protocol of the README on both sets.
import { demandBetween, scaleOf } from '../../engine/forecast/backtest.ts'
import {
  addCase,
  addScores,
  metricsOf,
  emptyScores,
  type Scores,
} from '../../engine/forecast/scores.ts'
import { predictDemand, forecastPair, type Metrics } from '../../engine/index.ts'
import { COMMON, type Measured, REFERENCE, TARGET_ROW, TOLERANCE } from './reference.ts'
import { scoreLikeSamples, measureSpread } from './spread.ts'
import { type DemandSet, loadSet, SETS } from './sets.ts'
import {
  ENGINE,
  EQUAL_MIX,
  HISTORICAL_YEAR,
  SINGLE_METHODS,
  PROMOTIONS_KNOWN,
  type Subject,
  WITHOUT_TREES,
} from './subjects.ts'

const HORIZONS = [7, 28, 90]
/** Sizes that the sample of the earlier results may have had, in series. */
const LIKE_SIZES = [300, 500, 800]
const FEWEST_LIKE = 30
type SetName = 'pasta' | 'retail'

/** Scores by series, then by horizon. */
function scoresBySeries(set: DemandSet, subject: Subject): Scores[][] {
  return set.histories.map((history) => {
    const scores = HORIZONS.map(emptyScores)
    for (const origin of set.origins) {
      const { day } = origin
      const scale = scaleOf(history, day, set.rule.cases)
      if (scale === null) continue
      subject.forecast(history, origin, HORIZONS).forEach((quantiles, i) => {
        const horizon = HORIZONS[i]!
        addCase(scores[i]!, demandBetween(history, day, day + horizon), quantiles, scale, horizon)
      })
    }
    return scores
  })
}

const score = (set: DemandSet, subject: Subject) => total(scoresBySeries(set, subject))

const total = (bySeries: Scores[][]): Metrics[] =>
  HORIZONS.map((_, i) => {
    const all = emptyScores()
    for (const scores of bySeries) addScores(all, scores[i]!)
    return metricsOf(all)!
  })

const short = (values: number[], digits = 3) =>
  values.map((value) => value.toFixed(digits).replace(/^0/, '')).join('/')
const line = (...cells: string[]) =>
  console.log(
    cells
      .map((cell, i) => cell.padEnd(i ? 22 : 32))
      .join('')
      .trimEnd(),
  )

function show(name: string, metrics: Metrics[]): void {
  line(
    name,
    short(
      metrics.map(({ scaledPinballLoss }) => scaledPinballLoss!),
      4,
    ),
    short(
      metrics.map(({ weightedQuantileLoss }) => weightedQuantileLoss!),
      4,
    ),
    short(metrics.map(({ coverage }) => coverage)),
    short(metrics.map(({ aboveP90 }) => aboveP90)),
  )
}

/** Scores by confidence: forecasts of high confidence should have the best coverage and the least loss. */
function showConfidence(set: DemandSet): void {
  for (const confidence of ['high', 'medium', 'low'] as const) {
    const scores = HORIZONS.map(emptyScores)
    for (const history of set.histories)
      for (const { day, context, calibration } of set.origins) {
        const scale = scaleOf(history, day, set.rule.cases)
        if (scale === null) continue
        const model = forecastPair(history, day, context, calibration)
        HORIZONS.forEach((horizon, i) => {
          const given = predictDemand(model, horizon)
          if (given.confidence !== confidence) return
          const demand = demandBetween(history, day, day + horizon)
          addCase(scores[i]!, demand, given, scale, horizon)
        })
      }
    const all = emptyScores()
    for (const each of scores) addScores(all, each)
    const metrics = metricsOf(all)
    if (metrics) show(`  ${confidence}, ${metrics.cases} forecasts`, [metrics])
  }
}

/** Compares losses as shares of a common method's loss, because the loss level differs between samples. */
function compare(set: SetName, ownScores: Scores[][], commonScores: Scores[][]): void {
  const [ours, common] = [total(ownScores), total(commonScores)]
  const [stack, base] = [REFERENCE[TARGET_ROW]![set], REFERENCE[COMMON]![set]]
  const share = (of: number[], by: number[]) => of.map((value, i) => value / by[i]!)
  const loss = (metrics: Metrics[]) => metrics.map(({ scaledPinballLoss }) => scaledPinballLoss!)
  const allowed = share(stack.loss, base.loss).map((value) => value * TOLERANCE)
  console.log(`\nSPL as a share of ${COMMON}, in the same run:`)
  line(`  ${TARGET_ROW}`, short(share(stack.loss, base.loss)), `${short(allowed)} allowed`)
  line('  restock', short(share(loss(ours), loss(common))))
  const ranges = HORIZONS.map((_, i) => {
    const [low, high] = measureSpread(ownScores, commonScores, i)
    return `${short([low])}–${short([high])}`
  })
  line('  of series by chance, 9 of 10', ranges.join(' / '))
  for (const size of LIKE_SIZES.filter((size) => size < ownScores.length)) {
    const { kept, mean, low, high } = scoreLikeSamples(ownScores, commonScores, base.loss, size)
    if (kept < FEWEST_LIKE) continue
    line(`  on ${kept} like samples of ${size}`, short(mean), `${short(low)} to ${short(high)}`)
  }
}

for (const rule of SETS) {
  const set = await loadSet(rule)
  const name = rule.name as SetName
  const [commonScores, ownScores] = [HISTORICAL_YEAR, ENGINE].map((subject) =>
    scoresBySeries(set, subject),
  ) as [Scores[][], Scores[][]]
  const ours = total(ownScores)
  console.log(`\n${rule.name}: ${set.histories.length} series, ${ours[0]!.cases} live cases`)
  line('7/28/90 days', 'SPL', 'wQL', 'coverage', 'above P90')
  show('restock', ours)
  if (set.origins.every(({ planned }) => planned))
    show(PROMOTIONS_KNOWN.name, score(set, PROMOTIONS_KNOWN))
  for (const subject of [WITHOUT_TREES, EQUAL_MIX]) show(subject.name, score(set, subject))
  show(HISTORICAL_YEAR.name, total(commonScores))
  showConfidence(set)
  if (process.argv.includes('--methods'))
    for (const subject of SINGLE_METHODS) show(`  ${subject.name}`, score(set, subject))
  console.log('\nmeasured before:')
  for (const [reference, of] of Object.entries(REFERENCE)) {
    const { loss, coverage }: Measured = of[name]
    line(reference, short(loss), '', short(coverage, 2))
  }
  compare(name, ownScores, commonScores)
}
