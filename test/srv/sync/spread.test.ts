// One run on several instances of a PostgreSQL: who takes part, who is killed, and that the results are the same.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import cds from '@sap/cds'
import type pg from 'pg'
import {
  Events,
  Forecasts,
  Proposals,
  RunChunks,
  Series,
  Syncs,
} from '../../../srv/base/database/entities.ts'
import { Instance } from '../../support/instance.ts'
import { until } from '../../support/service.ts'

const { SELECT } = cds.ql
cds.root = path.resolve(import.meta.dirname, '../../..')
const db = cds.env.requires.db as { kind: string; credentials: pg.ClientConfig }
// SQLite has one instance.
const several = db.kind === 'postgres' ? it : it.skip

/** Pairs are calculated by the thousand, series are forecast by the 256. */
const SKUS = 1_040
const DAYS = 60
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-spread-'))
const instances: Instance[] = []
let source: string

const start = async () => {
  const env = { RESTOCK_CSV_ROOT: folder, RESTOCK_RATE_LIMIT: 'off', RESTOCK_THREADS: '1' }
  const instance = await Instance.start({ env: { ...env, DEBUG: 'jobs' } })
  instances.push(instance)
  return instance
}

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

function writeFiles() {
  const all = Array.from({ length: SKUS }, (_, at) => `S${at}`)
  const write = (name: string, lines: string[]) =>
    writeFileSync(path.join(folder, 'spread', name), `${lines.join('\n')}\n`)
  mkdirSync(path.join(folder, 'spread'))
  write('demand.csv', [
    'sku,location,date,quantity',
    ...all.flatMap((sku, at) =>
      Array.from({ length: DAYS }, (_, ago) => ({
        date: daysAgo(ago + 1),
        quantity: (at * 7 + ago * ago) % (3 + (at % 11)),
      }))
        .filter(({ quantity }) => quantity)
        .map(({ date, quantity }) => `${sku},L1,${date},${quantity}`),
    ),
  ])
  write('stock.csv', ['sku,location,on_hand', ...all.map((sku, at) => `${sku},L1,${at % 9}`)])
  write('planning.csv', [
    'sku,location,lead_time_days,supplier,unit_cost,currency',
    ...all.map((sku, at) => `${sku},L1,7,V${at % 9},2.50,EUR`),
  ])
  write('supplier_terms.csv', ['supplier,minimum_order_value', 'V1,5000', 'V2,9000'])
}

beforeAll(async () => {
  if (db.kind !== 'postgres') return
  writeFiles()
  const first = await start()
  await start()
  cds.model = cds.compile.for.nodejs(await cds.load(['db', 'srv']))
  await cds.connect.to('db')
  const wish = { type: 'csv', account: 'spread', role: 'reader' }
  source = ((await first.call('POST', '/sources', wish)).json as { id: string }).id
})

afterAll(async () => {
  for (const instance of instances) await instance.end('SIGKILL').catch(() => {})
  rmSync(folder, { recursive: true, force: true })
  await (cds.db as unknown as { disconnect(): Promise<void> } | undefined)?.disconnect()
})

const begin = async () => {
  const { json } = await instances[0]!.call('POST', `/sources/${source}/sync`, { mode: 'full' })
  return Number((json as { id: string }).id.slice(5))
}
const rowOf = async (ID: number) => (await SELECT.one.from(Syncs).where({ ID }))!
const isOver = async (ID: number) => !['queued', 'running'].includes((await rowOf(ID)).status!)

async function resultsOf() {
  const series = await SELECT.from(Series).columns('ID', 'sku')
  const skuOf = new Map(series.map(({ ID, sku }) => [ID, sku]))
  const forecasts = await SELECT.from(Forecasts).columns('series', 'asOf', 'model')
  const proposals = await SELECT.from(Proposals)
    .columns('sku', 'supplier', 'quantity', 'status', 'basis')
    .where({ status: 'pending' })
  return {
    forecasts: forecasts
      .map(({ series: ID, ...row }) => `${skuOf.get(ID)} ${JSON.stringify(row)}`)
      .sort(),
    proposals: proposals.map((row) => JSON.stringify(row)).sort(),
  }
}

let expected: Awaited<ReturnType<typeof resultsOf>>

several(
  'both instances take part, and nothing of the chunks is left',
  async () => {
    const ID = await begin()
    await until(() => isOver(ID), 240)
    expect(await rowOf(ID)).toMatchObject({ status: 'succeeded', phase: 'proposing' })
    for (const { log } of instances) expect(log).toMatch(/chunk \d+ of forecast src_1 done/)
    expect(instances.map(({ log }) => log).join()).toMatch(/chunk \d+ of propose src_1 done/)
    expect(await SELECT.from(RunChunks)).toEqual([])
    expect(await SELECT.from(Events).where({ type: 'forecast.refreshed' })).toHaveLength(1)
    expected = await resultsOf()
    expect(expected.forecasts).toHaveLength(SKUS)
    expect(expected.proposals.length).toBeGreaterThan(SKUS / 2)
  },
  300_000,
)

several(
  'whoever is killed, the run ends by itself, with the same results',
  async () => {
    const ID = await begin()
    for (const phase of ['forecasting', 'proposing']) {
      await until(async () => {
        const row = await rowOf(ID)
        return (row.phase === phase && Number(row.done) > 0) || (await isOver(ID))
      }, 120)
      await instances.pop()!.end('SIGKILL')
      await start()
    }
    await until(() => isOver(ID), 240)
    expect(await rowOf(ID)).toMatchObject({ status: 'succeeded' })
    expect(await resultsOf()).toEqual(expected)
  },
  420_000,
)

several(
  'a cancelled run stops on both',
  async () => {
    const ID = await begin()
    await until(async () => (await rowOf(ID)).phase === 'forecasting', 120)
    await instances[0]!.call('POST', `/syncs/sync_${ID}/cancel`)
    await until(() => isOver(ID), 30)
    expect(await rowOf(ID)).toMatchObject({ status: 'cancelled', activeFor: null })
  },
  180_000,
)
