// An instance of the service in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export class Instance {
  readonly name: string
  readonly #env: NodeJS.ProcessEnv
  readonly #logFile: string
  /** The checkout that the next start runs. */
  root: string
  #process: ChildProcess | undefined
  #log = ''
  key = ''
  url = ''
  /** Whether a balancer sends it calls. */
  takesCalls = false

  constructor(
    name: string,
    env: NodeJS.ProcessEnv,
    logFile: string,
    root = path.resolve(import.meta.dirname, '../..'),
  ) {
    this.name = name
    this.#env = env
    this.#logFile = logFile
    this.root = root
  }

  async start() {
    const { root } = this
    this.#log = ''
    const child = (this.#process = spawn(
      process.execPath,
      [path.join(root, 'node_modules/@sap/cds/bin/serve.js')],
      { cwd: root, env: { ...this.#env, PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] },
    ))
    const kept = createWriteStream(this.#logFile, { flags: 'a' })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        kept.write(chunk)
        if (!this.takesCalls) this.#log += String(chunk)
      })
    }
    const ready = /API: http:\/\/localhost:(\d+)\/v1, a key is in/
    for (let tries = 0; !ready.test(this.#log); tries++) {
      if (tries > 1200 || child.exitCode !== null) throw new Error(this.#log)
      await sleep(100)
    }
    const [, port] = ready.exec(this.#log)!
    this.url = `http://127.0.0.1:${port}`
    const file = path.join(root, '.restock', `key-${port}`)
    this.key = (await readFile(file, 'utf8')).trim()
    await rm(file)
    this.takesCalls = true
  }

  get pid() {
    return this.#process!.pid!
  }

  /** @returns milliseconds until the process ended */
  async end(): Promise<number> {
    this.takesCalls = false
    const child = this.#process!
    if (child.exitCode !== null) return 0
    const began = Date.now()
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    return Date.now() - began
  }

  async call(method: string, address: string, body?: object, idempotencyKey?: string) {
    const response = await fetch(`${this.url}/v1${address}`, {
      method,
      headers: {
        ...{ Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await response.text()
    return { status: response.status, json: (text ? JSON.parse(text) : null) as never }
  }
}
