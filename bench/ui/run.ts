// node bench/ui/run.ts [--pairs 180000] [--database FILE] [--navigations 200]: see README.md
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openBrowser } from '../../test/support/browser.ts'
import { environment, findFreePort } from '../support/environment.ts'
import { openVisit } from './visit.ts'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '180000' },
    rounds: { type: 'string', default: '5' },
    navigations: { type: 'string', default: '0' },
    // The file is kept; if it exists it is used as it is.
    database: { type: 'string' },
  },
})
const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-ui-'))
const database = path.resolve(values.database ?? path.join(folder, 'restock.sqlite'))
const PORT = await findFreePort()
const url = `http://localhost:${PORT}`
const SETTLING_MS = 30_000
const env = environment(database, PORT)

async function fill() {
  const filling = fork(path.join(import.meta.dirname, 'fill.ts'), [values.pairs], {
    env,
    cwd: root,
  })
  const [proposed] = (await once(filling, 'message')) as [number]
  await once(filling, 'exit')
  console.log(`${proposed} proposals\n`)
}

const times = new Map<string, number[]>()
const note = (name: string, value: number) => times.set(name, [...(times.get(name) ?? []), value])

function print() {
  console.log('| what | times | least | median | most |\n| --- | --- | --- | --- | --- |')
  for (const [name, all] of times) {
    const sorted = all.toSorted((a, b) => a - b)
    const cells = [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!].map((value) =>
      value.toFixed(0),
    )
    console.log(`| ${[name, all.length, ...cells].join(' | ')} |`)
  }
}

/** Ten navigations warm the tab up; then what it holds is told after each fifth of the others. */
async function navigate(count: number) {
  console.log('\n| navigations | MB of JavaScript | listeners | nodes |\n| --- | --- | --- | --- |')
  const visit = await openVisit(browser, url, () => {})
  for (let done = 0; done <= count; done += count / 5) {
    const { heap, listeners, nodes } = await visit.navigate(done ? count / 5 : 10)
    console.log(`| ${done} | ${heap.toFixed(1)} | ${listeners} | ${nodes} |`)
  }
  await visit.end()
}

let service: ChildProcess | undefined
const browser = await openBrowser()
try {
  if (!existsSync(database)) await fill()
  service = fork(path.join(root, 'node_modules/@sap/cds/bin/serve.js'), [], {
    ...{ env, cwd: root, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  })
  while (!(await fetch(`${url}/health`).catch(() => null))?.ok) await sleep(200)
  // After the start the service seals the audit trail of the run.
  if (!values.database) await sleep(SETTLING_MS)
  const open = () => openVisit(browser, url, note)
  // The first visit is slower, because the service compiles its queries.
  await (await open()).end()
  times.clear()
  for (let round = 0; round < Number(values.rounds); round++) {
    const visit = await open()
    await visit.reopen()
    await visit.filter()
    await visit.search()
    await visit.scroll()
    await visit.openOne()
    await visit.openOrder()
    await visit.end()
  }
  print()
  if (Number(values.navigations)) await navigate(Number(values.navigations))
} finally {
  await browser.close()
  if (service?.exitCode === null) {
    service.kill()
    await once(service, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
}
