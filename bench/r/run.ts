// node bench/r/run.ts [series]: R's forecast::ets and the engine on the same series, side by side.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demandBetween, scaleOf } from '../../engine/forecast/backtest.ts'
import { addCase, type Metrics, metricsOf, emptyScores } from '../../engine/forecast/scores.ts'
import { type DemandHistory, EMPTY_CONTEXT } from '../../engine/index.ts'
import { toSteps } from '../../engine/series/steps.ts'
import { loadSet, type Origin, SETS } from '../accuracy/sets.ts'
import { ENGINE, type Quantiles } from '../accuracy/subjects.ts'

const HORIZONS = [7, 28, 90]
const MOST = Number(process.argv[2] ?? 150)

interface Run {
  /** Quantiles by series, one triple per horizon. */
  quantiles: Quantiles[][]
  /** CPU seconds for all series. */
  seconds: number
}

function ours(series: DemandHistory[], origin: Origin): Run {
  const forecast = () => series.map((history) => ENGINE.forecast(history, origin, HORIZONS))
  forecast() // warm-up, so that the measured run uses compiled code
  const start = process.cpuUsage()
  const quantiles = forecast()
  return { quantiles, seconds: process.cpuUsage(start).user / 1e6 }
}

function ets(series: DemandHistory[], { day }: Origin): Run {
  const folder = mkdtempSync(join(tmpdir(), 'restock-r-'))
  try {
    const [input, output] = [join(folder, 'in.csv'), join(folder, 'out.csv')]
    const lines = series.map((history) => toSteps(history, day, EMPTY_CONTEXT).values.join(','))
    writeFileSync(input, `${lines.join('\n')}\n`)
    const script = join(import.meta.dirname, 'ets.R')
    const { status, error } = spawnSync('Rscript', [script, input, output], { stdio: 'inherit' })
    if (status !== 0) throw error ?? new Error(`Rscript ended with ${status}`)
    const answers = readFileSync(output, 'utf8').trimEnd().split('\n')
    return { seconds: Number(answers.pop()), quantiles: answers.map(triplesOf) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function triplesOf(line: string): Quantiles[] {
  const all = line.split(',').map(Number)
  return HORIZONS.map((_, i) => ({ p10: all[3 * i]!, p50: all[3 * i + 1]!, p90: all[3 * i + 2]! }))
}

function score(series: DemandHistory[], scales: number[], day: number, run: Run): Metrics[] {
  return HORIZONS.map((horizon, i) => {
    const scores = emptyScores()
    series.forEach((history, at) => {
      const demand = demandBetween(history, day, day + horizon)
      addCase(scores, demand, run.quantiles[at]![i]!, scales[at]!, horizon)
    })
    return metricsOf(scores)!
  })
}

let failed = false
for (const rule of SETS) {
  const { histories, origins } = await loadSet({ ...rule, origins: 1 })
  const origin = origins[0]!
  const cases = histories
    .map((history) => ({ history, scale: scaleOf(history, origin.day, rule.cases) ?? 0 }))
    .filter(({ scale }) => scale > 0)
  const count = Math.min(MOST, cases.length)
  const chosen = Array.from(
    { length: count },
    (_, i) => cases[Math.floor((i * cases.length) / count)]!,
  )
  const series = chosen.map(({ history }) => history)
  const scales = chosen.map(({ scale }) => scale)
  const show = (name: string, run: Run) => {
    const metrics = score(series, scales, origin.day, run)
    const cells = (of: (metrics: Metrics) => number, digits: number) =>
      metrics.map((each) => of(each).toFixed(digits).replace(/^0/, '')).join('/')
    const loss = cells(({ scaledPinballLoss }) => scaledPinballLoss!, 4)
    const covered = cells(({ coverage }) => coverage, 3)
    const speed = (count / run.seconds).toFixed(run.seconds > count / 10 ? 1 : 0)
    console.log(`| ${rule.name}, ${count} series | ${name} | ${loss} | ${covered} | ${speed} |`)
    return metrics
  }
  const [engine, other] = [ours(series, origin), ets(series, origin)]
  const mine = show('`restock`', engine)
  const theirs = show('`forecast::ets`', other)
  const ratio = other.seconds / engine.seconds
  const better = mine.every((each, i) => each.scaledPinballLoss! < theirs[i]!.scaledPinballLoss!)
  console.log(
    `${rule.name}: ${better ? 'better at every horizon' : 'NOT better'}, ${ratio.toFixed(0)} times the speed`,
  )
  failed ||= !better || ratio < 300
}
process.exitCode = failed ? 1 : 0
