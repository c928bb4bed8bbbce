// Whoever may do everything with the database cuts or bends the past while the service is stopped; a new process has no
// head in its memory, and nobody kept one. Each way on a copy of the same SQLite file (docs/guides/auditor.md).
import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import cds from '@sap/cds'
import { anchorWorker } from '../../../srv/domain/audit/anchor.ts'
import { sealEntries } from '../../../srv/domain/audit/seal.ts'
import { erasePerson } from '../../../srv/domain/privacy/index.ts'
import { keyRing } from '../../../srv/base/database/secrets/key-ring.ts'
import { stopWorkers } from '../../../srv/base/work/worker.ts'
import { temporaryFolder } from '../../support/configure.ts'
import { parseJson } from '../../support/json.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { withSharedModel } from '../../support/service.ts'
import { someOf } from '../../support/some-of.ts'
import { openShop } from '../proposals/shop.ts'
import { type Past, type Way, WAYS } from './cuts/ways.ts'

interface Found {
  valid: boolean
  broken: { seq: number; problem: string; object: string | null } | null
  /** Entries, or why not. */
  sealed: number | string
  alarms: { key: string; place: string }[]
  begun: number
  seq: number
}

const inFolder = (name: string) => path.join(temporaryFolder, name)
const [base, old] = [inFolder('base.sqlite'), inFolder('old.sqlite')]
let past: Past

const ownFile = () =>
  (cds.env.requires.db as unknown as { credentials: { url: string } }).credentials.url
/** The database as it stands; the anchor with it. */
function copyTo(file: string) {
  const db = new DatabaseSync(ownFile())
  db.exec(`VACUUM INTO '${file}'`)
  db.close()
  copyFileSync(inFolder('audit.anchor'), `${file}.anchor`)
}
const keep = async () => {
  await sealEntries()
  await anchorWorker.stop()
}

/** Compiled once. */
const model = inFolder('model.json')

beforeAll(async () => {
  writeFileSync(model, JSON.stringify(await cds.load(['db'])))
  const { take } = await openShop('cuts', 12)
  await stopWorkers()
  const approved = take()
  await approve(approved)
  await proposalsAs({}, 'decline', { ID: take(), reason: 'price' })
  const rejected = take()
  await proposalsAs({}, 'decline', { ID: rejected, reason: 'price' })
  await approve(take(), {}, { id: 'leaver' })
  await keep()
  const admin = new cds.User({ id: 'admin', roles: ['Admin'], attr: {} })
  await cds.tx({ user: admin } as never, () => erasePerson('leaver'))
  await keep()
  copyTo(old)
  const late = take()
  for (const ID of [late, take(), take()]) await approve(ID)
  await keep()
  const waiting = take()
  await approve(waiting)
  copyTo(base)
  past = { old, approved, rejected, pending: take(), late, waiting }
})

interface Restart {
  /** `off` for none. */
  anchor?: string
  env?: Record<string, string>
}

/** Another process on this file. */
async function restart(file: string, { anchor = `${file}.anchor`, env = {} }: Restart = {}) {
  const { NODE_OPTIONS: _o, JEST_WORKER_ID: _j, NODE_ENV: _e, ...inherited } = process.env
  const config = parseJson<{ restock: { audit: object } }>(inherited.CDS_CONFIG!)
  Object.assign(config, { requires: { db: { credentials: { url: file } } } })
  config.restock.audit = { anchorFile: anchor }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(import.meta.dirname, 'cuts/restart.ts'), model],
    { env: { ...inherited, CDS_CONFIG: JSON.stringify(config), ...env, ...withSharedModel() } },
  )
  return parseJson<Found>(stdout.trim().split('\n').at(-1)!)
}

/** A copy of its own, with its anchor. */
function fresh(name: string, from = base) {
  const file = inFolder(`${name}.sqlite`)
  copyFileSync(from, file)
  copyFileSync(`${from}.anchor`, `${file}.anchor`)
  return file
}
const anchorOf = (file: string) =>
  parseJson<{ seq: number; hash: string }>(readFileSync(`${file}.anchor`, 'utf8'))

/** The same file, bent, and what is found after a restart. */
async function attack(way: Way, at: number) {
  const file = fresh(`way-${at}`)
  if (way.isReplaced) copyFileSync(old, file)
  const db = new DatabaseSync(file)
  way.bend?.(db, past)
  db.close()
  if (way.isRegrown) await restart(file, { anchor: 'off' })
  const before = readFileSync(`${file}.anchor`, 'utf8')
  const found = await restart(file)
  return { ...found, isAnchorKept: readFileSync(`${file}.anchor`, 'utf8') === before }
}

/** Of what is reported alike one in four, and the first of each at any rate. */
const ways = [...Map.groupBy(WAYS, ({ problem }) => problem).values()].flatMap((alike) =>
  someOf(alike, 4),
)

/** So many processes at a time. */
const PROCESSES = 4
const results: Awaited<ReturnType<typeof attack>>[] = []

