import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { DataAt } from './data-at.ts'
import { until, withSharedModel } from './service.ts'

const root = path.resolve(import.meta.dirname, '../..')

interface Options {
  env?: Record<string, string>
  /** Settings of `cds.restock`. */
  restock?: Record<string, unknown>
}

/** An instance of the service in its own process, on the test file's database. */
export class Instance {
  log = ''
  #process: ChildProcess
  readonly #hasKey: boolean

  private constructor({ env = {}, restock = {} }: Options) {
    const { NODE_OPTIONS: _o, JEST_WORKER_ID: _j, NODE_ENV: _e, ...inherited } = process.env
    const config = JSON.parse(inherited.CDS_CONFIG!) as { restock: object }
    Object.assign(config.restock, { demo: 'key' }, restock)
    this.#hasKey = restock.demo !== false
    this.#process = spawn(process.execPath, [path.join(root, 'srv/base/start/serve.ts')], {
      cwd: root,
      env: {
        ...inherited,
        ...{ PORT: '0', CDS_TYPESCRIPT: 'true', CDS_CONFIG: JSON.stringify(config) },
        ...env,
        ...withSharedModel(env.NODE_OPTIONS),
      },
    })
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) {
      stream.on('data', (chunk) => (this.log += chunk))
    }
  }

  static async start(options: Options = {}): Promise<Instance> {
    const instance = new Instance(options)
    await until(async () => instance.port > 0, 120).catch((error) => {
      throw new Error(instance.log, { cause: error })
    })
    return instance
  }

  /** The port from its log; NaN until it serves and, unless `demo` is false, the demo key exists. */
  get port() {
    const ready = this.#hasKey
      ? /API: http:\/\/localhost:(\d+)\/v1, a key is in/
      : /(?:server listening on \{ url: '|Restock serves at )http:\/\/localhost:(\d+)/
    return Number(ready.exec(this.log)?.[1])
  }

  get url() {
    return `http://127.0.0.1:${this.port}`
  }

  #keyFile() {
    return path.join(root, '.restock', `key-${this.port}`)
  }

  /** The demo's key, which has all scopes. */
  async key(): Promise<string> {
    return (await readFile(this.#keyFile(), 'utf8')).trim()
  }

  async call<const M extends string, const P extends string>(
    method: M,
    address: P,
    body?: unknown,
    key?: string,
  ) {
    const response = await fetch(`${this.url}/v1${address}`, {
      method,
      headers: {
        Authorization: `Bearer ${key ?? (await this.key())}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      json: (text ? JSON.parse(text) : null) as DataAt<M, P>,
    }
  }

  /** Sends a signal, and waits for nothing. */
  signal(name: NodeJS.Signals) {
    this.#process.kill(name)
  }

  /** @returns the exit code, or the signal's name */
  async end(signal: NodeJS.Signals = 'SIGTERM') {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, 'exit')
      this.#process.kill(signal)
      await ended
    }
    await rm(this.#keyFile(), { force: true })
    return this.#process.exitCode ?? this.#process.signalCode
  }
}
