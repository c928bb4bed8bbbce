// The service in a process of its own, on the database of this test, to be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { until } from '../../support/service.ts'

const root = path.resolve(import.meta.dirname, '../../..')

export class KilledService {
  log = ''
  #process: ChildProcess
  #keyFile = ''
  #url = ''
  #key = ''

  private constructor() {
    const { NODE_OPTIONS: _o, JEST_WORKER_ID: _j, NODE_ENV: _e, ...env } = process.env
    const config = JSON.parse(env.CDS_CONFIG!)
    this.#process = spawn(
      process.execPath,
      [path.join(root, 'node_modules/@sap/cds/bin/serve.js')],
      {
        cwd: root,
        env: {
          ...env,
          ...{ CDS_TYPESCRIPT: 'true', PORT: '0', RESTOCK_RATE_LIMIT: 'off' },
          CDS_CONFIG: JSON.stringify({ ...config, restock: { ...config.restock, demo: 'key' } }),
        },
      },
    )
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) {
      stream.on('data', (chunk) => (this.log += chunk))
    }
  }

  static async start(): Promise<KilledService> {
    const service = new KilledService()
    await service.#started().catch((error) => {
      service.#process.kill('SIGKILL')
      throw new Error(`${error.message}\n${service.log}`)
    })
    return service
  }

  async #started() {
    await until(async () => this.log.includes('a key is in'), 60)
    const [, url, file] = /API: (\S+), a key is in (\S+)/.exec(this.log)!
    this.#url = url!
    this.#keyFile = path.join(root, file!)
    this.#key = (await readFile(this.#keyFile, 'utf8')).trim()
  }

  /** @returns the JSON of the answer */
  async call<T>(method: 'GET' | 'POST', address: string, body?: unknown): Promise<T> {
    const response = await fetch(this.#url + address, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as T
  }

  /** @returns the exit code, or the signal's name */
  async end(signal: 'SIGKILL' | 'SIGTERM') {
    await rm(this.#keyFile, { force: true })
    const ended = once(this.#process, 'exit')
    this.#process.kill(signal)
    const [code, name] = await ended
    return code ?? name
  }
}
