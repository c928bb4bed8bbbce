// Dockerfile and compose.yaml, carried out without Docker: the lines of the Dockerfile in folders of their own, and what compose.yaml starts
// in namespaces of the kernel, with a root that cannot be written to, as the first process, as user 1000 without capabilities.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { launchPostgres } from '../support/databases/launch-postgres.ts'
import {
  commandOf,
  contextOf,
  type Instruction,
  type Stage,
  stagesOf,
  textsOf,
  valuesOf,
} from '../support/dockerfile.ts'
import { freePort } from '../support/free-port.ts'
import { RELEASE_ENVIRONMENT } from '../support/release-environment.ts'
import { until } from '../support/service.ts'
import { readYaml } from '../support/yaml.ts'

const root = path.resolve(import.meta.dirname, '../..')
const PASSWORD = 'Wq7-trombone-93'

/** What the guide's line puts into .env. */
const SECRETS: Record<string, string> = {
  DATABASE_PASSWORD: PASSWORD,
  ENCRYPTION_KEY: Buffer.from('of-32-bytes-for-this-test-alone!').toString('base64'),
  CLIENT_SECRET: 'kq8Zr-secret-of-the-client',
}

const canHaveNamespaces = !spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status
const possible = process.getuid?.() === 0 && canHaveNamespaces ? describe : describe.skip

const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-image-'))
// PostgreSQL and the container have users of their own.
chmodSync(folder, 0o755)

const env = RELEASE_ENVIRONMENT

/** Carries out a stage below a folder of its own, in which absolute paths begin. */
class Build {
  readonly #stages: Map<string, string>
  readonly #top: string
  #workdir = '/'

  constructor(stages: Map<string, string>, name: string) {
    this.#stages = stages
    this.#top = path.join(folder, name || 'image')
    stages.set(name, this.#top)
  }

  run({ instructions }: Stage): string {
    for (const instruction of instructions) this.#carryOut(instruction)
    return this.#top
  }

  #carryOut({ name, text }: Instruction) {
    if (name === 'WORKDIR') mkdirSync(this.#at((this.#workdir = text)), { recursive: true })
    if (name === 'COPY') this.#copy(text.split(' '))
    if (name === 'RUN') this.#execute(text)
  }

  #at = (file: string) => path.join(this.#top, path.resolve(this.#workdir, file))

  #copy(words: string[]) {
    const from = /^--from=(.+)$/.exec(words[0]!)?.[1]
    const names = from ? words.slice(1, -1) : words.slice(0, -1)
    const target = words.at(-1)!
    for (const name of names.flatMap((each) => (each === '.' ? contextOf(root) : [each]))) {
      if (from) this.#take(path.join(this.#stages.get(from)!, name), this.#at(target))
      else cpSync(path.join(root, name), path.join(this.#at(target), name), { recursive: true })
    }
  }

  /** From another stage: the content of a folder, or a file. */
  #take(source: string, target: string) {
    const isFolder = statSync(source).isDirectory()
    if (isFolder && !existsSync(target)) renameSync(source, target)
    else
      cpSync(source, isFolder ? target : path.join(target, path.basename(source)), {
        recursive: true,
      })
  }

  #execute(line: string) {
    const cwd = this.#at('.')
    // All that development needs is what this checkout has already, the built libraries too.
    if (line === 'npm ci') {
      for (const name of ['node_modules', '.restock'])
        if (existsSync(path.join(root, name)))
          symlinkSync(path.join(root, name), path.join(cwd, name))
      return
    }
    const script = line.replaceAll(/(?<=\s)\/(?=\w)/g, `${this.#top}/`)
    execFileSync('bash', ['-e', '-c', script], { cwd, env, encoding: 'utf8', stdio: 'pipe' })
  }
}

/** Bytes on the disk. */
const sizeOf = (at: string) =>
  Number(
    execFileSync('du', ['--summarize', '--block-size=1', at], { encoding: 'utf8' }).split('\t')[0],
  )

interface Container {
  command?: string[]
  environment: Record<string, string>
}

