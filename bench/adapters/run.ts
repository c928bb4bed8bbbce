// node bench/adapters/run.ts [type…] [--size 50000] [--days 30]: every stream of an adapter from its simulator, whole and
// after one day of business. The adapter runs in a process of its own, whose processor time and memory are measured.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ERPS } from './erps.ts'
import type { Reading } from './read.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '50000' },
    days: { type: 'string', default: '30' },
  },
})

const whole = (value: number) => new Intl.NumberFormat('en').format(Math.round(value))
const [size, days] = [Number(values.size), Number(values.days)]
const COLUMNS = [
  ...['', 'rows', 'seconds', 'rows/s', 'CPU s', 'rows/CPU s', 'simulator CPU s', 'peak MB'],
  ...['rows after a day', 'seconds', 'CPU s', 'load'],
]

console.log(`${whole(size)} items, ${days} days of sales\n`)
print(COLUMNS)
print(COLUMNS.map(() => '---'))
for (const type of positionals.length ? positionals : Object.keys(ERPS)) {
  const erp = await ERPS[type]!({ size, days })
  const load = os.loadavg()[0]!
  const reader = fork(path.join(import.meta.dirname, 'read.ts'), [type])
  const ask = async (message: object) => {
    const [answer] = (reader.send(message), await once(reader, 'message')) as [Reading]
    return answer
  }
  const before = process.cpuUsage()
  const full = await ask({ connection: erp.connection(), full: true })
  const { user, system } = process.cpuUsage(before)
  await erp.oneDay()
  const later = await ask({ connection: erp.connection(), full: false })
  reader.kill()
  await erp.close()
  print([
    ...[type, whole(full.rows), full.seconds.toFixed(1), whole(full.rows / full.seconds)],
    ...[full.cpuSeconds.toFixed(1), whole(full.rows / full.cpuSeconds)],
    ...[((user + system) / 1e6).toFixed(1), whole(full.peakMB), whole(later.rows)],
    ...[later.seconds.toFixed(1), later.cpuSeconds.toFixed(1), load.toFixed(1)],
  ])
}

function print(cells: string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}
