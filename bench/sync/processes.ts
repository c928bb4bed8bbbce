import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Clock ticks per second in Linux's /proc. */
const TICKS = 100

const root = path.resolve(import.meta.dirname, '../..')

export interface Running {
  process: ChildProcess
  stop(): Promise<void>
  /** Peak resident memory so far, MB (Linux). */
  peakMemory(): number
  /** CPU time of all threads so far, seconds (Linux); other load on the machine hardly changes it. */
  cpuSeconds(): number
}

/** Starts a Node program of the checkout; its output is shown only if it ends unexpectedly. */
export function start(file: string, args: string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [path.join(root, file), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  child.once('exit', (code, signal) => {
    if (!signal && code) console.error(`${file} ended with ${code}:\n${output.slice(-4000)}`)
  })
  return {
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(8_000)])
      child.kill('SIGKILL')
    },
    peakMemory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    },
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS
    },
  }
}

/** Waits until `look` returns a value; undefined or an error means not yet. */
export async function waitUntil<T>(
  look: () => Promise<T | undefined>,
  seconds: number,
  everyMs = 100,
): Promise<T> {
  const end = Date.now() + seconds * 1000
  while (Date.now() < end) {
    const found = await look().catch(() => undefined)
    if (found !== undefined) return found
    await sleep(everyMs)
  }
  throw new Error(`not within ${seconds} s: ${look}`)
}
