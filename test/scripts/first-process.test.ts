// srv/base/start/first-process, as the first process of a namespace of the kernel, which is what a container is.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const file = path.resolve(import.meta.dirname, '../../srv/base/start/first-process.ts')
const namespace = ['--pid', '--fork', '--kill-child']
const whereNamespacesAre = spawnSync('unshare', [...namespace, 'true']).status ? it.skip : it

/** Starts Node with what follows the import, and waits until it says that it is there. */
async function start(script: string) {
  const text = `await import(${JSON.stringify(file)}); setInterval(() => {}, 1000); ${script}; console.log('there')`
  const node = [process.execPath, '--input-type=module', '--eval', text]
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn('unshare', [...namespace, ...node], { env })
  await once(child.stdout, 'data')
  return child
}

async function stop(child: ChildProcess) {
  const { pid } = child
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const ended = once(child, 'exit') as Promise<[number | null]>
  process.kill(Number(first), 'SIGTERM')
  const [code] = await ended
  return code
}

whereNamespacesAre('it ends when it is told to, before anything else listens', async () => {
  expect(await stop(await start(''))).toBe(128 + 15)
})

whereNamespacesAre('what listens later decides by itself', async () => {
  const own = `process.on('SIGTERM', () => setTimeout(() => process.exit(7), 100))`
  expect(await stop(await start(own))).toBe(7)
})
