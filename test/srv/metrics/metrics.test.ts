// `/metrics` as a Prometheus asks for it: its form, its values after a sync and a decision, and without a database.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { access, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import {
  ForecastScores,
  ProposalEvents,
  Proposals,
  Schedules,
  Sources,
  Syncs,
  WebhookDeliveries,
  Webhooks,
} from '../../../srv/base/database/entities.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/service.ts'
import { readYaml } from '../../support/yaml.ts'
import { type Metric, parseExposition } from './exposition.ts'

const port = await freePort()
// Read when the service is imported.
process.env.RESTOCK_METRICS_PORT = String(port)
const { connectFiles, daysAgo, serverUrl, steadyDemand, sync } =
  await import('../../support/server.ts')
const { approve } = await import('../../support/buyer.ts')

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql
const HOUR_S = 3600
const url = `http://127.0.0.1:${port}/metrics`
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

async function scrape() {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  return { text, metrics: parseExposition(text) }
}

/** The values of a metric of ours by its labels' values, joined by a blank. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  const { metrics } = await scrape()
  const samples = metrics.get(`restock_${name.replace(/_(count|sum|bucket)$/, '')}`)!.samples
  const own = samples.filter((sample) => sample.name === `restock_${name}`)
  return Object.fromEntries(
    own.map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  )
}

/** Waits for figures of the database that were read after this. */
async function freshFigures() {
  const asked = performance.now()
  await until(async () => {
    const elapsed = performance.now() - asked
    return 1000 * (await valuesOf('figures_age_seconds'))['']! < elapsed
  }, 20)
}

let source: number
/** The source as a label. */
let src: string
/** All there is, once. */
let metrics: Map<string, Metric>
const far = '2999-01-01T00:00:00.000Z'

beforeAll(async () => {
  const skus = ['A', 'B', 'C']
  const planning = skus.map((sku) => `${sku},L1,7,20,10,S-1,3.00,EUR`).join('\n')
  const columns = 'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency'
  source = await connectFiles('shop-of-shops', {
    'demand.csv': `${steadyDemand(skus)}A,L1,yesterday,4\nD,L1,${daysAgo(3)},4\n`,
    'stock.csv': 'sku,location,on_hand\nA,L1,0\nB,L1,0\nC,L1,0\n',
    'planning.csv': `${columns}\n${planning}\n`,
  })
  src = `src_${source}`
  await sync(source, 'full')
  const { ID } = (await SELECT.from(Proposals).columns('ID'))[0]!
  await approve(ID, {}, { via: 'ui' })
  await measureQuality()
  await makeWaiting()
  // An event is counted once it has its place in the audit trail.
  await until(async () => !(await SELECT.one.from(ProposalEvents).where({ seq: null })))
  await fetch(`${serverUrl()}/health/live`)
  await freshFigures()
  metrics = (await scrape()).metrics
})

async function measureQuality() {
  const month = `${daysAgo(0).slice(0, 8)}01`
  const score = { source_ID: source, kind: 'given', month, confidence: 'high' } as const
  await DELETE.from(ForecastScores).where({ source_ID: source })
  await INSERT.into(ForecastScores).entries([
    {
      ...{ ...score, demandClass: 'smooth', cases: 10, covered: 7, above: 2, below: 1 },
      ...{ bounded: 10, p50: 90, demand: 100, loss: 1 },
    },
    {
      ...{ ...score, demandClass: 'lumpy', cases: 10, covered: 9, above: 0, below: 1 },
      ...{ bounded: 10, p50: 0, demand: 50, loss: 1 },
    },
  ])
}

/** A run that another instance has, schedules, deliveries, and a source whose consent has ended. */
async function makeWaiting() {
  const common = { type: 'csv', role: 'r', options: '{}', demo: false }
  await INSERT.into(Sources).entries([
    { ...common, ID: 801, account: 'a', status: 'connected', consentEndsAt: far },
    { ...common, ID: 802, account: 'b', status: 'reconsent_required' },
  ])
  const held = { owner: 'another', leaseUntil: far, activeFor: 801, createdAt: ago(HOUR_S) }
  await INSERT.into(Syncs).entries([
    { ...held, ID: 9001, source_ID: 801, mode: 'full', phase: 'queued', status: 'queued' },
  ])
  const due = { expression: 'off', dueAt: ago(2 * HOUR_S) }
  await INSERT.into(Schedules).entries([
    { name: 'src_899 full', ...due },
    { name: 'src_802 full', ...due },
  ])
  const hook = { url: 'https://example.com', createdBy: 'admin', position: '0' }
  await INSERT.into(Webhooks).entries([
    { ...hook, ID: 71, status: 'disabled', failingSince: ago(HOUR_S) },
  ])
  const states = ['pending', 'pending', 'failed', 'succeeded'] as const
  await INSERT.into(WebhookDeliveries).entries(
    states.map((status, at) => ({
      ...{ webhook: 71, event: `e${at}`, type: 'sync.failed', status, nextAttemptAt: far },
    })),
  )
}

