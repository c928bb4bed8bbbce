// node bench/tasks/run.ts [--pairs 180000]: see README.md
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { environment, findFreePort } from '../support/environment.ts'

const { values } = parseArgs({ options: { pairs: { type: 'string', default: '180000' } } })
const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-tasks-'))
const PORT = await findFreePort()
const SEALING_MS = 20_000
const PAUSE_MS = 20
const BASE = `http://localhost:${PORT}/task-provider/v2`
const env = environment(path.join(folder, 'restock.sqlite'), PORT)

const as = (user: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`,
})

async function measureCall(path: string, user = 'taskcenter', body?: object) {
  const begun = performance.now()
  const response = await fetch(BASE + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...as(user), ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return { ms: performance.now() - begun, text }
}

const quantile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!

const row = (name: string, times: number[]) => {
  const cells = [quantile(times, 0.5), quantile(times, 0.99), Math.max(...times)]
  console.log(`| ${name} | ${times.length} | ${cells.map((ms) => ms.toFixed(1)).join(' | ')} |`)
}

interface Task {
  urn: string
  modifiedAt: string
}

/** Reads all tasks from the beginning, page by page. */
async function pullAll(top: number) {
  const times: number[] = []
  const tasks: Task[] = []
  for (let [modifiedAfter, last] = ['2020-01-01T00:00:00.000Z', '']; ;) {
    const query = `languages=en-US,de-DE&modifiedAfter=${modifiedAfter}&$top=${top}${last}`
    const { ms, text } = await measureCall(`/tasks?${query}`)
    times.push(ms)
    const page = (JSON.parse(text) as { value: Task[] }).value
    if (!page.length) return { times, tasks }
    tasks.push(...page)
    modifiedAfter = page.at(-1)!.modifiedAt
    last = `&lastId=${encodeURIComponent(page.at(-1)!.urn)}`
  }
}

async function callEach(tasks: Task[], call: (urn: string) => Promise<{ ms: number }>) {
  const times: number[] = []
  for (const { urn } of tasks) times.push((await call(`/tasks/${encodeURIComponent(urn)}`)).ms)
  return times
}

/** Calls repeatedly for some time; after a start the service seals the audit trail meanwhile. */
async function callRepeatedly(ms: number, call: () => Promise<{ ms: number }>) {
  const times: number[] = []
  for (const end = Date.now() + ms; Date.now() < end; await sleep(PAUSE_MS)) {
    times.push((await call()).ms)
  }
  return times
}

let service: ChildProcess | undefined
try {
  const filling = fork(path.join(import.meta.dirname, 'fill.ts'), [values.pairs], {
    env,
    cwd: root,
  })
  const [filled] = (await once(filling, 'message')) as [Record<string, number>]
  await once(filling, 'exit')
  const { tasks: count, stamps, ahead, seconds } = filled
  console.log(
    `${count} tasks made in ${seconds!.toFixed(1)} s, with ${stamps} stamps, ${ahead} ms ahead of the clock\n`,
  )
  service = fork(path.join(root, 'node_modules/@sap/cds/bin/serve.js'), [], { env, cwd: root })
  while (!(await fetch(`http://localhost:${PORT}/health`).catch(() => null))?.ok) await sleep(200)
  // The first call after the start is slower, because it compiles queries and opens connections.
  const first = await measureCall(
    '/tasks?languages=en&modifiedAfter=2020-01-01T00:00:00.000Z&$top=1',
  )
  const [one] = (JSON.parse(first.text) as { value: Task[] }).value
  const whileSealed = await callRepeatedly(SEALING_MS, () =>
    measureCall(`/tasks/${one!.urn}?languages=en`),
  )
  const { times, tasks } = await pullAll(1000)
  const sample = tasks.filter((_, index) => index % Math.floor(tasks.length / 300) === 0)
  console.log('| call | calls | p50 ms | p99 ms | longest ms |\n| --- | --- | --- | --- | --- |')
  row('GET /tasks/{urn}, while the run is sealed', whileSealed)
  row('GET /tasks, 1,000 of them', times.slice(0, -1))
  const newest = tasks.at(-1)!
  const delta = `/tasks?languages=en&modifiedAfter=${newest.modifiedAt}&lastId=${newest.urn}`
  row('GET /tasks, nothing new', await callEach(sample, () => measureCall(delta)))
  row('GET /tasks/{urn}', await callEach(sample, (path) => measureCall(`${path}?languages=en`)))
  row(
    'GET …/description',
    await callEach(sample, (path) => measureCall(`${path}/description`, 'approver')),
  )
  const act = (code: string) => (path: string) =>
    measureCall(`${path}/action?languages=en`, 'approver', { code })
  row('POST …/action, claim', await callEach(sample, act('claim')))
  row('POST …/action, release', await callEach(sample, act('release')))
  const reject = { code: 'reject', comment: 'no' }
  const [some, others] = [sample.slice(0, 150), sample.slice(150)]
  const respond = (body: object) => (path: string) =>
    measureCall(`${path}/response?languages=en`, 'approver', body)
  row('POST …/response, approve', await callEach(some, respond({ code: 'approve' })))
  row('POST …/response, reject', await callEach(others, respond(reject)))
} finally {
  service?.kill()
  if (service) await once(service, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
