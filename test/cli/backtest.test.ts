import { join } from 'node:path'
import { restock } from './run.ts'

const PASTA = join(import.meta.dirname, '../../data/source/pasta_daily.csv.gz')
const ARGS = ['backtest', '--history', PASTA, '--as-of', '2016-06-01', '--origins', '2']

interface Score {
  horizon_days: number
  forecast: string
  cases: number
  pinball_loss: number
  coverage: number
  bias: number
}

describe('backtest', () => {
  it('scores the forecasts against seasonal naive on the past of a file', async () => {
    const { code, stdout } = await restock([...ARGS, '--horizons', '7,28', '--json'])
    expect(code).toBe(0)
    const { origins, scores } = JSON.parse(stdout) as { origins: string[]; scores: Score[] }
    expect(origins).toEqual(['2016-05-04', '2016-04-06'])
    expect(scores.map(({ horizon_days, forecast }) => `${forecast} ${horizon_days}`)).toEqual([
      'restock 7',
      'seasonal_naive 7',
      'restock 28',
      'seasonal_naive 28',
    ])
    for (const { cases, coverage, bias } of scores) {
      expect(cases).toBeGreaterThan(200)
      expect(coverage).toBeGreaterThan(0.6)
      expect(Math.abs(bias)).toBeLessThan(0.5)
    }
    expect(scores[0]!.pinball_loss).toBeLessThan(scores[1]!.pinball_loss)
    expect(scores[2]!.pinball_loss).toBeLessThan(scores[3]!.pinball_loss)
  })

  it('prints a table, the same with any number of workers', async () => {
    const { code, stdout } = await restock([...ARGS, '--workers', '1'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/days +forecast +cases +loss/)
    expect(stdout).toMatch(/90 +seasonal naive +\d+ +0\.\d{4}/)
    expect((await restock([...ARGS, '--workers', '2'])).stdout).toBe(stdout)
  })

  it.each([
    ['--origins', '0'],
    ['--step', 'week'],
    ['--horizons', '100'],
  ])('is wrong usage with %s %s', async (flag, value) => {
    expect((await restock([...ARGS, flag, value])).code).toBe(2)
  })

  it('says where a file cannot be read', async () => {
    const { code, stderr } = await restock(['backtest', '--history', 'nowhere.csv'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'nowhere.csv: no such file\n' })
  })
})