it('has a form that Prometheus reads, with what Node tells of itself', async () => {
  const { metrics, text } = await scrape()
  const names = [...metrics.keys()]
  expect(names).toEqual(
    expect.arrayContaining([
      ...['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_open_fds'],
      ...['nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes', 'restock_build_info'],
    ]),
  )
  for (const { help } of metrics.values()) expect(help).toMatch(/\S/)
  // Neither names of accounts, nor SKUs.
  expect(text).not.toMatch(/shop-of-shops|L1|S-1/)
})

it('is at its own port alone, and nothing else is there', async () => {
  expect((await fetch(`${serverUrl()}/metrics`)).status).toBe(404)
  expect((await fetch(url.replace('/metrics', '/v1/proposals'))).status).toBe(404)
  expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(405)
})

it('counts a sync that has ended, its seconds and its rows', async () => {
  expect(await valuesOf('sync_duration_seconds_count')).toMatchObject({
    ...{ [`${src} full partial`]: 1, [`${src} full failed`]: 0, 'src_801 full failed': 0 },
  })
  const seconds = await valuesOf('sync_duration_seconds_sum')
  expect(seconds[`${src} full partial`]).toBeGreaterThan(0)
  const rows = await valuesOf('sync_rows_total')
  // The day of one row is none.
  expect(rows).toMatchObject({ [`${src} rejected`]: 1, [`${src} unchanged`]: 0 })
  expect(rows[`${src} read`]).toBeGreaterThan(180)
})

it('tells how old the data are, what was rejected and what is blocked', async () => {
  expect(await valuesOf('source_status')).toMatchObject({
    ...{ [`${src} csv connected`]: 1, 'src_802 csv reconsent_required': 1 },
  })
  expect(await valuesOf('source_data_age_seconds')).toEqual({ [src]: 0 })
  expect(await valuesOf('source_data_stale')).toEqual({ [src]: 0 })
  expect(await valuesOf('rejected_rows')).toEqual({ [src]: 1, src_801: 0, src_802: 0 })
  expect((await valuesOf('blocked_pairs'))[`${src} stock`]).toBe(1)
  const age = (await valuesOf('stream_age_seconds'))[`${src} stock`]
  expect(age).toBeGreaterThanOrEqual(0)
  expect(age).toBeLessThan(300)
})

it('counts open proposals and decisions', async () => {
  expect(await valuesOf('proposals')).toMatchObject({ pending: 2, snoozed: 0 })
  expect(await valuesOf('proposal_events_total')).toMatchObject({
    ...{ 'created system': 3, 'approved ui': 1, 'approved api': 0, 'rejected ui': 0 },
  })
})

it('tells what waits: runs, schedules, deliveries, a consent that ends', async () => {
  expect(await valuesOf('runs')).toEqual({ queued: 1, running: 0 })
  expect((await valuesOf('run_age_seconds'))['src_801 queued']).toBeGreaterThanOrEqual(HOUR_S)
  const overdue = await valuesOf('schedule_overdue_seconds')
  expect(overdue['src_899 full']).toBeGreaterThanOrEqual(2 * HOUR_S)
  // Nothing would begin there.
  expect(overdue).not.toHaveProperty('src_802 full')
  expect(await valuesOf('webhook_deliveries')).toEqual({ 'wh_71 pending': 2, 'wh_71 failed': 1 })
  expect(await valuesOf('webhook_disabled')).toEqual({ wh_71: 1 })
  expect((await valuesOf('webhook_failing_seconds')).wh_71).toBeGreaterThanOrEqual(HOUR_S)
  expect(await valuesOf('source_consent_end_timestamp_seconds')).toEqual({
    src_801: Date.parse(far) / 1000,
  })
})

it('tells how good the forecasts were', async () => {
  expect(await valuesOf('forecast_cases')).toEqual({ [src]: 20 })
  expect(await valuesOf('forecast_coverage_ratio')).toEqual({ [src]: 0.8 })
  expect(await valuesOf('forecast_above_p90_ratio')).toEqual({ [src]: 0.1 })
  expect(await valuesOf('forecast_bias_ratio')).toEqual({ [src]: -0.1 })
})

