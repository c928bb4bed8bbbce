// What the demo would have been worth: `npm start`, then `npx restock pilot src_1`, as the guide says.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Report } from '../../cli/pilot/figures.ts'
import type { Page, Source } from '../../client/types.ts'
import { restock } from '../cli/run.ts'
import { dayWith } from '../support/day.ts'
import { parseJson } from '../support/json.ts'
import { Service, until } from '../support/service.ts'

const WEEKS = 8

let service: Service
let folder: string

beforeAll(async () => {
  await dayWith(10)
  folder = await mkdtemp(path.join(tmpdir(), 'restock-pilot-'))
  service = await Service.inTemporaryFolder()
  // `start` may time out on a busy machine, so the first sync is awaited below.
  await service.start().catch(() => {})
  const api = await service.api()
  await until(async () => {
    const { data } = await api.get<Page<Source>>('/sources')
    return data.data[0]?.last_sync?.status === 'succeeded'
  }, 240)
}, 1_020_000)
afterAll(async () => {
  await service?.clean()
  await rm(folder, { recursive: true, force: true })
})

it('tells what the demo had and what it would have had', async () => {
  const api = await service.api()
  const key = String(api.defaults.headers.Authorization).replace('Bearer ', '')
  const page = path.join(folder, 'pilot.html')
  const { code, stdout, stderr } = await restock(
    ['pilot', 'src_1', '--weeks', String(WEEKS), '--page', page, '--json'],
    { env: { RESTOCK_URL: `${service.url}/v1`, RESTOCK_API_KEY: key } },
  )
  if (code !== 0) throw new Error(stderr)
  const report = parseJson<Report>(stdout)
  const { known, replayed, left } = report.pairsOf
  expect(known).toBe(6650)
  expect(replayed).toBeGreaterThan(0.85 * known)
  // Blocked on purpose: without a lead time, without a stock.
  expect(left.no_lead_time).toBeGreaterThan(100)
  expect(left.no_stock).toBeGreaterThan(30)
  const { fillRate, lines, orders, stockValue } = report.all
  expect(fillRate.own.value).toBeGreaterThan(0.75)
  expect(fillRate.own.value).toBeLessThan(0.97)
  expect(fillRate.restock.value).toBeGreaterThan(fillRate.own.value)
  expect(lines.own.value / WEEKS).toBeGreaterThan(500)
  // Eight suppliers, three locations, an order a week at most.
  expect(orders.own.value / WEEKS).toBeLessThanOrEqual(24)
  expect(stockValue.own.value).toBeGreaterThan(0)
  expect(await readFile(page, 'utf8')).toContain('What bounds this')
}, 900_000)
