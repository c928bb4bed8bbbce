import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { restock, restockHere } from './run.ts'
import { parseJson } from '../support/json.ts'

const PASTA = join(import.meta.dirname, '../../data/source/pasta_daily.csv.gz')
const PAST = ['--as-of', '2016-06-01', '--origins', '2']

interface Score {
  horizon_days: number
  forecast: string
  cases: number
  pinball_loss: number
  absolute_error: number
  coverage: number
  bias: number
}

interface ClassScore {
  class: string
  cases: number
}

let folder: string
/** On some thirty of its SKUs; a column that nobody reads makes the file large enough for threads to be worth their start. */
let few: string[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restock-backtest-'))
  const lines = gunzipSync(await readFile(PASTA))
    .toString()
    .split('\n')
  const path = join(folder, 'few.csv')
  const rows = lines.filter((line) => /^B[1-4]_[1-8],[^,]*,201[56]/.test(line))
  const long = rows.map((row) => `${row},${'x'.repeat(60)}`)
  await writeFile(path, [`${lines[0]},note`, ...long].join('\n'))
  expect((await stat(path)).size).toBeGreaterThan(1_000_000)
  few = ['backtest', '--history', path, ...PAST]
})
afterAll(() => rm(folder, { recursive: true }))

/** Four SKUs that sell on most of 200 days up to 2026-11-19; the company says 5 for every day. */
function ownHistory(baseline = '5'): string {
  const start = Date.UTC(2026, 4, 4)
  const rows = Array.from({ length: 200 }, (_, i) => {
    const date = new Date(start + i * 86_400_000).toISOString().slice(0, 10)
    const promo = i % 20 < 5
    return ['A', 'B', 'C', 'D'].map((sku, s) => {
      const quantity = (promo ? 3 : 1) * (2 + ((i * (s + 3)) % 5)) * (s === 3 && i % 4 ? 0 : 1)
      return `${sku},L,${date},${quantity},${promo ? 1 : 0},${i < 180 || s < 2 ? baseline : ''}`
    })
  })
  return ['sku,location,date,quantity,promo,baseline', ...rows.flat()].join('\n')
}