it('counts nothing twice, and follows what changes', async () => {
  const { status } = await sync(source)
  await UPDATE.entity(Sources)
    .set({ dataAsOf: daysAgo(40) })
    .where({ ID: source })
  await DELETE.from(Syncs).where({ ID: 9001 })
  await freshFigures()
  const counts = await valuesOf('sync_duration_seconds_count')
  expect(counts[`${src} full partial`]).toBe(1)
  expect(counts[`${src} incremental ${status}`]).toBe(1)
  expect(await valuesOf('proposal_events_total')).toMatchObject({ 'approved ui': 1 })
  expect((await valuesOf('source_data_age_seconds'))[src]).toBeGreaterThanOrEqual(39 * 86_400)
  expect(await valuesOf('source_data_stale')).toEqual({ [src]: 1 })
  expect(await valuesOf('runs')).toEqual({ queued: 0, running: 0 })
  expect(await valuesOf('run_age_seconds')).toEqual({})
})

it('measures calls by door and status', async () => {
  const paths = ['/v1/proposals', '/odata/v4/buyer/Proposals', '/health/live', '/oauth/x', '/x/y/z']
  for (const path of paths) await (await fetch(serverUrl() + path)).text()
  await sleep(50)
  const counts = await valuesOf('http_request_duration_seconds_count')
  for (const call of ['v1 401', 'buyer 401', 'health 200', 'apps 404'])
    expect(counts[call]).toBeGreaterThan(0)
  expect(Object.keys(counts).some((call) => call.startsWith('consent '))).toBe(true)
})

it('tells of connections and of the rounds of workers', async () => {
  const connections = await valuesOf('database_connections')
  expect(Object.keys(connections)).toEqual(['in_use', 'idle'])
  expect(connections.in_use! + connections.idle!).toBeGreaterThan(0)
  const most = (await valuesOf('database_connections_max'))['']
  expect(most).toBeGreaterThanOrEqual(connections.in_use! + connections.idle!)
  const acquires = (await valuesOf('database_acquires_total'))['']!
  await SELECT.one.from(Sources).columns('ID')
  expect((await valuesOf('database_acquires_total'))['']).toBeGreaterThan(acquires)
  const overdue = await valuesOf('worker_overdue')
  expect(overdue).toMatchObject({ schedule: 0, sync: 0, webhooks: 0 })
  expect(await valuesOf('worker_round_age_seconds')).toHaveProperty('sync')
})

it('reads the database at most once in ten seconds, however often it is asked', async () => {
  const ages: number[] = []
  for (let at = 0; at < 20; at++) ages.push((await valuesOf('figures_age_seconds'))['']!)
  expect(Math.max(...ages)).toBeLessThan(11)
  expect(ages.filter((age) => age < 0.005).length).toBeLessThanOrEqual(2)
})

const root = path.resolve(import.meta.dirname, '../../..')

interface Alarm {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; action: string }
}
const { groups } = readYaml<{ groups: { rules: Alarm[] }[] }>(
  path.join(root, 'xmpls/monitoring/alerts.yaml'),
)
const alarms = groups.flatMap(({ rules }) => rules)
const { panels } = JSON.parse(
  readFileSync(path.join(root, 'xmpls/monitoring/dashboard.json'), 'utf8'),
) as { panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[] }
const targets = panels.flatMap(({ targets = [] }) => targets)

