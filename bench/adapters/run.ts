// node bench/adapters/run.ts [type…] [--size 50000] [--days 60]: every stream of an adapter from its simulator, whole and
// after one day of business. The adapter runs in a process of its own, whose memory is measured.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ERPS } from './erps.ts'
import type { Reading } from './read.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '50000' },
    days: { type: 'string', default: '60' },
  },
})

const whole = (value: number) => new Intl.NumberFormat('en').format(Math.round(value))
const [size, days] = [Number(values.size), Number(values.days)]

console.log(`${whole(size)} items, ${days} days of sales`)
for (const type of positionals.length ? positionals : Object.keys(ERPS)) {
  const erp = await ERPS[type]!({ size, days })
  const reader = fork(path.join(import.meta.dirname, 'read.ts'), [type])
  const ask = async (message: object) => {
    const [answer] = (reader.send(message), await once(reader, 'message')) as [Reading]
    return answer
  }
  const full = await ask({ connection: erp.connection(), full: true })
  erp.oneDay()
  const later = await ask({ connection: erp.connection(), full: false })
  reader.kill()
  await erp.close()
  const rate = full.rows / full.seconds
  console.log(
    [
      `| ${type} | ${whole(full.rows)} | ${full.seconds.toFixed(1)} | ${whole(rate)}`,
      `${whole(full.peakMB)} | ${whole(later.rows)} | ${later.seconds.toFixed(1)} |`,
    ].join(' | '),
  )
}
