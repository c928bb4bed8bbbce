// node bench/inventory/chance.ts [set]…: the chance of a stockout that is told, against how often there was one.
import type { DemandHistory, EpochDay } from '../../engine/index.ts'
import { loadHistories, SETS } from '../accuracy/sets.ts'
import {
  grocery,
  makeHistories,
  monthly,
  seasonalGrocery,
  spareParts,
  thinOut,
  weekly,
} from '../accuracy/synthetic.ts'
import { type Case, casesFrom, HORIZONS, toldChance, widened } from './chances.ts'

interface World {
  name: string
  load(): Promise<DemandHistory[]>
  book(history: DemandHistory): DemandHistory
  every: number
  origins: number
  known: number
}

const asSold = (history: DemandHistory) => history
const PASTA = { every: 56, origins: 8, known: 180, load: () => loadHistories(SETS[0]!) }
const RETAIL = {
  ...{ every: 28, origins: 7, known: 90 },
  load: async () => (await loadHistories(SETS[1]!)).filter((_, i) => i % 4 === 0),
}
const MADE_UP = { every: 91, origins: 4, known: 180, book: asSold }
const thinned = (one: number) => async () =>
  (await loadHistories(SETS[0]!)).map((history) => thinOut(history, one))

const WORLDS: World[] = [
  { ...PASTA, name: 'pasta, by day', book: asSold },
  { ...PASTA, name: 'pasta, by week', book: weekly },
  { ...PASTA, name: 'pasta, by month', book: monthly },
  { ...RETAIL, name: 'retail, by day', book: asSold },
  { ...RETAIL, name: 'retail, by week', book: weekly },
  { ...RETAIL, name: 'retail, by month', book: monthly },
  { ...MADE_UP, name: 'every tenth unit of pasta', load: thinned(10) },
  { ...MADE_UP, name: 'every fiftieth unit of pasta', load: thinned(50) },
  { ...MADE_UP, name: 'spare parts', load: async () => makeHistories(250, spareParts) },
  { ...MADE_UP, name: 'grocery', load: async () => makeHistories(60, grocery) },
  { ...MADE_UP, name: 'one season', load: async () => makeHistories(60, seasonalGrocery) },
]

const BINS = 10
/** What costs make of the shipped rules lies mostly there. */
const DECIDES = [0.02, 0.15] as const
/** Units a day of late, from which on a pair is of the next kind. */
const SPEEDS = [0, 0.05, 0.5, 5]
const WIDTHS = [0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2]

interface Chance {
  origin: EpochDay
  told: number
  came: boolean
}

const chancesOf = ({ distribution, demand, origin }: Case, stocks: number[], width = 1) =>
  stocks.map((stock): Chance => {
    const forecast = width === 1 ? distribution : widened(distribution, width)
    return { origin, told: toldChance(forecast, stock), came: demand > stock }
  })

const atStocks = (cases: readonly Case[], width = 1) =>
  cases.flatMap((one) => chancesOf(one, one.stocks, width))
const atProposed = (cases: readonly Case[]) =>
  cases.flatMap((one) => chancesOf(one, [one.proposed]))
const deciding = (chances: readonly Chance[]) =>
  chances.filter(({ told }) => told >= DECIDES[0] && told < DECIDES[1])
const inBin = (chances: readonly Chance[], bin: number) =>
  chances.filter(({ told }) => Math.min(BINS - 1, Math.floor(BINS * told)) === bin)

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
const toldOf = (chances: readonly Chance[]) => mean(chances.map(({ told }) => told))
const cameOf = (chances: readonly Chance[]) => mean(chances.map(({ came }) => Number(came)))
const missOf = (chances: readonly Chance[]) => cameOf(chances) - toldOf(chances)

/** Of the difference: all pairs of an origin have the same weeks before them, so origins are what is independent. */
function errorOf(chances: readonly Chance[]): number {
  const miss = missOf(chances)
  const origins = [...Map.groupBy(chances, ({ origin }) => origin).values()]
  const squares = origins.map((of) => (of.length * (missOf(of) - miss)) ** 2)
  const few = origins.length / Math.max(1, origins.length - 1)
  return Math.sqrt(few * squares.reduce((a, b) => a + b, 0)) / chances.length
}

