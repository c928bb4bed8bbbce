// Reads all streams of an adapter as often as it is told to, and says what that took.
import { readFileSync } from 'node:fs'
import type { Connection, Cursor } from '../../adapters/adapter.ts'
import { adapterOf } from '../../adapters/index.ts'

export interface Reading {
  rows: number
  seconds: number
  peakMB: number
}

interface Order {
  connection: Omit<Connection, 'credentials'> & { header: string }
  full: boolean
}

const adapter = adapterOf(process.argv[2]!)!
const cursors = new Map<string, Cursor>()

async function read({ connection: { header, ...given }, full }: Order): Promise<Reading> {
  const connection = { ...given, credentials: { authorization: async () => header } }
  const from = Date.now()
  let rows = 0
  const readOne = async (stream: ReturnType<typeof adapter.streams>[0]) => {
    const since = full ? null : (cursors.get(stream.record) ?? null)
    for await (const page of stream.read(since, AbortSignal.timeout(3_600_000))) {
      rows += page.records.length
      cursors.set(stream.record, page.cursor)
    }
  }
  // As a sync does: all streams at once.
  await Promise.all(adapter.streams(connection).map(readOne))
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return { rows, seconds: (Date.now() - from) / 1000, peakMB: Number(peak) / 1024 }
}

process.on('message', (order: Order) => {
  void read(order).then((reading) => process.send!(reading))
})