describe('after a restart this is reported:', () => {
  beforeAll(async () => {
    const waiting = [...ways.entries()]
    const next = async () => {
      for (let way = waiting.shift(); way; way = waiting.shift())
        results[way[0]] = await attack(way[1], way[0])
    }
    await Promise.all(Array.from({ length: PROCESSES }, next))
  }, 900_000)

  it.each(ways.map(({ name, problem }, at) => [name, problem, at] as const))(
    '%s',
    (_, problem, at) => {
      const { isAnchorKept, sealed, ...found } = results[at]!
      expect(found).toMatchObject({ valid: false, broken: { problem } })
      expect(found.alarms).toHaveLength(1)
      if (/truncated|anchor|head/.test(problem)) {
        expect([0, expect.stringContaining('Nothing is sealed')]).toContainEqual(sealed)
        expect(isAnchorKept).toBe(true)
      }
      if (problem.startsWith('proposal')) expect(found.broken!.object).toMatch(/^prop_\d+$/)
    },
  )
})

describe('no alarm is raised', () => {
  it('where nothing was changed, nor by the start after it', async () => {
    const file = fresh('sound')
    for (let count = 0; count < 2; count++) {
      expect(await restart(file)).toMatchObject({ valid: true, alarms: [], begun: 0 })
    }
    expect(statSync(`${file}.anchor`).mode & 0o777).toBe(0o600)
  })

  it('by an anchor that is older, since the process was killed before it was written', async () => {
    const file = fresh('killed')
    copyFileSync(`${old}.anchor`, `${file}.anchor`)
    const { seq, ...found } = await restart(file)
    expect(found).toMatchObject({ valid: true, alarms: [], begun: 0 })
    expect(anchorOf(file)).toMatchObject({ seq })
  })

  it('where there was no anchor yet, and an entry tells that it was begun', async () => {
    const file = fresh('former')
    rmSync(`${file}.anchor`)
    expect(await restart(file)).toMatchObject({ valid: true, alarms: [], begun: 1 })
    expect(await restart(file)).toMatchObject({ valid: true, alarms: [], begun: 1 })
  })

  it('by another encryption key, as long as the former one is listed for a start', async () => {
    const file = fresh('rotated')
    const RESTOCK_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')
    const former = keyRing().present.bytes.toString('base64')
    const env = { RESTOCK_ENCRYPTION_KEY, RESTOCK_ENCRYPTION_KEY_PREVIOUS: former }
    expect(await restart(file, { env })).toMatchObject({ valid: true, alarms: [] })
    const later = await restart(file, { env: { RESTOCK_ENCRYPTION_KEY } })
    expect(later).toMatchObject({ valid: true, alarms: [], begun: 0 })
  })
})

it('is accepted by whoever puts the anchor away, and an entry tells of it', async () => {
  const file = fresh('restored', old)
  copyFileSync(`${base}.anchor`, `${file}.anchor`)
  expect(await restart(file)).toMatchObject({ valid: false, alarms: [{ key: 'trail_cut' }] })
  renameSync(`${file}.anchor`, `${file}.before`)
  expect(await restart(file)).toMatchObject({ valid: true, alarms: [], begun: 1 })
})

it('takes no anchor that somebody else wrote, and leaves it as it is', async () => {
  const file = fresh('foreign')
  const foreign = readFileSync(`${base}.anchor`, 'utf8').replace(/"seq":\d+/, '"seq":1')
  writeFileSync(`${file}.anchor`, foreign)
  const found = await restart(file)
  expect(found).toMatchObject({ valid: false, broken: { problem: 'anchor_changed' } })
  expect(found.alarms).toMatchObject([{ key: 'trail_anchor', place: `${file}.anchor` }])
  expect(readFileSync(`${file}.anchor`, 'utf8')).toBe(foreign)
})

it('seals on where the anchor cannot be kept, and says so', async () => {
  const file = fresh('unwritable')
  const found = await restart(file, { anchor: `${file}/no.anchor` })
  expect(found).toMatchObject({ valid: true, sealed: 1, alarms: [{ key: 'trail_not_kept' }] })
})

it('keeps it at an address too', async () => {
  let kept: string | null = null
  const authorizations = new Set<string | undefined>()
  const server = createServer((request, response) => {
    authorizations.add(request.headers.authorization)
    void request.toArray().then((chunks: Buffer[]) => {
      if (request.method === 'PUT') kept = Buffer.concat(chunks).toString()
      response.writeHead(kept ? 200 : 404).end(kept)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const env = {
    RESTOCK_AUDIT_ANCHOR_URL: `http://127.0.0.1:${port}/anchor`,
    RESTOCK_AUDIT_ANCHOR_TOKEN: 'secret',
  }
  const file = fresh('address')
  const { seq } = await restart(file, { anchor: 'off', env })
  expect(parseJson(kept!)).toMatchObject({ seq })
  expect([...authorizations]).toEqual(['Bearer secret'])
  copyFileSync(old, file)
  const found = await restart(file, { anchor: 'off', env })
  expect(found).toMatchObject({ valid: false, broken: { problem: 'truncated' } })
  server.close()
  copyFileSync(base, file)
  const later = await restart(file, { anchor: 'off', env })
  expect(later).toMatchObject({ valid: true, sealed: 1, alarms: [{ key: 'trail_not_kept' }] })
})
