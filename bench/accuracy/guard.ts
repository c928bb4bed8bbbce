// node bench/accuracy/guard.ts: sets derived from pasta and synthetic sets, with and without learning.
import { demandBetween, scaleOf } from '../../engine/forecast/backtest.ts'
import { addCase, type Metrics, metricsOf, emptyScores } from '../../engine/forecast/scores.ts'
import type { DemandHistory } from '../../engine/index.ts'
import { makeHistories, grocery, seasonalGrocery, spareParts, thinOut } from './synthetic.ts'
import { loadHistories, type Origin, originOf, SETS, type SetRule } from './sets.ts'
import { ENGINE, EQUAL_MIX, type Subject } from './subjects.ts'

const HORIZONS = [7, 28, 90]

interface Guard {
  name: string
  histories: DemandHistory[]
}

function score(histories: DemandHistory[], origins: Origin[], subject: Subject, of: number[]) {
  const scores = of.map(emptyScores)
  for (const history of histories)
    for (const origin of origins) {
      const scale = scaleOf(history, origin.day, RULE.cases)
      if (scale === null) continue
      const forecasts = subject.forecast(history, origin, of)
      forecasts.forEach((quantiles, i) => {
        const demand = demandBetween(history, origin.day, origin.day + of[i]!)
        addCase(scores[i]!, demand, quantiles, scale, of[i]!)
      })
    }
  return scores.map((each) => metricsOf(each))
}

const RULE: SetRule = SETS[0]!
const pasta = await loadHistories(RULE)
const GUARDS: Guard[] = [
  { name: 'pasta, every tenth unit', histories: pasta.map((each) => thinOut(each, 10)) },
  { name: 'pasta, every fiftieth unit', histories: pasta.map((each) => thinOut(each, 50)) },
  { name: '600 made-up spare parts', histories: makeHistories(600, spareParts) },
  { name: '300 made-up grocery series', histories: makeHistories(300, grocery) },
  { name: '300 with one season', histories: makeHistories(300, seasonalGrocery) },
]

const cells = (metrics: (Metrics | null)[], of: (metrics: Metrics) => number) =>
  metrics.map((each) => (each ? of(each).toFixed(4).replace(/^0/, '') : '–')).join('/')
const loss = ({ scaledPinballLoss }: Metrics) => scaledPinballLoss!
const byVolume = ({ weightedQuantileLoss }: Metrics) => weightedQuantileLoss!

console.log('| set | days | SPL, equal mix | SPL, `restock` | wQL, equal mix | wQL, `restock` |')
console.log('| --- | --- | --- | --- | --- | --- |')
for (const { name, histories } of GUARDS) {
  const end = histories.reduce((latest, { days }) => Math.max(latest, days.at(-1)! + 1), 0)
  const origins = [0, 1, 2, 3].map((i) => originOf(histories, end - 90 - i * RULE.step))
  const [even, ours] = [EQUAL_MIX, ENGINE].map((subject) =>
    score(histories, origins, subject, HORIZONS),
  ) as [(Metrics | null)[], (Metrics | null)[]]
  const row = [cells(even, loss), cells(ours, loss), cells(even, byVolume), cells(ours, byVolume)]
  console.log(`| ${[name, HORIZONS.join('/'), ...row].join(' | ')} |`)
}
