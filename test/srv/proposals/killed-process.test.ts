// SIGKILL in the middle of proposing and of deciding; another process goes on, on the same database.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import { Evidence, ProposalEvents, Proposals, Syncs } from '../../../srv/base/database/entities.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'

const { SELECT } = cds.ql
/** They are calculated by the thousand. */
const PAIRS = 1_040
cds.root = path.resolve(import.meta.dirname, '../../..')

const TWIN = 't'
/** Sources to kill a run of; the run of the first may end before it is seen to propose. */
const CANDIDATES = ['a', 'b', 'c', 'd', 'e']

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const start = () => Instance.start({ env: { RESTOCK_RATE_LIMIT: 'off' } })

let instance: Instance
const restart = async () => {
  await instance.end('SIGKILL')
  instance = await start()
}

beforeAll(async () => {
  instance = await start()
  cds.model = cds.compile.for.nodejs(await cds.load(['db', 'srv']))
  await cds.connect.to('db')
})
afterAll(async () => {
  await instance.end('SIGKILL')
  await (cds.db as unknown as { disconnect(): Promise<void> }).disconnect()
})

const numbered = (prefix: string) => Array.from({ length: PAIRS }, (_, at) => `${prefix}-${at}`)

/** Connects a source whose SKUs differ in their name alone from those of another. @returns its id */
async function connect(prefix: string): Promise<string> {
  const folder = path.join(process.env.RESTOCK_CSV_ROOT!, prefix)
  await mkdir(folder, { recursive: true })
  const skus = numbered(prefix)
  const write = (name: string, header: string, row: (sku: string, at: number) => string[]) =>
    writeFile(path.join(folder, name), [header, ...skus.flatMap(row), ''].join('\n'))
  await write('demand.csv', 'sku,location,date,quantity', (sku, at) =>
    [40, 30, 20, 10, 5, 1].map((days) => `${sku},L1,${daysAgo(days)},${1 + (at % 17)}`),
  )
  await write('stock.csv', 'sku,location,on_hand', (sku, at) => [`${sku},L1,${at % 13}`])
  await write(
    'planning.csv',
    'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency',
    (sku, at) => [`${sku},L1,${5 + (at % 20)},,${1 + (at % 6)},S,1.00,EUR`],
  )
  const source = await instance.call('POST', '/sources', {
    ...{ type: 'csv', account: prefix, role: 'reader' },
  })
  return source.json.id
}

const begin = async (source: string): Promise<string> =>
  (await instance.call('POST', `/sources/${source}/sync`, { mode: 'full' })).json.id
const stateOf = async (sync: string) => (await instance.call('GET', `/syncs/${sync}`)).json
const ended = (sync: string) =>
  until(async () => {
    const { status } = await stateOf(sync)
    return status === 'succeeded'
  }, 90)

/**
 * Waits until a sync proposes, by a look at the database: the instance is too busy to be asked.
 * @returns whether it was seen to
 */
async function isProposing(sync: string): Promise<boolean> {
  for (;;) {
    const row = (await SELECT.one.from(Syncs).where({ ID: Number(sync.slice(5)) }))!
    if (!['queued', 'running'].includes(row.status!)) return false
    if (row.phase === 'proposing') return true
    await sleep(5)
  }
}

/** Kills the instance while it proposes. @returns the source's SKUs' prefix, once the run has ended */
async function killWhileProposing(): Promise<string> {
  for (const prefix of CANDIDATES) {
    const sync = await begin(await connect(prefix))
    const isKilled = await isProposing(sync)
    if (isKilled) await restart()
    await ended(sync)
    if (isKilled) return prefix
  }
  throw new Error('No run was seen to propose.')
}

let broken: string

interface Shown {
  id: string
  sku: string
  status: string
  quantity: number
  version: number
}

const all = async (prefix: string): Promise<Shown[]> => {
  const { json } = await instance.call('GET', '/proposals/export?status=pending&format=json')
  return json.data.filter(({ sku }: Shown) => sku.startsWith(`${prefix}-`))
}

