import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** The environment without what would change how the command works. */
const INHERITED = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(RESTOCK_|NODE_OPTIONS$)/.test(name)),
)

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

/** Runs the real `restock` with these arguments. */
export function restock(args: string[], options: RunOptions = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [...(options.node ?? []), BIN, ...args], {
    env: { ...INHERITED, ...options.env },
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
