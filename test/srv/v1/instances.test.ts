// Two instances on one database: what changes at one holds at the other within five seconds, and limits hold for both.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { temporaryFolder } from '../../support/configure.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'

const PROMISED_S = 5
const LIMIT = 50
const DAY_MS = 86_400_000

// SQLite has one instance.
const several = cds.env.requires.db.kind === 'sqlite' ? describe.skip : describe

const demand = (quantity: number) =>
  Array.from({ length: 60 }, (_, at) => {
    const day = new Date(Date.now() - (60 - at) * DAY_MS).toISOString().slice(0, 10)
    return `A,L,${day},${quantity}`
  }).join('\n')

async function writeDemand(quantity: number) {
  const folder = path.join(temporaryFolder, 'together')
  await mkdir(folder, { recursive: true })
  await writeFile(
    path.join(folder, 'demand.csv'),
    `sku,location,date,quantity\n${demand(quantity)}\n`,
  )
}

several('two instances', () => {
  let one: Instance
  let other: Instance
  beforeAll(async () => {
    const restock = { unknownCallsPerMinute: LIMIT, readsPerMinute: LIMIT }
    one = await Instance.start({ restock })
    other = await Instance.start({ restock })
  })
  afterAll(async () => {
    await one?.end()
    await other?.end()
  })

  it('take a key no more within five seconds of its revocation at either', async () => {
    const trial = async (at: number) => {
      const [here, there] = at % 2 ? [one, other] : [other, one]
      const wish = { name: `trial ${at}`, scopes: ['forecasts:read'] }
      const { id, key } = (await here.call('POST', '/keys', wish)).json
      const look = () => there.call('GET', '/forecasts?sku=a&location=b', undefined, key)
      expect((await look()).status).toBe(404)
      expect((await here.call('DELETE', `/keys/${id}`)).status).toBe(204)
      await until(async () => (await look()).status === 401, PROMISED_S)
    }
    await Promise.all(Array.from({ length: 4 }, (_, at) => trial(at)))
  })

  it('answer the same new forecasts within five seconds', async () => {
    await writeDemand(4)
    const source = { type: 'csv', account: 'together', role: 'planner' } as const
    const { id } = (await one.call('POST', '/sources', source)).json
    const sync = async () => {
      const started = await one.call('POST', `/sources/${id}/sync`, { mode: 'full' })
      const address = started.headers.get('location')!.replace('/v1', '') as `/syncs/${string}`
      // A key has 120 such calls in a minute.
      while (!(await one.call('GET', address)).json.finished_at) await sleep(500)
    }
    const looks = async () => {
      const answers = await Promise.all(
        [one, other].map((each) => each.call('GET', '/forecasts?sku=A&location=L')),
      )
      return answers.map(({ json }) => json.forecast.p50)
    }
    await sync()
    const [before, same] = await looks()
    expect(same).toBe(before)
    await writeDemand(40)
    await sync()
    await until(async () => (await looks()).every((p50) => p50 > 2 * before!), PROMISED_S)
    const [after, again] = await looks()
    expect(again).toBe(after)
  })

  it('let fifty clients make exactly the calls of the limit', async () => {
    const wish = { name: 'fifty', scopes: ['proposals:read'] }
    const { key } = (await one.call('POST', '/keys', wish)).json
    const clients = Array.from({ length: 50 }, async (_, at) => {
      const statuses: number[] = []
      for (let call = 0; call < 6; call++) {
        const instance = (at + call) % 2 ? one : other
        const path = '/proposals?limit=1'
        statuses.push((await instance.call('GET', path, undefined, key)).status)
      }
      return statuses
    })
    const statuses = (await Promise.all(clients)).flat()
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(180)
    const { headers } = await other.call('GET', '/proposals', undefined, key)
    const seconds = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.floor(seconds))
  })

  /** At each in turn. @returns how many were not refused by a limit */
  async function allowed(calls: number, address: string, headers: Record<string, string> = {}) {
    let count = 0
    for (let call = 0; call < calls; call++) {
      const { url } = call % 2 ? one : other
      const { status } = await fetch(url + address, { headers, redirect: 'manual' })
      if (status !== 429) count++
    }
    return count
  }

  it.each([
    ['calls of nobody', '/odata/v4/buyer/Proposals', {}],
    ['reads of a person', '/odata/v4/buyer/Urgencies', { Authorization: 'Basic YnV5ZXI6YnV5ZXI=' }],
    ['consents', '/oauth/callback', {}],
  ])('let %s through as often as one, and a tenth more', async (_what, address, headers) => {
    const count = await allowed(1.6 * LIMIT, address, headers)
    expect(count).toBeGreaterThanOrEqual(LIMIT)
    expect(count).toBeLessThanOrEqual(1.2 * LIMIT)
  })
})
