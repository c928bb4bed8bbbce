import { spawn } from 'node:child_process'
import path from 'node:path'

const bin = path.resolve(import.meta.dirname, '../../bin/restock.js')

/** A running `restock …`, whose output can be read while it runs. */
export class RestockCommand {
  stdout = ''
  stderr = ''
  readonly ended: Promise<number | null>

  constructor(args: string[], env: Record<string, string>) {
    const { NODE_OPTIONS: _o, JEST_WORKER_ID: _j, NODE_ENV: _e, ...inherited } = process.env
    const child = spawn(process.execPath, [bin, ...args], { env: { ...inherited, ...env } })
    child.stdin.end()
    child.stdout.on('data', (chunk) => (this.stdout += chunk))
    child.stderr.on('data', (chunk) => (this.stderr += chunk))
    this.ended = new Promise((resolve) => child.on('close', resolve))
  }
}