describe('what is written of them', () => {
  const labelsOf = ({ samples }: Metric) =>
    [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))].filter((it) => it !== 'le')

  it('the guide names each with its kind and its labels, and no other', () => {
    const guide = readFileSync(path.join(root, 'docs/guides/monitoring.md'), 'utf8')
    const rows = [...guide.matchAll(/^\| `(restock_\w+)` +\| (\w+) +\| ([^|]*)\|/gm)]
    const documented = rows.map(([, name, type, labels]) => [
      ...[name, type, [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label)],
    ])
    const own = [...metrics].filter(([name]) => name.startsWith('restock_'))
    const served = own.map(([name, metric]) => [name, metric.type, labelsOf(metric)])
    expect(documented.sort()).toEqual(served.sort())
    const named = [...guide.matchAll(/`((?:process|nodejs)_\w+)`/g)].map(([, name]) => name)
    expect([...metrics.keys()]).toEqual(expect.arrayContaining(named))
  })

  /** Labels that Prometheus or the kind of metric adds. */
  const OTHERS = ['instance', 'job', 'le']

  /** The labels that an expression may name, of the metrics in it. */
  function labelsIn(expr: string): string[] {
    const names = [...expr.matchAll(/\b(?:restock|nodejs|process)_\w+/g)].map(([name]) => name)
    const found = names.map(
      (name) => metrics.get(name) ?? metrics.get(name.replace(/_[a-z]+$/, '')),
    )
    expect(found).not.toContain(undefined)
    return [...found.flatMap((metric) => labelsOf(metric!)), ...OTHERS]
  }

  const named = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].flatMap(([, list]) => list!.split(',').map((each) => each.trim()))

  it.each([...alarms, ...targets].map(({ expr }) => [expr]))('%s', (expr) => {
    const known = labelsIn(expr)
    expect(known).toEqual(expect.arrayContaining(named(expr, /\bby \(([^)]*)\)/g)))
    expect(known).toEqual(expect.arrayContaining(named(expr, /[{,](\w+)(?==|!=|=~|!~)/g)))
    expect(expr.split('(').length).toBe(expr.split(')').length)
  })

  it('alarms and legends show labels that their expressions leave', () => {
    const texts = [
      ...alarms.map(({ expr, annotations }) => [expr, JSON.stringify(annotations)] as const),
      ...targets.map(({ expr, legendFormat }) => [expr, legendFormat] as const),
    ]
    for (const [expr, text] of texts) {
      const by = named(expr, /\bby \(([^)]*)\)/g)
      const left = by.length ? by : labelsIn(expr)
      const shown = [...text.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(([, name]) => name!)
      expect([...left, 'instance']).toEqual(expect.arrayContaining(shown))
    }
  })

  it('the examples say when each alarm comes, and how bad it is', () => {
    const readme = readFileSync(path.join(root, 'xmpls/monitoring/README.md'), 'utf8')
    const rows = [...readme.matchAll(/^\| `(Restock\w+)` +\| (\w+) /gm)]
    const written = rows.map(([, name, severity]) => [name, severity])
    expect(written.sort()).toEqual(
      alarms.map(({ alert, labels }) => [alert, labels.severity]).sort(),
    )
    for (const { annotations } of alarms) {
      expect(annotations.summary).toMatch(/\S.*\.$/)
      expect(annotations.action).toMatch(/\S/)
    }
  })

  const wherePromtoolIs = spawnSync('promtool', ['--version']).error ? it.skip : it

  wherePromtoolIs('Prometheus itself finds no fault', async () => {
    const { text } = await scrape()
    const rules = path.join(root, 'xmpls/monitoring/alerts.yaml')
    execFileSync('promtool', ['check', 'rules', rules], { stdio: 'pipe' })
    const exprs = targets.map(({ expr }) => ({ record: 'a:b', expr: expr.replaceAll('$job', 'j') }))
    const file = path.join(process.env.RESTOCK_CSV_ROOT!, 'dashboard.json')
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: exprs }] }))
    execFileSync('promtool', ['check', 'rules', '--lint=none', file], { stdio: 'pipe' })
    const { stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text })
    // Those of prom-client have names that Prometheus would not give them.
    expect(
      String(stderr)
        .split('\n')
        .filter((line) => /^restock_|error/.test(line)),
    ).toEqual([])
  })
})

const { kind, credentials } = cds.env.requires.db as {
  kind: string
  credentials: { url: string }
}
const onSqlite = kind === 'sqlite' ? it : it.skip

// test/journeys/outage.test.ts does the same with PostgreSQL.
onSqlite('answers without the database, and says that it is away', async () => {
  const file = path.resolve(credentials.url)
  await access(file)
  await rename(file, `${file}.away`)
  try {
    const began = performance.now()
    const { metrics } = await scrape()
    expect(performance.now() - began).toBeLessThan(2_500)
    expect(metrics.get('restock_database_up')!.samples).toMatchObject([{ value: 0 }])
    // What may be wrong by now is not shown.
    for (const name of ['proposals', 'source_status', 'figures_age_seconds'])
      expect(metrics.get(`restock_${name}`)!.samples).toEqual([])
    expect(metrics.get('restock_worker_overdue')!.samples).not.toEqual([])
  } finally {
    await rename(`${file}.away`, file)
  }
  await freshFigures()
  expect(await valuesOf('database_up')).toEqual({ '': 1 })
  expect(await valuesOf('proposals')).toMatchObject({ pending: 2 })
})
