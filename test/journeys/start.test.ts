import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Report } from '../../cli/pilot/figures.ts'
import { restock } from '../cli/run.ts'
import { dayWith } from '../support/day.ts'
import { parseJson } from '../support/json.ts'
import { SERVE, Service, until } from '../support/service.ts'
import type { Page, Proposal, Source, Sync } from '../../client/types.ts'

const WEEKS = 8

const services: Service[] = []
const newService = async () => {
  const service = await Service.inTemporaryFolder()
  services.push(service)
  return service
}

beforeAll(() => dayWith(10), 660_000)
afterAll(async () => {
  for (const service of services) await service.clean()
})

const synced = async (service: Service) => {
  const api = await service.api()
  await until(async () => {
    const { data } = await api.get<Page<Source>>('/sources')
    return data.data[0]?.last_sync?.status === 'succeeded'
  }, 240)
}

/** The stored state as a user sees it, without times and generated numbers. */
function stateOf({ database }: Service) {
  const db = new DatabaseSync(database, { readOnly: true })
  const all = (sql: string) => JSON.stringify(db.prepare(sql).all())
  const state = {
    demand:
      all(`SELECT s.sku, s.location, count(*) n, sum(d.quantity) q, min(d.date) a, max(d.date) z
      FROM restock_DemandRows d JOIN restock_Series s ON s.ID = d.series GROUP BY 1, 2 ORDER BY 1, 2`),
    stock: all('SELECT sku, location, onHand FROM restock_CurrentStock ORDER BY 1, 2'),
    orders: all('SELECT document, line, quantity FROM restock_CurrentOpenOrders ORDER BY 1, 2'),
    leftovers: all('SELECT count(DISTINCT generation) n FROM restock_Stock'),
    forecasts: all(`SELECT s.sku, s.location, f.asOf, f.model FROM restock_Forecasts f
      JOIN restock_Series s ON s.ID = f.series ORDER BY 1, 2`),
    proposals: all(`SELECT sku, location, supplier, quantity, status, rationale
      FROM restock_Proposals WHERE status = 'pending' ORDER BY 1, 2, 3`),
    blocked: all('SELECT sku, location, missing FROM restock_BlockedPairs ORDER BY 1, 2, 3'),
  }
  db.close()
  return state
}

describe('the first start', () => {
  it('ends with proposals from real demand', async () => {
    const service = await newService()
    await service.start({}, SERVE)
    expect(service.log.trim().split('\n').length).toBeLessThanOrEqual(10)
    expect(service.log).toContain(`Restock serves at ${service.url}`)
    expect(service.log).toContain('sign in as viewer, buyer, approver, admin, auditor:')
    expect(service.log).not.toMatch(/init from|serving/)
    await synced(service)
    const api = await service.api()
    const { data } = await api.get<Page<Proposal>>('/proposals?status=pending&limit=200')
    expect(data.data.length).toBeGreaterThan(30)
    expect(data.data.some(({ calculation }) => calculation.moq > 1)).toBe(true)
    for (const { calculation, quantity } of data.data) {
      const { target_stock, on_hand, on_order, open_proposals, moq, lot_size } = calculation
      const net = Math.max(0, target_stock - on_hand - on_order - open_proposals)
      expect(calculation.net_requirement).toBe(net)
      expect(quantity).toBe(Math.ceil(Math.max(net, moq) / lot_size) * lot_size)
    }
  }, 900_000)

  it('has what `npx restock pilot src_1` tells: what the demo had, and what it would have had', async () => {
    const [{ url, keyFile }] = services as [Service]
    const page = path.join(await mkdtemp(path.join(tmpdir(), 'restock-pilot-')), 'pilot.html')
    const { code, stdout, stderr } = await restock(
      ['pilot', 'src_1', '--weeks', String(WEEKS), '--page', page, '--json'],
      {
        env: {
          RESTOCK_URL: `${url}/v1`,
          RESTOCK_API_KEY: (await readFile(keyFile, 'utf8')).trim(),
        },
      },
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
    await rm(path.dirname(page), { recursive: true })
  }, 900_000)

  it('is kept by the second one', async () => {
    const [service] = services as [Service]
    const before = stateOf(service)
    expect(await service.stop()).toBe(0)
    await service.start({}, ['npm', 'start'])
    const { data: sources } = await (await service.api()).get<Page<Source>>('/sources')
    expect(sources.data).toHaveLength(1)
    expect(await service.stop()).toBe(0)
    await expect(fetch(`${service.url}/health`)).rejects.toThrow()
    expect(stateOf(service)).toEqual(before)
  })

  it('says 1 where the port is taken or there is no database', async () => {
    const other = createServer().listen(0)
    await once(other, 'listening')
    const taken = { PORT: String((other.address() as AddressInfo).port) }
    for (const env of [taken, { CDS_REQUIRES_DB_CREDENTIALS_URL: '/dev/null/x.sqlite' }]) {
      const service = await newService()
      expect(await service.fail(env)).toBe(1)
      expect(service.log).toContain('the service cannot start')
    }
    other.close()
  })

  it.each([
    [{ RESTOCK_DEFAULT_HORIZON_DAYS: 'x' }, 'RESTOCK_DEFAULT_HORIZON_DAYS is "x", but must be a'],
    [{ CDS_RESTOCK_HORIZON: '9' }, 'cds.restock.horizon is 9, but there is no such setting'],
  ])('says 1 and what is wrong where a setting is malformed or unknown: %j', async (env, why) => {
    const service = await newService()
    expect(await service.fail(env)).toBe(1)
    expect(service.log).toContain(why)
    expect(service.log).not.toMatch(/\n\s+at /)
  })

  it('reaches the same state after it was killed in the middle, again and again', async () => {
    const [whole] = services as [Service]
    const service = await newService()
    for (const phase of ['reading', 'reading', 'forecasting', 'proposing']) {
      await service.start()
      const api = await service.api()
      await until(async () => {
        const { data } = await api.get<Sync>('/syncs/sync_1')
        return data.phase?.startsWith(phase) || data.status === 'succeeded'
      }, 120)
      await service.stop('SIGKILL')
    }
    await service.start()
    await synced(service)
    await service.stop()
    expect(stateOf(service)).toEqual(stateOf(whole))
  }, 600_000)
})
