// What is measured of this process: calls, connections to the database, rounds of its work, and Node itself.
import type { RequestHandler } from 'express'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { ENGINE_VERSION } from '../../../engine/index.ts'
import { ownVersion } from '../../base/database/release.ts'
import { poolFigures } from '../../base/cap/connection-pool.ts'
import { roundsOfWorkers } from '../../base/work/worker.ts'

/** All metrics; docs/guides/monitoring.md says what each means. */
export const registry = new Registry()
const registers = [registry]

/** A value that goes up and down. @param collect reads it at each scrape */
export const gauge = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  collect?: (gauge: Gauge<Label>) => void,
) =>
  new Gauge<Label>({
    ...{ name: `restock_${name}`, help, labelNames, registers },
    ...(collect && { collect: whenScraped(collect) }),
  })

/** A value that only grows until the process ends. */
export const counter = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  collect?: (counter: Counter<Label>) => void,
) =>
  new Counter<Label>({
    ...{ name: `restock_${name}`, help, labelNames, registers },
    ...(collect && { collect: whenScraped(collect) }),
  })

/** Durations in seconds. @param buckets upper limits */
export const histogram = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  buckets: number[],
) => new Histogram<Label>({ name: `restock_${name}`, help, labelNames, buckets, registers })

/** Nothing of an earlier scrape stays. */
const whenScraped = <M extends { reset(): void }>(collect: (metric: M) => void) =>
  function (this: unknown) {
    const metric = this as M
    metric.reset()
    collect(metric)
  }

gauge('build_info', 'Versions of what runs; always 1.', ['version', 'engine'], (metric) => {
  metric.set({ version: ownVersion(), engine: ENGINE_VERSION }, 1)
})

/** Doors by the beginning of their paths, the longest first. Whatever is left is the apps'. */
const DOORS = Object.entries({
  '/api/task-provider': 'task_center',
  '/odata/v4/buyer': 'buyer',
  '/odata/v4/admin': 'admin',
  '/task-provider': 'task_center',
  '/health': 'health',
  '/oauth': 'consent',
  '/odata': 'my_inbox',
  '/auth': 'sign_in',
  '/docs': 'docs',
  '/v1': 'v1',
})

function doorOf(url: string): string {
  const path = `${url.split('?', 1)[0]!.toLowerCase()}/`
  return DOORS.find(([beginning]) => path.startsWith(`${beginning}/`))?.[1] ?? 'apps'
}

const calls = histogram(
  'http_request_duration_seconds',
  'Time from a call to the end of its answer; its status is "aborted" where the caller did not wait.',
  ['door', 'status'],
  [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
)

/** To be mounted before everything else. */
export const measureCalls: RequestHandler = (req, res, next) => {
  const began = performance.now()
  const door = doorOf(req.originalUrl)
  res.once('close', () => {
    const status = res.writableFinished ? String(res.statusCode) : 'aborted'
    calls.observe({ door, status }, (performance.now() - began) / 1000)
  })
  next()
}

gauge(
  'database_connections',
  'Connections of this instance to the database.',
  ['state'],
  (metric) => {
    const { inUse, idle } = poolFigures()
    metric.set({ state: 'in_use' }, inUse)
    metric.set({ state: 'idle' }, idle)
  },
)
gauge('database_connections_max', 'How many connections it may have.', [], (metric) =>
  metric.set(poolFigures().max),
)
gauge('database_connection_waits', 'Who waits for a connection just now.', [], (metric) =>
  metric.set(poolFigures().waiting),
)
counter('database_acquires_total', 'Connections that were asked for.', [], (metric) =>
  metric.inc(poolFigures().acquires),
)
counter('database_acquire_seconds_total', 'Time for which they were waited for.', [], (metric) =>
  metric.inc(poolFigures().acquireSeconds),
)

gauge(
  'worker_round_age_seconds',
  'Age of the round that a worker is in; 0 between two rounds.',
  ['worker'],
  (metric) => {
    for (const { name, seconds } of roundsOfWorkers()) metric.set({ worker: name }, seconds)
  },
)
gauge(
  'worker_overdue',
  'Whether the round of a worker was given up, and none has ended since.',
  ['worker'],
  (metric) => {
    for (const { name, isOverdue } of roundsOfWorkers())
      metric.set({ worker: name }, Number(isOverdue))
  },
)

/** What Node tells of itself: memory, CPU, event loop, garbage, handles. */
export const measureProcess = () => collectDefaultMetrics({ register: registry })
