// A PostgreSQL that goes away, in each way that can be had here, from a service in a process of its own.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kind, Postgres } from '../../bench/outages/postgres.ts'
import { freePort } from '../support/free-port.ts'
import { Instance } from '../support/instance.ts'
import { until } from '../support/service.ts'

const postgres = new Postgres({ hasDisk: false })
let instance: Instance
let metricsPort: number

beforeAll(async () => {
  await postgres.start()
  const { credentials } = postgres
  const db = { kind: 'postgres', model: null, impl: '@cap-js/postgres', credentials }
  const schedules = { full: 'off', incremental: 'off', housekeeping: 'off' }
  process.env.CDS_CONFIG = JSON.stringify({ requires: { db }, restock: { schedules } })
  const RESTOCK_METRICS_PORT = String((metricsPort = await freePort()))
  const env = { RESTOCK_DATABASE_STATEMENT_SECONDS: '2', RESTOCK_METRICS_PORT }
  instance = await Instance.start({ env })
})

afterAll(async () => {
  await instance.end('SIGKILL')
  postgres.stop()
})

const basicOf = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`

/** A call of each door, as somebody who may. */
async function callDoors() {
  const bearer = `Bearer ${await instance.key()}`
  const doors = [
    ['/v1/forecasts?sku=A&location=L1', bearer],
    ['/v1/proposals', bearer],
    ['/odata/v4/buyer/Proposals', basicOf('buyer')],
    ['/odata/v2/TASKPROCESSING/TaskCollection', basicOf('buyer')],
    ['/odata/v4/admin/Sources', basicOf('admin')],
  ] as const
  return Promise.all(
    doors.map(async ([path, Authorization]) => {
      const { status, headers } = await fetch(instance.url + path, { headers: { Authorization } })
      return [path, status, headers.has('retry-after')] as const
    }),
  )
}

const statusOf = async (path: string) => (await fetch(instance.url + path)).status
/** What a scrape says of the database, and of proposals, which are counted there. */
async function scrape() {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const isUp = /^restock_database_up (\d)$/m.exec(text)?.[1]
  return { isUp, hasFigures: /^restock_proposals\{/m.test(text) }
}

const isBack = async () => (await statusOf('/health/ready')) === 200
const answersNo500 = async () => (await callDoors()).every(([, status]) => status < 500)

it.each<Kind>(['stopped', 'crashed', 'frozen', 'full of clients'])(
  'that is %s is told at every door with Retry-After, and is used again once it is back',
  async (kind) => {
    await until(answersNo500)
    await postgres.goAway(kind)
    try {
      for (const [path, status, hasRetryAfter] of await callDoors()) {
        expect([path, status, hasRetryAfter]).toEqual([path, 503, true])
      }
      for (const path of ['/health', '/health/ready']) expect(await statusOf(path)).toBe(503)
      expect(await statusOf('/health/live')).toBe(200)
      // While it is known that it is away nobody waits.
      const began = performance.now()
      await callDoors()
      expect(performance.now() - began).toBeLessThan(3_000)
      const scrapeBegan = performance.now()
      expect(await scrape()).toEqual({ isUp: '0', hasFigures: false })
      expect(performance.now() - scrapeBegan).toBeLessThan(2_500)
    } finally {
      await postgres.comeBack(kind)
    }
    await until(isBack)
    await until(answersNo500)
    expect(await scrape()).toEqual({ isUp: '1', hasFigures: true })
    const told = instance.log.match(/the database is away/g)?.length
    expect(told).toBeGreaterThan(0)
  },
)

it('lets a statement that takes too long go no further, and says so', async () => {
  const lock = await postgres.hold('LOCK TABLE restock_proposals IN ACCESS EXCLUSIVE MODE')
  const { status, json } = await instance.call('GET', '/proposals')
  await lock.release()
  expect(status).toBe(503)
  expect(json).toMatchObject({ error: { message: expect.stringContaining('too long') as string } })
  await until(answersNo500)
})

it('does not keep a service from ending', async () => {
  await postgres.goAway('stopped')
  await until(async () => (await statusOf('/health')) === 503)
  const ended = instance.end('SIGTERM')
  await expect(Promise.race([ended, sleep(30_000, 'too late')])).resolves.not.toBe('too late')
  await postgres.comeBack('stopped')
})
