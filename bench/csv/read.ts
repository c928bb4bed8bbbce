// node bench/csv/read.ts <root>: reads demand of the folder `large` through the source csv, and nothing else.
import { readFileSync } from 'node:fs'
import { csvStream } from '../../adapters/csv/streams.ts'
import { Drop } from '../../adapters/csv/file/drop.ts'
import { Folder } from '../../adapters/csv/file/folder.ts'
import { TABLES } from '../../adapters/csv/tables.ts'

const table = TABLES.find(({ record }) => record === 'demand')!
const stream = csvStream(table, new Drop(new Folder(process.argv[2]!, 'large'), 0), {})
const from = Date.now()
let rows = 0
for await (const page of stream.read(null, AbortSignal.timeout(600_000)))
  rows += page.records.length
const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    ...{ read: rows, seconds: (Date.now() - from) / 1000 },
    ...{ cpuSeconds: (user + system) / 1e6, peakMB: Math.round(Number(peak) / 1024) },
  }),
)
