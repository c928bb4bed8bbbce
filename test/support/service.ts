import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import axios, { type AxiosInstance } from 'axios'

const root = path.resolve(import.meta.dirname, '../..')

/** What `npm start` runs in the end. */
export const SERVE = [process.execPath, path.join(root, 'node_modules/@sap/cds/bin/serve.js')]

/** Compiling the model is half of a start: a service whose start is not what is tested reads what was compiled before. */
export function withSharedModel(options = '') {
  const file = path.join(import.meta.dirname, 'use-shared-model.ts')
  return process.env.TEST_MODELS ? { NODE_OPTIONS: `--import=${file} ${options}`.trim() } : {}
}

/** No schedules, because jobs would disturb a test that runs at the full hour. */
const UNSCHEDULED = {
  CDS_RESTOCK_SCHEDULES_FULL: 'off',
  CDS_RESTOCK_SCHEDULES_INCREMENTAL: 'off',
  CDS_RESTOCK_SCHEDULES_HOUSEKEEPING: 'off',
}

/** The exit code, or the signal's name. */
type Exit = [number | null, NodeJS.Signals | null]

/** The service as `npm start` runs it, in its own process. */
export class Service {
  readonly database: string
  log = ''
  readonly #port: number
  #process: ChildProcess | undefined

  private constructor(port: number, database: string) {
    this.#port = port
    this.database = database
  }

  /** @param port 0 for a free port, which differs at each start */
  static async inTemporaryFolder(port = 0) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'restock-journey-'))
    return new Service(port, path.join(folder, 'restock.sqlite'))
  }

  /** Its address from its log; set once it serves and the demo key exists. */
  get port() {
    return Number(/API: http:\/\/localhost:(\d+)\/v1, a key is in/.exec(this.log)?.[1])
  }

  get url() {
    return `http://localhost:${this.port}`
  }

  get pid() {
    return this.#process!.pid
  }

  get keyFile() {
    return path.join(root, '.restock', `key-${this.port}`)
  }

  /** @param command what to start so that it compiles the model itself; unless given, it reads a compiled one */
  async start(env: Record<string, string> = {}, command?: string[]) {
    this.#spawn(env, command)
    const lastLine = env.RESTOCK_DEMO === 'key' ? 'a key is in' : 'next:'
    await until(async () => this.log.includes(lastLine), 120).catch((error) => {
      throw new Error(this.log, { cause: error })
    })
  }

  /** Starts the service and expects it to fail. @returns the exit code, or the signal's name */
  async fail(env: Record<string, string>) {
    const [code, name] = (await once(this.#spawn(env), 'exit')) as Exit
    return code ?? name
  }

  #spawn(env: Record<string, string>, given?: string[]) {
    this.log = ''
    const [command, ...args] = given ?? SERVE
    this.#process = spawn(command!, args, {
      cwd: root,
      env: {
        ...withoutJest(process.env),
        CDS_TYPESCRIPT: 'true',
        RESTOCK_RATE_LIMIT: 'off',
        ...UNSCHEDULED,
        PORT: String(this.#port),
        CDS_REQUIRES_DB_CREDENTIALS_URL: this.database,
        ...env,
        ...(!given && withSharedModel(env.NODE_OPTIONS)),
      },
    })
    for (const stream of [this.#process.stdout!, this.#process.stderr!]) {
      stream.on('data', (chunk) => (this.log += chunk))
    }
    return this.#process
  }

  /** @returns the exit code, or the signal's name */
  async stop(signal: NodeJS.Signals = 'SIGTERM') {
    const ended = once(this.#process!, 'exit')
    this.#process!.kill(signal)
    const [code, name] = (await ended) as Exit
    await rm(this.keyFile, { force: true })
    return code ?? name
  }

  async api(): Promise<AxiosInstance> {
    const key = (await readFile(this.keyFile, 'utf8')).trim()
    return axios.create({
      baseURL: `${this.url}/v1`,
      headers: { Authorization: `Bearer ${key}` },
      validateStatus: () => true,
    })
  }

  async clean() {
    this.#process?.kill('SIGKILL')
    await rm(path.dirname(this.database), { recursive: true, force: true })
    await rm(this.keyFile, { force: true })
  }
}

const withoutJest = ({
  NODE_OPTIONS: _o,
  JEST_WORKER_ID: _j,
  NODE_ENV: _e,
  ...env
}: NodeJS.ProcessEnv) => env

/** Waits until `holds` returns true; an error means not yet. */
export async function until(holds: () => Promise<boolean>, seconds = 90) {
  const end = Date.now() + seconds * 1000
  for (;;) {
    if (await holds().catch(() => false)) return
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${holds}`)
    await sleep(100)
  }
}
