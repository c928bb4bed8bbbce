// node bench/accuracy/by-chance.ts: how many series that have neither a season nor a day of every year or month are taken for such.
import { writeSeasonalItem } from '../../engine/forecast/seasonal-item.ts'
import { recurringDays } from '../../engine/series/recurring-days.ts'
import { yearlyDays } from '../../engine/series/yearly-days.ts'
import { poisson, randomOf } from './synthetic.ts'

const DAYS = 730
const SERIES = 2_000
const END = 20_000

const random = randomOf(3)
const between = (from: number, to: number) => from + random() * (to - from)
const make = (units: (day: number) => number) =>
  Float64Array.from({ length: DAYS }, (_, at) => units(at))

/** Days in which something goes on, each time for so many days. */
function spells(pause: () => number, length: () => number): Set<number> {
  const days = new Set<number>()
  for (let at = pause(); at < DAYS; at += pause())
    for (const end = at + length(); at < end; at++) days.add(Math.floor(at))
  return days
}

const KINDS: Record<string, () => Float64Array> = {
  slow() {
    const share = between(0.01, 0.11)
    return make(() => (random() < share ? 1 + Math.floor(random() * 3) : 0))
  },
  lumpy() {
    const share = between(0.005, 0.055)
    return make(() => (random() < share ? Math.ceil(Math.exp(random() * 4)) : 0))
  },
  'in bursts'() {
    const days = spells(
      () => between(20, 220),
      () => between(7, 47),
    )
    return make((day) => (days.has(day) ? poisson(3, random) : 0))
  },
  fast: () => make(() => poisson(5, random)),
  'with promotions that are not told'() {
    const days = spells(
      () => between(30, 150),
      () => 14,
    )
    return make((day) => poisson(days.has(day) ? 10 : 1, random))
  },
  'once a quarter'() {
    const first = Math.floor(random() * 91)
    return make((day) => (day % 91 === first ? 50 : 0))
  },
  'a random walk'() {
    let level = 2
    return make(() => {
      level = Math.min(50, level * Math.exp(0.05 * (random() + random() + random() - 1.5)))
      return poisson(level, random)
    })
  },
}

for (const [name, kind] of Object.entries(KINDS)) {
  let [seasons, days, months] = [0, 0, 0]
  for (let i = 0; i < SERIES; i++) {
    const end = END + (i % 365)
    const values = kind()
    const history = { values, stepDays: 1, end, asOf: end, known: 900, most: DAYS }
    const forecast = { stepCounts: [28], quantiles: new Float64Array(3), amounts: { level: [0] } }
    if (writeSeasonalItem(history, forecast) !== null) seasons++
    if (yearlyDays({ values, end }, end).length) days++
    if (recurringDays({ values, end }, end)) months++
  }
  const share = (count: number) => `${((100 * count) / SERIES).toFixed(2)} %`
  console.log(`| ${[name, share(seasons), share(days), share(months)].join(' | ')} |`)
}
