import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { main } from '../../cli/main.ts'

/** What the command reads of the environment. */
const READ =
  /^(NODE_OPTIONS|RESTOCK_(URL|API_KEY|CLIENT_SECRET|USER_TOKEN|TASK_CENTER_TOKEN|NODE_.*))$/

/** The environment without what would change how the command works. */
const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !READ.test(name)))

const BIN = join(import.meta.dirname, '../../bin/restock.js')

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  cwd?: string
  /** Flags for Node itself. */
  node?: string[]
  /** Where stdout goes instead of into the outcome. */
  stdout?: number
  /** What it gets on its stdin; nothing unless given. */
  stdin?: string | Buffer
}

/** Runs the real `restock` with these arguments, in a process of its own. */
export function restock(args: string[], options: RunOptions = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [...(options.node ?? []), BIN, ...args], {
    env: { ...inherited(), ...options.env },
    cwd: options.cwd,
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', options.stdout ?? 'pipe', 'pipe'],
  })
  child.stdin?.end(options.stdin)
  const outcome: Outcome = { code: null, stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk: Buffer) => (outcome.stdout += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => (outcome.stderr += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...outcome, code }))
  })
}

let last: Promise<unknown> = Promise.resolve()

/** The same in this process, which takes a fraction of the time: one command after another, since each has all of its output. */
export function restockHere(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const outcome = last.then(() => runHere(args, env))
  last = outcome.catch(() => {})
  return outcome
}

async function runHere(args: string[], env: Record<string, string>): Promise<Outcome> {
  const before = { env: process.env, exitCode: process.exitCode }
  const listeners = process.stdout.listeners('error')
  const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)]
  process.env = { ...inherited(), ...env }
  process.exitCode = undefined
  try {
    await main(['node', 'restock', ...args])
    const code = Number(process.exitCode ?? 0)
    return { code, stdout: stdout.text, stderr: stderr.text }
  } finally {
    Object.assign(process, before)
    for (const each of process.stdout.listeners('error') as (() => void)[])
      if (!listeners.includes(each)) process.stdout.off('error', each)
    for (const stream of [stdout, stderr]) stream.release()
  }
}

/** What is written to a stream, which is no terminal meanwhile. */
function captured(stream: NodeJS.WriteStream) {
  const { isTTY } = stream
  const write = stream.write.bind(stream)
  const capture = { text: '', release: () => Object.assign(stream, { write, isTTY }) }
  const take = (chunk: string | Uint8Array) => {
    capture.text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    return true
  }
  Object.assign(stream, { write: take, isTTY: false })
  return capture
}
