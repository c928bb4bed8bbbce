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
}

/** Runs the real `restock` with these arguments, and nothing on its stdin. */
export function restock(args: string[], options: RunOptions = {}): Promise<Outcome> {
  const child = spawn(process.execPath, [...(options.node ?? []), BIN, ...args], {
    env: { ...INHERITED, ...options.env },
    cwd: options.cwd,
    stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'],
  })
  const outcome: Outcome = { code: null, stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk: Buffer) => (outcome.stdout += chunk.toString()))
  child.stderr!.on('data', (chunk: Buffer) => (outcome.stderr += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...outcome, code }))
  })
}