possible('the image', () => {
  const stages = stagesOf(path.join(root, 'Dockerfile'))
  const image = stages.at(-1)!
  const { services } = readYaml<{ services: Record<string, Container> }>(
    path.join(root, 'compose.yaml'),
  )
  let top: string
  let postgres: Awaited<ReturnType<typeof launchPostgres>>
  let variables: Record<string, string>
  let url = ''
  let log = ''
  const started = new Set<ChildProcess>()

  beforeAll(async () => {
    postgres = await launchPostgres()
    const port = await freePort()
    url = `http://localhost:${port}`
    const at = { host: '127.0.0.1', port: postgres.port, user: 'restock', password: 'restock' }
    const client = new pg.Client({ ...at, database: 'postgres' })
    await client.connect()
    await client.query(`ALTER ROLE restock PASSWORD '${PASSWORD}'`)
    await client.query('CREATE DATABASE restock')
    await client.end()
    const told = Object.entries(services.restock!.environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):\?.*\}/, (_, secret: string) => SECRETS[secret]!),
    ])
    variables = {
      ...valuesOf(image, 'ENV'),
      ...(Object.fromEntries(told) as Record<string, string>),
      ...{ PORT: String(port), RESTOCK_PUBLIC_URL: url },
      CDS_REQUIRES_DB_CREDENTIALS_PORT: String(postgres.port),
    }
  }, 120_000)

  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL')
    await postgres?.server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts a command in a container; its end ends all in it. */
  function start(command: string[]) {
    log = ''
    const script = path.join(import.meta.dirname, 'container.sh')
    const args = ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-e', script]
    const child = spawn('unshare', [...args, top, process.execPath, ...command], { env: variables })
    started.add(child)
    child.once('exit', () => started.delete(child))
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text))
    return child
  }

  async function codeOf(child: ChildProcess) {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  }

  /** The number that this machine has for the first process of a container; null before there is one and after its end. */
  function firstOf({ pid }: ChildProcess) {
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      return Number(children.trim().split(' ')[0]) || null
    } catch {
      return null
    }
  }

  /** As `docker stop` does first. */
  function stop(child: ChildProcess) {
    const first = firstOf(child)
    if (first) process.kill(first, 'SIGTERM')
  }

  const statusOf = (pid: number) =>
    Object.fromEntries(
      readFileSync(`/proc/${pid}/status`, 'utf8')
        .split('\n')
        .map((line) => line.split(/:\s+/) as [string, string]),
    )

  it('is built by the lines of the Dockerfile, in less than 600 MB', () => {
    const built = new Map<string, string>()
    for (const stage of stages) top = new Build(built, stage.name).run(stage)
    const release = readdirSync(path.join(top, 'opt/restock'))
    expect(release).toEqual(expect.arrayContaining(['node_modules', 'srv', 'ui5', 'sbom.json']))
    for (const name of ['test', 'docs', '.env', '.git']) expect(release).not.toContain(name)
    // node:24-bookworm-slim is 230 MB (its published size on the disk).
    expect(230e6 + sizeOf(top)).toBeLessThan(600e6)
  }, 600_000)

  it('makes the tables, and ends', async () => {
    expect([await codeOf(start(services.deploy!.command!)), log]).toEqual([0, expect.any(String)])
  }, 120_000)

  it('writes the demo where a source of the kind csv reads it', async () => {
    expect([await codeOf(start(services.demo!.command!)), log]).toEqual([0, expect.any(String)])
    const files = readdirSync(path.join(top, services.demo!.command!.at(-1)!))
    expect(files).toEqual(expect.arrayContaining(['demand.csv.gz', 'stock.csv.gz']))
  }, 120_000)

  it('a stop during its start ends it, as soon as it turns to signals', async () => {
    const child = start(commandOf(image, 'CMD'))
    const ended = codeOf(child)
    // What comes before it listens to signals is lost, as it is for each first process.
    while (child.exitCode === null && child.signalCode === null) {
      await sleep(50)
      stop(child)
    }
    expect(await ended).toBe(128 + 15)
  }, 30_000)

  it('serves, healthy, without a right and with nothing to write to, and stops in peace', async () => {
    const child = start(commandOf(image, 'CMD'))
    const isReady = async () => (await fetch(`${url}/health/ready`)).ok
    await until(isReady, 180).catch((error) => {
      throw new Error(log, { cause: error })
    })
    const first = firstOf(child)!
    expect(statusOf(first)).toMatchObject({
      ...{ Uid: '1000\t1000\t1000\t1000', CapEff: '0000000000000000', NoNewPrivs: '1' },
      NSpid: `${first}\t1`,
    })
    const [node, ...check] = commandOf(image, 'HEALTHCHECK')
    expect(node).toBe('node')
    execFileSync(process.execPath, check, { env: { ...env, PORT: variables.PORT } })
    expect((await fetch(`${url}/v1/openapi.json`)).status).toBe(200)
    const away = { redirect: 'manual' } as const
    const page = await fetch(`${url}/apps/buyer/index.html`, away)
    expect(page.headers.get('location')).toContain('/auth/login')
    const ended = codeOf(child)
    stop(child)
    await sleep(1_000)
    expect((await fetch(`${url}/health/ready`)).status).toBe(503)
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
    expect(await ended).toBe(0)
    for (const secret of Object.values(SECRETS)) expect(log).not.toContain(secret)
    expect(textsOf(image, 'USER')).toEqual(['1000:1000'])
  }, 300_000)
})
