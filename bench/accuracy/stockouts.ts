// node bench/accuracy/stockouts.ts: what a stockout of three weeks before the origin does to a forecast.
import {
  predictDemand,
  type DemandHistory,
  type EpochDay,
  forecastPair,
} from '../../engine/index.ts'
import { demandBetween, scaleOf } from '../../engine/forecast/backtest.ts'
import { addCase, emptyScores, metricsOf, type Scores } from '../../engine/forecast/scores.ts'
import { type DemandSet, loadSet, originOf, SETS } from './sets.ts'
import { makeHistories, randomOf, steady } from './synthetic.ts'

const HORIZONS = [7, 28]
const STOCKOUT = 21
/** Cases of each set, spread evenly. */
const MOST = 1200
/** P50 over four weeks from which on a deviation can be told in per cent. */
const TOLD_FROM = 20

/** Without what was sold in the three weeks that ended `ago` days before the origin. */
function censored(history: DemandHistory, origin: EpochDay, ago: number, knows: boolean) {
  const [from, to] = [origin - STOCKOUT - ago, origin - ago]
  const kept = (_: unknown, i: number) => history.days[i]! < from || history.days[i]! >= to
  const { days, quantities, promo } = history
  const without: DemandHistory = {
    days: days.filter(kept),
    quantities: quantities.filter(kept),
    ...(promo && { promo: promo.filter(kept) }),
  }
  const seen = Int32Array.from({ length: 365 }, (_, i) => origin - 365 + i)
  return knows ? { ...without, stock: { seen, empty: Int32Array.of(from, to - 1) } } : without
}

interface Kind {
  name: string
  change(history: DemandHistory, origin: EpochDay): DemandHistory
  /** Days before the origin as of which it is forecast; absent: none. */
  ago?: number
}

const EARLIEST = 28
const random = randomOf(3)

const KINDS: Kind[] = [
  { name: 'no stockout', change: (history) => history },
  { name: 'no stockout, the forecast of 21 days before', change: (each) => each, ago: STOCKOUT },
  {
    name: 'at some time of the last year, stock known',
    change: (history, origin) => {
      const ago = EARLIEST + Math.floor(random() * (365 - STOCKOUT - EARLIEST))
      return censored(history, origin, ago, true)
    },
  },
  ...[0, 7, 28].flatMap((ago): Kind[] => {
    const until = ago ? `until ${ago} days before` : 'until today'
    return [true, false].map((knows) => ({
      name: `${until}, ${knows ? 'stock known' : 'stock not known'}`,
      change: (history, origin) => censored(history, origin, ago, knows),
    }))
  }),
]

interface Result {
  deviations: number[][]
  sums: number[]
  scores: Scores[]
}

function measure(set: DemandSet): void {
  const cases = set.origins.flatMap((origin) =>
    set.histories.flatMap((history) => {
      const scale = scaleOf(history, origin.day, set.rule.cases)
      return scale === null ? [] : [{ history, origin, scale }]
    }),
  )
  const step = Math.max(1, Math.ceil(cases.length / MOST))
  const chosen = cases.filter((_, i) => i % step === 0)
  const results = KINDS.map((): Result => ({
    deviations: HORIZONS.map(() => []),
    sums: HORIZONS.map(() => 0),
    scores: HORIZONS.map(emptyScores),
  }))
  for (const { history, origin, scale } of chosen) {
    const { day, context, calibration } = origin
    const models = KINDS.map(({ change, ago = 0 }) =>
      forecastPair(change(history, day), day - ago, context, calibration),
    )
    const isTold =
      predictDemand(models[0]!, 28).p50 >= TOLD_FROM && predictDemand(models[0]!, 7).p50 > 0
    HORIZONS.forEach((horizon, i) => {
      const demand = demandBetween(history, day, day + horizon)
      const usual = predictDemand(models[0]!, horizon).p50
      models.forEach((model, kind) => {
        const forecast = predictDemand(model, horizon)
        const { deviations, sums, scores } = results[kind]!
        addCase(scores[i]!, demand, forecast, scale, horizon)
        sums[i]! += forecast.p50
        if (isTold) deviations[i]!.push(Math.abs(forecast.p50 / usual - 1))
      })
    })
  }
  const told = results[0]!.deviations[0]!.length
  console.log(`\n${set.rule.name}: ${chosen.length} cases, deviations of ${told}\n`)
  console.log(
    '| stockout of 21 days | deviation of the P50, median | 9 of 10 | sum of the P50s | SPL |',
  )
  console.log('| --- | --- | --- | --- | --- |')
  results.forEach(({ deviations, sums, scores }, kind) => {
    const at = (share: number) =>
      deviations
        .map((each) => percent(each.sort((a, b) => a - b)[Math.floor(share * each.length)] ?? 0))
        .join(' / ')
    const total = sums.map((sum, i) => percent(sum / results[0]!.sums[i]! - 1)).join(' / ')
    const loss = scores.map((each) => metricsOf(each)!.scaledPinballLoss!.toFixed(4)).join(' / ')
    console.log(`| ${KINDS[kind]!.name} | ${at(0.5)} | ${at(0.9)} | ${total} | ${loss} |`)
  })
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

function madeUp(): DemandSet {
  const histories = makeHistories(300, steady)
  const end = histories.reduce((latest, { days }) => Math.max(latest, days.at(-1)! + 1), 0)
  const rule = { ...SETS[0]!, name: 'steady, made up' }
  return { rule, histories, origins: [originOf(histories, end - HORIZONS.at(-1)!)] }
}

measure(madeUp())
if (!process.argv.includes('--made-up')) for (const rule of SETS) measure(await loadSet(rule))
