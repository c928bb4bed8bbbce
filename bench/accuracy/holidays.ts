// node bench/accuracy/holidays.ts [pasta|retail] [every]: what knowing public holidays changes, on the protocol's origins and on others.
import { demandBetween, scaleOf } from '../../engine/forecast/backtest.ts'
import { addCase, emptyScores, metricsOf } from '../../engine/forecast/scores.ts'
import {
  calibrate,
  calibrationSample,
  contextsOf,
  type DemandHistory,
  type EpochDay,
  forecastPair,
  type LocationContext,
  predictDemand,
  toEpochDay,
} from '../../engine/index.ts'
import { type Country, publicHolidays } from '../../holidays/public-holidays.ts'
import { loadHistories, SETS } from './sets.ts'

const HORIZONS = [7, 28, 90]
const COUNTRIES: Record<string, Country> = {
  pasta: { country: 'IT' },
  retail: { country: 'GB', region: 'ENG' },
}
/** Origins two weeks apart, as far back as there is a past to learn from. */
const MORE = { step: 14, pasta: 40, retail: 9 } as const
const [only, every = '1'] = process.argv.slice(2)

for (const rule of SETS) {
  const name = rule.name as 'pasta' | 'retail'
  if (only && only !== name) continue
  const histories = (await loadHistories(rule)).filter((_, i) => i % Number(every) === 0)
  const end = histories.reduce((latest, { days }) => Math.max(latest, days.at(-1)! + 1), 0)
  const found = await publicHolidays(COUNTRIES[name]!, { first: 2009, last: 2020 })
  const calendar = found.map((each) => ({ day: toEpochDay(each.date), name: each.name }))
  for (const [title, step, count] of [
    ['origins of the protocol', rule.step, 4],
    ['every two weeks', MORE.step, MORE[name]],
  ] as const) {
    const days = Array.from({ length: count }, (_, i) => end - 90 - i * step)
    const cases = days.flatMap((day) => casesOf(histories, day))
    show(`${name}, ${title}`, cases)
    show(
      `${name}, ${title}, a holiday in the window`,
      cases.filter(({ touched }) => touched),
    )
  }

  function casesOf(own: DemandHistory[], day: EpochDay) {
    const series = own.map((history) => ({ location: '', history }))
    const context = contextsOf(series, day).get('')!
    const sample = calibrationSample(own, (history) => history, day)
    const calibration = calibrate(
      sample.map((history) => ({ history, context })),
      day,
    )
    const knowing = contextsOf(series, day, null, () => calendar).get('')!
    return own.flatMap((history, at) => {
      const scale = scaleOf(history, day, rule.cases)
      if (scale === null) return []
      const score = (which: LocationContext) => {
        const model = forecastPair(history, day, which, calibration)
        return HORIZONS.map((horizon) => {
          const scores = emptyScores()
          const demand = demandBetween(history, day, day + horizon)
          addCase(scores, demand, predictDemand(model, horizon), scale, horizon)
          return scores
        })
      }
      const [without, known] = [score(context), score(knowing)]
      return HORIZONS.map((horizon, h) => ({
        ...{ at, horizon, without: without[h]!, known: known[h]! },
        touched: (knowing.holidays ?? []).some(({ from }) => from >= day && from < day + horizon),
      }))
    })
  }
}

type Case = Record<'without' | 'known', ReturnType<typeof emptyScores>> & {
  at: number
  horizon: number
  touched: boolean
}

function show(title: string, cases: Case[]): void {
  for (const horizon of HORIZONS) {
    const those = cases.filter((each) => each.horizon === horizon)
    if (!those.length) continue
    const loss = (list: Case[], of: 'without' | 'known') =>
      list.reduce((sum, each) => sum + each[of].scaledLoss, 0)
    const without = loss(those, 'without')
    const ratio = loss(those, 'known') / without
    const bySeries = [...Map.groupBy(those, ({ at }) => at).values()]
    const squares = bySeries.map(
      (list) => (loss(list, 'known') - ratio * loss(list, 'without')) ** 2,
    )
    const error = Math.sqrt(squares.reduce((sum, each) => sum + each, 0)) / without
    const percent = (share: number) => (100 * share).toFixed(2)
    const covered = (of: 'without' | 'known') =>
      (those.reduce((sum, each) => sum + metricsOf(each[of])!.coverage, 0) / those.length).toFixed(
        3,
      )
    console.log(
      `${title}, ${horizon} days: ${those.length} cases, ${percent(ratio - 1)} ± ${percent(error)} % loss, coverage ${covered('without')} → ${covered('known')}`,
    )
  }
}