describe('backtest', () => {
  it('scores the forecasts against seasonal naive on the past of a file, and prints the same as a table, with any number of workers', async () => {
    const args = [...few, '--horizons', '7,28']
    const { code, stdout } = await restock([...args, '--json'])
    expect(code).toBe(0)
    const { origins, scores, worst } = parseJson<{
      origins: string[]
      scores: Score[]
      worst: { units_off: number; sku: string; cases: number }[]
    }>(stdout)
    expect(origins).toEqual(['2016-05-04', '2016-04-06'])
    expect(scores.map(({ horizon_days, forecast }) => `${forecast} ${horizon_days}`)).toEqual([
      'restock 7',
      'seasonal_naive 7',
      'restock 28',
      'seasonal_naive 28',
    ])
    for (const { cases, coverage, bias } of scores) {
      expect(cases).toBeGreaterThan(50)
      expect(coverage).toBeGreaterThan(0.6)
      expect(Math.abs(bias)).toBeLessThan(0.5)
    }
    expect(scores[0]!.pinball_loss).toBeLessThan(scores[1]!.pinball_loss)
    expect(scores[2]!.pinball_loss).toBeLessThan(scores[3]!.pinball_loss)

    // The twenty SKUs whose P50 was the most units off.
    expect(worst).toHaveLength(20)
    const off = worst.map(({ units_off }) => units_off)
    expect(off).toEqual(off.toSorted((a, b) => b - a))
    expect(worst[0]!.cases).toBe(4)

    const table = (await restock([...args, '--workers', '1'])).stdout
    expect(table).toMatch(/days +forecast +cases +loss/)
    expect(table).toMatch(/28 +seasonal naive +\d+ +0\.\d{4}/)
    expect(table).toMatch(
      new RegExp(`The 20 SKUs whose P50 was the most units off[^]*\\n${worst[0]!.sku} `),
    )
    expect((await restock([...args, '--workers', '2'])).stdout).toBe(table)
  })

  it('distinguishes smooth from intermittent demand, and compares with what was forecast then', async () => {
    const path = join(folder, 'own.csv')
    await writeFile(path, ownHistory())
    const args = ['backtest', '--history', path, '--horizons', '7,28', '--origins', '2']
    const { code, stdout } = await restockHere([...args, '--json'])
    expect(code).toBe(0)
    const { classes, baseline } = parseJson<{ classes: ClassScore[]; baseline: Score[] }>(stdout)
    const casesOf = (name: string) => classes.find((row) => row.class === name)!.cases
    expect(casesOf('smooth') + casesOf('erratic')).toBe(6)
    expect(casesOf('intermittent') + casesOf('lumpy')).toBe(2)
    expect(baseline.map((row) => [row.horizon_days, row.forecast, row.cases])).toEqual([
      [7, 'restock', 8],
      [7, 'baseline', 8],
      [28, 'restock', 6],
      [28, 'baseline', 6],
    ])
    for (const { absolute_error } of baseline) expect(absolute_error).toBeGreaterThan(0)
    expect((await restockHere(args)).stdout).toContain('Compared with the baseline of the file')
  })

  it('uses a plan of promotions where one is given', async () => {
    const path = join(folder, 'promoted.csv')
    await writeFile(path, ownHistory())
    const args = [
      'backtest',
      '--history',
      path,
      '--horizons',
      '7',
      '--origins',
      '3',
      '--step',
      '10',
    ]
    const lossOf = async (...more: string[]) =>
      parseJson<{ scores: [Score] }>((await restockHere([...args, ...more, '--json'])).stdout)
        .scores[0].pinball_loss
    expect(await lossOf('--plan', path)).toBeLessThan(0.9 * (await lossOf()))
  })

  it.each([
    ['week', 7, [1, 4, 12]],
    ['month', 30.5, [1, 2]],
  ])('scores demand that is booked by %s over whole ones', async (rhythm, length, horizons) => {
    const path = join(folder, `${rhythm}.csv`)
    const dayOf = (i: number) =>
      rhythm === 'week' ? new Date(Date.UTC(2024, 0, 1 + 7 * i)) : new Date(Date.UTC(2023, i, 1))
    const rows = Array.from({ length: Math.round(1000 / length) }, (_, i) =>
      ['A', 'B', 'C'].map(
        (sku, s) => `${sku},L,${dayOf(i).toISOString().slice(0, 10)},${50 + ((i * (s + 3)) % 17)}`,
      ),
    )
    await writeFile(path, ['sku,location,date,quantity', ...rows.flat()].join('\n'))
    const { stdout } = await restockHere([
      'backtest',
      '--history',
      path,
      '--origins',
      '2',
      '--json',
    ])
    const { scores, ...result } = parseJson<{ rhythm: string; scores: Record<string, number>[] }>(
      stdout,
    )
    expect(result.rhythm).toBe(rhythm)
    expect(scores.map((row) => row[`horizon_${rhythm}s`])).toEqual(
      horizons.flatMap((each) => [each, each]),
    )
    for (const { cases } of scores) expect(cases).toBe(6)
  })

  it('draws a chart that needs nothing else', async () => {
    const path = join(folder, 'drawn.csv')
    await writeFile(path, ownHistory().replaceAll('\nA,', '\nA<&>,'))
    for (const name of ['chart.html', 'chart.svg']) {
      const chart = join(folder, name)
      const args = ['backtest', '--history', path, '--horizons', '7', '--chart', chart]
      expect((await restockHere(args)).code).toBe(0)
      const drawn = await readFile(chart, 'utf8')
      expect(drawn).toMatch(name === 'chart.svg' ? /^<svg / : /^<!doctype html>[^]*<svg /)
      expect(drawn).toContain('A&lt;&amp;&gt; at L')
      expect(drawn).not.toMatch(/<script|href=|src=|NaN|undefined/)
    }
  })

  it.each([
    ['much', /^line 2: baseline "much" is no number/],
    ['-1', 'line 2: a negative baseline: -1\n'],
  ])('refuses a baseline of %s with its line', async (baseline, stderr) => {
    const path = join(folder, 'wrong.csv')
    await writeFile(path, ownHistory(baseline))
    expect(await restockHere(['backtest', '--history', path])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(stderr),
    })
  })

  it.each([
    ['--chart', 'chart.png'],
    ['--origins', '0'],
    ['--step', 'week'],
    ['--horizons', '100'],
  ])('is wrong usage with %s %s', async (flag, value) => {
    expect((await restockHere([...few, flag, value])).code).toBe(2)
  })

  it('says where a file cannot be read', async () => {
    const { code, stderr } = await restockHere(['backtest', '--history', 'nowhere.csv'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'nowhere.csv: no such file\n' })
  })
})
