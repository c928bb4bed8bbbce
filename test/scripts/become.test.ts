import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { until } from '../support/service.ts'

const become = pathToFileURL(
  path.resolve(import.meta.dirname, '../../srv/base/start/become.ts'),
).href

/** Ends with 3 once it is told to, as a service that has put its work in order. */
const PROGRAM = `
import { endWithStarter } from '${become}'
endWithStarter()
process.on('SIGTERM', () => process.exit(3))
setInterval(() => {}, 1000)
console.log(process.pid)
`

let folder: string
let started: ChildProcess
let program: number

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'restock-become-'))
  writeFileSync(path.join(folder, 'program.ts'), PROGRAM)
  const file = JSON.stringify(path.join(folder, 'program.ts'))
  writeFileSync(
    path.join(folder, 'starter.ts'),
    `import { become } from '${become}'\nbecome(${file}, [], {})`,
  )
  writeFileSync(path.join(folder, 'older.cjs'), 'delete process.execve')
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => started.kill('SIGKILL'))

async function start(...options: string[]) {
  started = spawn(process.execPath, [...options, path.join(folder, 'starter.ts')], {
    ...{ stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
  })
  const [line] = (await once(started.stdout!, 'data')) as [Buffer]
  program = Number(line.toString())
}

const isRunning = () => {
  try {
    return process.kill(program, 0)
  } catch {
    return false
  }
}

// Before Node 22.15, and on Windows.
describe('where a process cannot be replaced', () => {
  beforeEach(() => start('--require', path.join(folder, 'older.cjs')))

  it('the program below gets the signal, and its code is that of the process', async () => {
    expect(program).not.toBe(started.pid)
    started.kill('SIGTERM')
    expect(await once(started, 'exit')).toEqual([3, null])
  })

  it('the program ends with the process that is killed', async () => {
    started.kill('SIGKILL')
    await until(() => Promise.resolve(!isRunning()), 10)
  })
})

const itOnPosix = process.platform === 'win32' ? it.skip : it
itOnPosix('elsewhere the program runs in its place', async () => {
  await start()
  expect(program).toBe(started.pid)
  started.kill('SIGTERM')
  expect(await once(started, 'exit')).toEqual([3, null])
})