function gapOf(chances: readonly Chance[]): number {
  const bins = Array.from({ length: BINS }, (_, bin) => inBin(chances, bin))
  return mean(bins.filter(({ length }) => length).map((bin) => Math.abs(missOf(bin))))
}

const digits = (value: number) => value.toFixed(3).replace(/^(-?)0/, '$1')
const cell = (chances: readonly Chance[]) =>
  chances.length
    ? `${digits(toldOf(chances))} > ${digits(cameOf(chances))} ± ${digits(errorOf(chances))}`
    : '–'
const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
function head(...cells: string[]) {
  console.log()
  row(...cells)
  row(...cells.map(() => '---'))
}

async function casesOf({ load, book, every, origins, known }: World): Promise<Case[]> {
  const daily = await load()
  const end = daily.reduce((latest, { days }) => Math.max(latest, days.at(-1)! + 1), 0)
  const books = { daily, booked: daily.map(book), known }
  const days = Array.from({ length: origins }, (_, i) => end - HORIZONS.at(-1)! - i * every)
  return days.flatMap((day) => casesFrom(books, day))
}

const only = process.argv.slice(2)
const found: { name: string; cases: Case[] }[] = []
for (const world of WORLDS)
  if (!only.length || only.some((part) => world.name.includes(part)))
    found.push({ name: world.name, cases: await casesOf(world) })

const over = (cases: readonly Case[], days: number) =>
  cases.filter(({ horizon }) => horizon === days)

head('told > came', 'days', 'chances', 'all', 'mean gap', '.02 to .15', 'at what is proposed')
for (const { name, cases } of found)
  for (const days of HORIZONS) {
    const chances = atStocks(over(cases, days))
    const [all, decides] = [cell(chances), cell(deciding(chances))]
    const proposed = cell(atProposed(over(cases, days)))
    row(name, days, chances.length, all, digits(gapOf(chances)), decides, proposed)
  }

head('in ten bins', 'days', ...Array.from({ length: BINS }, (_, bin) => `.${bin}–`))
for (const { name, cases } of found)
  for (const days of HORIZONS) {
    const chances = atStocks(over(cases, days))
    const bins = Array.from({ length: BINS }, (_, bin) => inBin(chances, bin))
    const cells = bins.map((bin) =>
      bin.length ? `${digits(toldOf(bin))} > ${digits(cameOf(bin))}` : '–',
    )
    row(name, days, ...cells)
  }

head('by units a day', 'days', 'units a day', 'chances', 'all', '.02 to .15', 'at what is proposed')
for (const { name, cases } of found)
  for (const days of HORIZONS)
    SPEEDS.forEach((from, i) => {
      const to = SPEEDS[i + 1] ?? Infinity
      const own = over(cases, days).filter(({ speed }) => speed >= from && speed < to)
      const chances = atStocks(own)
      if (!chances.length) return
      const kind = to < Infinity ? `${from}–${to}` : `${from} and more`
      row(
        name,
        days,
        kind,
        chances.length,
        cell(chances),
        cell(deciding(chances)),
        cell(atProposed(own)),
      )
    })

/** By how much what decides is off, for each width. */
const missesBy = (cases: readonly Case[]) =>
  WIDTHS.map((width) => missOf(deciding(atStocks(cases, width))))
const least = (misses: readonly number[]) =>
  misses.reduce((best, miss, i) => (Math.abs(miss) < Math.abs(misses[best]!) ? i : best), 0)

head('one width', 'days', 'off by', 'right in hindsight', 'right on all others', 'off by then')
for (const days of HORIZONS) {
  const misses = found.map(({ cases }) => missesBy(over(cases, days)))
  found.forEach(({ name }, i) => {
    const others = misses.filter((_, j) => setOf(found[j]!.name) !== setOf(name))
    const together = WIDTHS.map((_, w) => mean(others.map((each) => each[w]!)))
    const [own, theirs] = [least(misses[i]!), least(together)]
    if (!others.length) return
    const now = digits(misses[i]![WIDTHS.indexOf(1)]!)
    row(name, days, now, WIDTHS[own]!, WIDTHS[theirs]!, digits(misses[i]![theirs]!))
  })
}

/** What is made of one set is no other one. */
function setOf(name: string): string {
  return ['pasta', 'retail'].find((set) => name.includes(set)) ?? name
}
