// node bench/accuracy/tenants.ts [seasons|successors|launches] [tenants]: made-up tenants, each with a truth to be found.
import { demandBetween } from '../../engine/forecast/backtest.ts'
import {
  calibrate,
  calibrationSample,
  contextsOf,
  forecastPair,
  type ForecastModel,
  mergeHistories,
  predictDemand,
} from '../../engine/index.ts'
import { FLAT, type Kind, launch, type MadeUp, makeTenant, ORIGIN, season } from './made-up.ts'

const HORIZONS = [7, 28, 90]
const [what, tenants = '10'] = process.argv.slice(2)
const SEEDS = Array.from({ length: Number(tenants) }, (_, i) => i + 1)

/** What a tenant learns from its rows before the origin, as `predict` and the service do. */
function learn(tenant: readonly MadeUp[]) {
  const contexts = contextsOf(tenant, ORIGIN)
  const sample = calibrationSample(tenant, ({ history }) => history, ORIGIN)
  const calibration = calibrate(
    sample.map(({ history, location }) => ({ history, context: contexts.get(location)! })),
    ORIGIN,
  )
  return ({ history, location }: MadeUp): ForecastModel =>
    forecastPair(history, ORIGIN, contexts.get(location)!, calibration)
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const errorOf = (values: number[]) => {
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  return Math.sqrt(squares / Math.max(1, values.length - 1) / values.length)
}
const percent = (values: number[]) =>
  `${(100 * mean(values)).toFixed(1)} ± ${(100 * errorOf(values)).toFixed(1)}`
const row = (...cells: string[]) => console.log(`| ${cells.join(' | ')} |`)
const head = (...cells: string[]) => {
  row(...cells)
  row(...cells.map(() => '---'))
}

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0)

/** How far the sum of a group's P50s is off what came. */
function offBy(
  group: readonly MadeUp[],
  forecast: (one: MadeUp) => ForecastModel,
  horizon: number,
) {
  const models = group.map(forecast)
  const said = sumOf(models.map((model) => predictDemand(model, horizon).p50))
  const came = sumOf(group.map(({ history }) => demandBetween(history, ORIGIN, ORIGIN + horizon)))
  return said / came - 1
}

const OLD = (years: number) => () => 365 * years
/** A quarter before its highest, a quarter after: demand over 90 days is then farthest from that of the last ones. */
const [RISES, FALLS] = [ORIGIN + 91, ORIGIN - 91]

function seasons() {
  head(
    'two groups with opposite seasons',
    'SKUs each',
    'rising, 28 days',
    '90 days',
    'falling, 28 days',
    '90 days',
    'worst at 90',
  )
  for (const [name, locations] of [
    ['a location each', ['L1', 'L2']],
    ['one location', ['L1', 'L1']],
  ] as const)
    for (const years of [2, 3])
      for (const [count, level] of [
        [100, 2],
        [20, 2],
        [100, 0.1],
      ] as const) {
        const usual = { count, level, begins: OLD(years) }
        const kinds: Kind[] = [
          { ...usual, group: 'rising', location: locations[0], shape: season(0.4, RISES) },
          { ...usual, group: 'falling', location: locations[1], shape: season(0.4, FALLS) },
        ]
        const off = SEEDS.map((seed) => {
          const tenant = makeTenant(kinds, seed)
          const forecast = learn(tenant)
          return ['rising', 'falling'].flatMap((group) =>
            [28, 90].map((horizon) =>
              offBy(
                tenant.filter((one) => one.group === group),
                forecast,
                horizon,
              ),
            ),
          )
        })
        const cell = (i: number) => percent(off.map((each) => each[i]!))
        const worst = Math.max(...off.flatMap((each) => [Math.abs(each[1]!), Math.abs(each[3]!)]))
        row(
          `${name}, ${years} years, ${level}–${20 * level} a day`,
          String(count),
          cell(0),
          cell(1),
          cell(2),
          cell(3),
          `${(100 * worst).toFixed(1)} %`,
        )
      }
}

/** The predecessor's demand up to a day, and the successor's from then on, over some weeks both. */
function split(one: MadeUp, on: number, weeks: number): [MadeUp, MadeUp] {
  const { days, quantities } = one.history
  const share = (day: number) =>
    Math.min(1, Math.max(0, (day - on + 7 * weeks + 1) / (7 * weeks + 1)))
  const later = quantities.map((units, i) => Math.round(units * share(days[i]!)))
  const part = (of: Float64Array) => ({
    days: days.filter((_, i) => of[i]! > 0),
    quantities: of.filter((units) => units > 0),
  })
  const old = part(quantities.map((units, i) => units - later[i]!))
  const young = part(later)
  return [
    { ...one, history: old },
    { ...one, sku: `${one.sku}+`, history: young, from: young.days[0] ?? Infinity },
  ]
}

