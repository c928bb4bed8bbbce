// node bench/decisions/run.ts [--lines 1000] [--part 50] [--database FILE]: see README.md
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { environment, findFreePort } from '../support/environment.ts'
import { startRestock } from '../serve/service.ts'
import { decideAll } from './decide-all.ts'

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000' },
    /** Lines of a call; the app's own number. */
    part: { type: 'string', default: '50' },
    /** A SQLite file with proposals, such as that of bench/ui; it is copied. Without it the demo is made. */
    database: { type: 'string' },
    /** Flags of Node for the service, such as `--cpu-prof`. */
    node: { type: 'string', default: '' },
  },
})
const root = path.resolve(import.meta.dirname, '../..')

async function startOnCopy(file: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-decisions-'))
  const database = path.join(folder, 'restock.sqlite')
  copyFileSync(file, database)
  const port = await findFreePort()
  const child = fork(path.join(root, 'node_modules/@sap/cds/bin/serve.js'), [], {
    ...{ env: environment(database, port), cwd: root },
    execArgv: values.node.split(' ').filter(Boolean),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = `http://localhost:${port}`
  while (!(await fetch(`${url}/health`).catch(() => null))?.ok) await sleep(200)
  return {
    url,
    async stop() {
      child.kill()
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startOnDemo() {
  const { url, stop } = await startRestock()
  return { url: new URL(url).origin, stop }
}

const service = await (values.database ? startOnCopy(values.database) : startOnDemo())
try {
  const { lines, part } = values
  const answer = await decideAll(service.url, Number(lines), Number(part))
  const { seconds, slowestPart, approved, refusals } = answer
  console.log(`${approved} of ${lines} approved in ${seconds.toFixed(1)} s, ${part} a call`)
  console.log(
    `${((1000 * seconds) / Number(lines)).toFixed(1)} ms a line; the slowest call ${slowestPart} ms`,
  )
  for (const [code, count] of refusals) console.log(`refused ${code}: ${count}`)
  console.log(`load average ${os.loadavg()[0]!.toFixed(1)}`)
} finally {
  await service.stop()
}