/** By the number of the SKU. */
const comparable = (shown: Shown[]) =>
  shown
    .map(({ sku, quantity, version, status }) => ({
      ...{ at: Number(sku.slice(2)), quantity, version, status },
    }))
    .sort((a, b) => a.at - b.at)

it('a run that is killed while it proposes ends as one that is not', async () => {
  broken = await killWhileProposing()
  const twin = await begin(await connect(TWIN))
  await ended(twin)
  const proposed = comparable(await all(broken))
  expect(proposed.length).toBeGreaterThan(100)
  expect(proposed).toEqual(comparable(await all(TWIN)))
}, 240_000)

it('what is killed in the middle of decisions has decided each proposal once, or not at all', async () => {
  const open = (await all(broken)).map(({ id }) => id)
  const asked = new Set<string>()
  const answered = new Map<string, string>()
  const killed = Promise.withResolvers<void>()
  const decide = async (id: string, event: 'approved' | 'rejected') => {
    const call =
      event === 'approved'
        ? instance.call('POST', `/proposals/${id}/approve`)
        : instance.call('DELETE', `/proposals/${id}`)
    const { status } = await call
    if (status >= 300) return
    answered.set(id, event)
    if (answered.size === 20) killed.resolve(restart())
  }
  /** Decides about one after the other, both ways at once, until nobody answers any more. */
  const decideOn = async () => {
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      asked.add(id)
      await Promise.all([decide(id, 'approved'), decide(id, 'rejected')])
    }
  }
  const settled = Promise.allSettled(Array.from({ length: 50 }, decideOn))
  await killed.promise
  const outcomes = (await settled).map(({ status }) => status)
  expect(new Set(outcomes)).toEqual(new Set(['rejected']))

  for (const id of asked) {
    const { json } = await instance.call('GET', `/proposals/${id}/history`)
    const decisions = json.data
      .map(({ event }: { event: string }) => event)
      .filter((event: string) => event === 'approved' || event === 'rejected')
    expect(decisions.length).toBeLessThanOrEqual(1)
    if (answered.has(id)) expect(decisions).toEqual([answered.get(id)])
    const { status } = (await instance.call('GET', `/proposals/${id}`)).json
    expect(status).toBe(decisions[0] ?? 'pending')
  }
  const trail = (await instance.call('GET', '/audit/verification')).json
  expect(trail).toMatchObject({ valid: true })
}, 240_000)

// A file of SQLite belongs to one process, and the kill leaves no other rows there.
const beside = cds.env.requires.db.kind === 'sqlite' ? it.skip : it

beside(
  'what a killed mass approval has decided stays, with its evidence, and the same call again decides the rest',
  async () => {
    const decisions = (await all(TWIN)).slice(0, 150).map(({ id, version }) => ({
      ...{ id, action: 'approve', expected_version: version },
    }))
    const IDs = decisions.map(({ id }) => Number(id.slice(5)))
    const approved = () =>
      SELECT.from(Proposals)
        .columns('ID')
        .where({ ID: { in: IDs }, status: 'approved' })
    const call = instance.call('POST', '/proposals/decisions', { decisions }).catch(() => null)
    while ((await approved()).length < 20) await sleep(5)
    await restart()
    expect(await call).toBeNull()
    const before = await approved()
    expect(before.length).toBeGreaterThanOrEqual(20)
    expect(before.length).toBeLessThan(IDs.length)
    const { json } = await instance.call('POST', '/proposals/decisions', { decisions })
    expect(json.summary).toEqual({ requested: IDs.length, succeeded: IDs.length, failed: 0 })
    const events = await SELECT.from(ProposalEvents).where({
      ...{ proposal: { in: IDs }, event: 'approved' },
    })
    expect(new Set(events.map(({ proposal }) => proposal)).size).toBe(IDs.length)
    expect(events).toHaveLength(IDs.length)
    const evidence = SELECT.from(Evidence)
      .columns('event')
      .where({ proposal: { in: IDs } })
    expect(await evidence).toHaveLength(IDs.length)
  },
  240_000,
)
