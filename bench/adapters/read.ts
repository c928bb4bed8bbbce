// Reads all streams of an adapter as often as it is told to, and says what that took.
import { readFileSync } from 'node:fs'
import type { Cursor, Stream } from '../../adapters/adapter.ts'
import { adapterOf } from '../../adapters/index.ts'
import { RECORDS } from '../../adapters/records.ts'
import type { Given } from './erps.ts'

export interface Reading {
  rows: number
  seconds: number
  /** Of this process. */
  cpuSeconds: number
  peakMB: number
}

interface Order {
  connection: Given
  full: boolean
}

const adapter = adapterOf(process.argv[2]!)!
const cursors = new Map<string, Cursor>()
/** Of snapshots, which ask for what is stored. */
const keys = new Map<string, Record<string, string>[]>()

async function read({ connection: { header, ...given }, full }: Order): Promise<Reading> {
  const connection = { ...given, credentials: { authorization: async () => header } }
  const [from, before] = [Date.now(), process.cpuUsage()]
  // As a sync does: all streams at once.
  const counts = await Promise.all(adapter.streams(connection).map((one) => readOne(one, full)))
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  const { user, system } = process.cpuUsage(before)
  return {
    ...{ rows: counts.reduce((sum, rows) => sum + rows, 0), peakMB: Number(peak) / 1024 },
    ...{ seconds: (Date.now() - from) / 1000, cpuSeconds: (user + system) / 1e6 },
  }
}

async function readOne(stream: Stream, full: boolean): Promise<number> {
  const { record, cursor } = stream
  const since = full ? null : (cursors.get(record) ?? null)
  const stored = keys.get(record)
  const found: Record<string, string>[] = []
  let rows = 0
  const signal = AbortSignal.timeout(3_600_000)
  for await (const page of stream.read(since, signal, stored && (async () => stored))) {
    rows += page.records.length
    cursors.set(record, page.cursor)
    if (cursor === 'snapshot') for (const each of page.records) found.push(keyOf(record, each))
  }
  if (cursor === 'snapshot' && rows) keys.set(record, found)
  return rows
}

const keyOf = (record: Stream['record'], row: object) =>
  Object.fromEntries(
    RECORDS[record].key.map((field) => [field, (row as Record<string, string>)[field]!]),
  )

process.on('message', (order: Order) => {
  void read(order).then((reading) => process.send!(reading))
})
