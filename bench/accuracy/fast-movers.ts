// node bench/accuracy/fast-movers.ts [set]…: the loss of what is ordered by where a unit short costs five times one left over.
import {
  demandBetween,
  demandDistribution,
  type DemandHistory,
  forecastPair,
  quantileOf,
} from '../../engine/index.ts'
import { loadHistories, originOf, SETS } from './sets.ts'
import { weekly } from './synthetic.ts'

const LEVEL = 5 / 6
const HORIZONS = [7, 21, 28, 90]
const YEAR = 364
const KINDS = ['fast', 'middle', 'slow'] as const
const FEWEST_SALES = 3

interface World {
  load(): Promise<DemandHistory[]>
  /** Days between two origins. */
  every: number
  origins: number
  /** Days between the first sale and an origin, at least. */
  known: number
}

const WORLDS: Record<string, World> = {
  pasta: { every: 56, origins: 8, known: 180, load: () => loadHistories(SETS[0]!) },
  retail: {
    ...{ every: 28, origins: 7, known: 90 },
    load: async () => (await loadHistories(SETS[1]!)).filter((_, i) => i % 4 === 0),
  },
}

interface Case {
  speed: number
  losses: number[]
}

/** Those that are known for long enough, fastest first. */
function casesAt(
  daily: readonly DemandHistory[],
  booked: DemandHistory[],
  day: number,
  known: number,
) {
  const { context, calibration } = originOf(booked, day)
  const cases = daily.flatMap((history, i): Case[] => {
    const sales = history.days.filter((each, at) => each < day && history.quantities[at]! > 0)
    if (sales.length < FEWEST_SALES || sales[0]! > day - known) return []
    const model = forecastPair(booked[i]!, day, context, calibration)
    const losses = HORIZONS.map((days) => {
      const ordered = Math.round(quantileOf(demandDistribution(model, days), LEVEL))
      const error = demandBetween(history, day, day + days) - ordered
      return Math.max(LEVEL * error, (LEVEL - 1) * error)
    })
    return [{ speed: demandBetween(history, day - YEAR, day), losses }]
  })
  return cases.toSorted((a, b) => b.speed - a.speed)
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, each) => sum + each, 0) / values.length

const only = process.argv.slice(2)
console.log(
  `| set, booked | SKUs | units a day | ${HORIZONS.map((days) => `${days} days`).join(' | ')} |`,
)
console.log(`|${' --- |'.repeat(HORIZONS.length + 3)}`)
for (const [name, { load, every, origins, known }] of Object.entries(WORLDS)) {
  if (only.length && !only.includes(name)) continue
  const daily = await load()
  const end = daily.reduce((latest, { days }) => Math.max(latest, days.at(-1)! + 1), 0)
  for (const [rhythm, booked] of Object.entries({ day: daily, week: daily.map(weekly) })) {
    const thirds = KINDS.map((): Case[] => [])
    for (let i = 0; i < origins; i++) {
      const cases = casesAt(daily, booked, end - HORIZONS.at(-1)! - i * every, known)
      cases.forEach((each, rank) => thirds[Math.floor((3 * rank) / cases.length)]!.push(each))
    }
    thirds.forEach((cases, kind) => {
      const cells = HORIZONS.map((_, h) => mean(cases.map(({ losses }) => losses[h]!)).toFixed(4))
      const speed = (mean(cases.map((each) => each.speed)) / YEAR).toFixed(2)
      console.log(`| ${[`${name}, by ${rhythm}`, KINDS[kind], speed, ...cells].join(' | ')} |`)
    })
  }
}