function successors() {
  head('successor over predecessor, P50', '7 days', '28 days', '90 days', 'within 10 % at 90')
  for (const [name, ago, weeks] of [
    ['took over 10 days ago', 10, 0],
    ['took over 60 days ago', 60, 0],
    ['took over by and by in the last six weeks', 0, 6],
    ['takes over in 30 days', -30, 0],
  ] as const) {
    const shares: number[][] = []
    for (const seed of SEEDS) {
      const kind = {
        count: 100,
        level: 2,
        begins: OLD(2),
        location: 'L1',
        group: '',
        shape: season(0.3, RISES),
      }
      const tenant = makeTenant([kind], seed)
      const before = learn(tenant)
      const pairs = tenant.slice(0, 20).map((one) => split(one, ORIGIN - ago, weeks))
      const after = learn([
        ...tenant.slice(20),
        ...pairs.flat().filter(({ from }) => from < ORIGIN),
      ])
      pairs.forEach(([old, young], i) => {
        const history = mergeHistories(young.history, [old.history], ORIGIN - ago)
        const [theirs, own] = [before(tenant[i]!), after({ ...young, history })]
        shares.push(
          HORIZONS.map(
            (horizon) => predictDemand(own, horizon).p50 / predictDemand(theirs, horizon).p50 - 1,
          ),
        )
      })
    }
    const within = shares.map((each) => (Math.abs(each[2]!) <= 0.1 ? 1 : 0))
    row(name, ...HORIZONS.map((_, i) => percent(shares.map((each) => each[i]!))), percent(within))
  }
}

const AGES = [
  [1, 7],
  [8, 27],
  [28, 55],
  [56, 90],
] as const

function launches() {
  head(
    ...['launches', 'days old', 'coverage, 7 days', '28 days', '90 days'],
    ...['above P90', 'P50s over demand, 90 days'],
  )
  for (const [name, shape] of [
    ['sells as it will from the first day on', FLAT],
    ['from 30 % up within ten weeks', launch(0.3, 70)],
    ['three times as much at first, within six weeks', launch(3, 42)],
  ] as const) {
    const tenants = SEEDS.map((seed) => {
      const tenant = makeTenant(launching(shape), seed)
      return { tenant, forecast: learn(tenant) }
    })
    AGES.forEach(([youngest, oldest], age) => {
      const cells = tenants.map(({ tenant, forecast }) => {
        const young = tenant.filter((one) => one.group === `new ${age}` && one.from < ORIGIN)
        const models = young.map(forecast)
        const shareOf = (isSo: (demand: number, said: { p10: number; p90: number }) => boolean) =>
          HORIZONS.map((horizon) =>
            mean(
              young.map(({ history }, i) => {
                const demand = demandBetween(history, ORIGIN, ORIGIN + horizon)
                return isSo(demand, predictDemand(models[i]!, horizon)) ? 1 : 0
              }),
            ),
          )
        const covered = shareOf((demand, { p10, p90 }) => demand >= p10 && demand <= p90)
        const above = shareOf((demand, { p90 }) => demand > p90)
        return { covered, above, off: 1 + offBy(young, forecast, 90) }
      })
      row(
        ...[name, `${youngest}–${oldest}`],
        ...HORIZONS.map((_, h) => percent(cells.map(({ covered }) => covered[h]!))),
        HORIZONS.map((_, h) => percent(cells.map(({ above }) => above[h]!))).join(' / '),
        percent(cells.map(({ off }) => off)),
      )
    })
  }
}

function launching(shape: Kind['shape']): Kind[] {
  const usual = { location: 'L1', level: 0.5, shape }
  return [
    { ...usual, group: 'old', count: 60, begins: OLD(3) },
    { ...usual, group: 'before', count: 60, begins: (random) => 110 + 700 * random },
    ...AGES.map(([youngest, oldest], age) => ({
      ...{ ...usual, group: `new ${age}`, count: 40 },
      begins: (random: number) => youngest + (oldest - youngest) * random,
    })),
  ]
}

const PARTS = { seasons, successors, launches }
for (const [name, show] of Object.entries(PARTS))
  if (!what || what === name) {
    console.log(`\n${name}, ${SEEDS.length} tenants\n`)
    show()
  }
