// Several instances, and the database between them: who is killed, starved or cut off, and what becomes of the run.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import pg from 'pg'
import { CLIENT, type Erp, startErp } from '../../../sandbox/index.ts'
import { Syncs } from '../../../srv/base/database/entities.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'

const { SELECT, UPDATE } = cds.ql

cds.root = path.resolve(import.meta.dirname, '../../..')

const db = cds.env.requires.db as { kind: string; credentials: pg.ClientConfig }
// SQLite has one instance.
const several = db.kind === 'postgres' ? it : it.skip

let erp: Erp
let source: string
let first: Instance
let second: Instance | undefined

const options = {
  env: {
    RESTOCK_RATE_LIMIT: 'off',
    PGAPPNAME: 'instance',
    NODE_OPTIONS: `--import=${path.resolve(import.meta.dirname, '../../support/starve.ts')}`,
  },
}
const start = () => Instance.start(options)

beforeAll(async () => {
  erp = await startErp({ size: 20, days: 40 })
  first = await start()
  cds.model = cds.compile.for.nodejs(await cds.load(['db', 'srv']))
  await cds.connect.to('db')
  const { json } = await first.call('POST', '/sources', {
    ...{ type: 's4hana', account: erp.url, role: 'Z_RESTOCK_READ' },
    ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
    options: { auth: 'basic', page_size: 10, document_page_size: 5 },
  })
  source = json.id
})

afterEach(() => erp.control.clearFaults())

afterAll(async () => {
  await first?.end('SIGKILL')
  await second?.end('SIGKILL')
  await erp?.close()
  await (cds.db as unknown as { disconnect(): Promise<void> } | undefined)?.disconnect()
})

const ask = (instance: Instance, sync: string) => instance.call('GET', `/syncs/${sync}`)
const rowOf = async (sync: string) =>
  (await SELECT.one.from(Syncs).where({ ID: Number(sync.slice(5)) }))!
/** Each page of demand is waited for, until faults are cleared. */
const HANGING = {
  kind: 'slow' as const,
  delayMs: 15_000,
  match: 'A_MaterialDocument',
  times: null,
}

/** A full sync that hangs at the same page each time. What is read beside it may come through. */
async function beginHanging(fault = HANGING): Promise<string> {
  erp.control.clearLog()
  erp.control.fault(fault)
  const { json } = await first.call('POST', `/sources/${source}/sync`, { mode: 'full' })
  await hangs()
  return json.id
}

/** The first one has it, since there is no other. */
async function beginAlone() {
  await second?.end('SIGKILL')
  second = undefined
  return beginHanging()
}

const hangs = () => until(async () => erp.log.some(({ fault }) => fault === 'slow'), 60)

async function succeeded(instance: Instance, sync: string) {
  erp.control.clearFaults()
  let state = { status: '', issues: [] as object[] }
  await until(async () => {
    const { status, json } = await ask(instance, sync)
    state = json
    return status === 200 && !['queued', 'running'].includes(state.status)
  }, 120)
  expect(state).toMatchObject({ status: 'succeeded', issues: [] })
}

it('a run that is killed three times at the same place is given up, and the next one by hand succeeds', async () => {
  // All streams hang: one that came through in a later attempt would be progress.
  const sync = await beginHanging({ ...HANGING, match: '/sap/opu/odata' })
  await first.end('SIGKILL')
  erp.control.clearLog()
  first = await start()
  await hangs()
  expect(await rowOf(sync)).toMatchObject({ status: 'running', attempts: 1 })
  await first.end('SIGKILL')
  // As if it had been killed here once more.
  await UPDATE.entity(Syncs)
    .set({ attempts: 2 })
    .where({ ID: Number(sync.slice(5)) })
  first = await start()
  await until(async () => (await ask(first, sync)).json.status === 'failed', 60)
  const { json } = await ask(first, sync)
  expect(json.issues).toEqual([
    expect.objectContaining({
      code: 'gave_up',
      message: expect.stringMatching(/three times while it read/),
    }),
  ])
  erp.control.clearFaults()
  const again = await first.call('POST', `/sources/${source}/sync`, { mode: 'full' })
  await succeeded(first, again.json.id)
}, 240_000)

/** The one that stands by, and goes on with what the first one leaves. */
const otherInstance = async () => (second ??= await start())

several(
  'a killed instance is followed by another one',
  async () => {
    const sync = await beginAlone()
    const other = await otherInstance()
    const { owner } = await rowOf(sync)
    await first.end('SIGKILL')
    await until(async () => (await rowOf(sync)).owner !== owner, 30)
    expect(await rowOf(sync)).toMatchObject({ status: 'running', attempts: 1 })
    await succeeded(other, sync)
    first = other
    second = undefined
  },
  240_000,
)

several(
  'an owner that is starved and lives keeps its run',
  async () => {
    const sync = await beginAlone()
    await otherInstance()
    const { owner } = await rowOf(sync)
    first.signal('SIGUSR2')
    for (let i = 0; i < 15; i++) {
      await sleep(1_000)
      expect((await rowOf(sync)).owner).toBe(owner)
    }
    expect(await rowOf(sync)).toMatchObject({ status: 'running', attempts: 0 })
    await succeeded(first, sync)
  },
  240_000,
)

several(
  'a database that goes away fails no run: it goes on once it is back',
  async () => {
    const sync = await beginHanging()
    await otherInstance()
    erp.control.clearFaults()
    const { database } = db.credentials
    const admin = new pg.Client({ ...db.credentials, database: 'postgres' })
    await admin.connect()
    try {
      await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = $1 AND application_name = 'instance'`,
        [database],
      )
      // For longer than a lease.
      await sleep(12_000)
    } finally {
      await admin.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
      await admin.end()
    }
    await succeeded(first, sync)
    expect(await rowOf(sync)).toMatchObject({ attempts: 0 })
  },
  240_000,
)

it('SIGTERM in the middle of a run ends it soon, and the next start goes on', async () => {
  const sync = await beginAlone()
  expect(await first.end('SIGTERM')).toBe(0)
  expect(await rowOf(sync)).toMatchObject({ status: 'running', owner: null, attempts: 0 })
  first = await start()
  await succeeded(first, sync)
}, 240_000)
