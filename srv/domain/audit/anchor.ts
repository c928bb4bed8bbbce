// The anchor is a copy of the newest head, kept outside the database. Whoever cuts the chain there and puts back an old
// head cannot change this copy.
import { hash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import cds from '@sap/cds'
import axios from 'axios'
import { databaseFile, makeDurable } from '../../base/database/database-file.ts'
import { environment, ownFolder, routeOfPlatform, settings } from '../../base/settings/config.ts'
import { Worker } from '../../base/work/worker.ts'
import { type Head, sealFaultOf } from './chain.ts'

/** How long a store is not read again while nothing is sealed. Another instance may have written to it. */
const LOOK_MS = 60_000

class Anchor {
  readonly #store: AnchorStore
  /** The text that was last read from the store or written to it; undefined before the first read. */
  text: string | null | undefined
  /** Why it could not be read or written. */
  failure: string | null = null
  /** Whether the store holds a text that this service did not write. */
  isChanged = false
  #lookAt = 0

  constructor(store: AnchorStore) {
    this.#store = store
  }

  get name() {
    return this.#store.name
  }

  /** A failure is logged once, and tried again by the next call. */
  async #try(work: () => Promise<void>) {
    try {
      await work()
      this.failure = null
    } catch (error) {
      const { message } = error as Error
      if (message !== this.failure) {
        cds.log('audit').error(`The anchor of the audit trail, ${this.name}: ${message}`)
      }
      this.failure = message
    }
  }

  look = () => this.#try(() => this.#read())

  async #read() {
    this.text = await this.#store.read()
    const head = this.text === null ? null : parse(this.text)
    const isForked = head?.seq === newest?.seq && head?.hash !== newest?.hash
    this.isChanged = this.text !== null && (!head || isForked)
    if (head && head.seq > (newest?.seq ?? 0)) noteHead(head)
  }

  /** Writes the newest head to the store. It never replaces a newer one, nor a text that this service did not write. */
  keep = () =>
    this.#try(async () => {
      if (this.text === textOfAnchor() && Date.now() < this.#lookAt) return
      await this.#read()
      const text = textOfAnchor()
      if (this.text !== text && !this.isChanged) await this.#store.write(text)
      if (!this.isChanged) this.text = text
      this.#lookAt = Date.now() + LOOK_MS
    })
}

/** Reads an anchor's text; null if this service did not write it. */
function parse(text: string): Head | null {
  try {
    const head = JSON.parse(text) as Head
    return sealFaultOf(head) ? null : head
  } catch {
    return null
  }
}

/** The newest known head, from this instance or a store. Its seal proves it genuine, so it may come from anywhere. */
let newest: Head | null = null
const textOfAnchor = () => JSON.stringify(newest)

/** Notes a head that was verified or sealed just now. The same head may return with its key encrypted anew. */
export function noteHead({ seq, hash, sealedAt, seal, sealKey }: Head) {
  if (seq > 0 && seq >= (newest?.seq ?? 0)) newest = { seq, hash, sealedAt, seal, sealKey }
}

let anchors: Anchor[] | undefined
let loading: Promise<unknown> | undefined
/** If every store is empty at the start, an entry of the trail says so before the first anchor is written. */
let beginning: 'due' | 'under way' | 'done' = 'done'

/** The newest head that any start with the same store has seen; null if there was none. */
export async function readAnchor(): Promise<Head | null> {
  await (loading ??= load())
  return newest
}

async function load() {
  anchors = anchorStores().map((store) => new Anchor(store))
  if (!anchors.length) {
    cds
      .log('audit')
      .warn('No anchor is kept, so that a past that is cut off may not show: set audit.anchorUrl.')
  }
  await Promise.all(anchors.map(({ look }) => look()))
  if (anchors.length && anchors.every(({ text }) => text === null)) beginning = 'due'
}

/** Lets the first anchor be written after `tell` has told so in the trail; does nothing if there is one. */
export async function beginAnchor(tell: () => Promise<unknown>) {
  await readAnchor()
  if (beginning !== 'due') return
  beginning = 'under way'
  try {
    await tell()
    beginning = 'done'
  } catch (error) {
    beginning = 'due'
    throw error
  }
}

/** The stores of the anchor, each with its last failure. */
export const readAnchors = () => anchors ?? []

async function keepAnchor() {
  if (!(await readAnchor()) || beginning !== 'done') return
  await makeDurable()
  await Promise.all(anchors!.map(({ keep }) => keep()))
}

/** A worker of its own, so that sealing never waits for a store. */
export const anchorWorker = new Worker({
  name: 'audit anchor',
  every: 5_000,
  work: keepAnchor,
  drain: keepAnchor,
})

// Where the anchor of the audit trail is kept: a file, an address, or both.

interface AnchorStore {
  /** The file or address, to be shown to administrators. */
  name: string
  /** @returns null if nothing is stored yet */
  read(): Promise<string | null>
  /** Replaces the text as a whole, or leaves the old one. */
  write(text: string): Promise<void>
}

function anchorStores(): AnchorStore[] {
  const { anchorFile, anchorUrl } = settings().audit
  const file = anchorFile === 'off' ? null : (anchorFile ?? ownFile())
  return [
    ...(file ? [inFile(path.resolve(cds.root, file))] : []),
    ...(anchorUrl ? [at(anchorUrl)] : []),
  ]
}

/** The default file, beside a SQLite database or named after another one; null on a platform where files do not last. */
function ownFile(): string | null {
  const { kind, credentials = {} } = cds.env.requires.db as Database
  if (kind === 'sqlite') return databaseFile() && `${databaseFile()}.anchor`
  if (routeOfPlatform()) return null
  const { host, hostname, port, database, dbname, schema } = credentials
  const name = [host ?? hostname, port, database ?? dbname, schema].join(' ')
  return path.join(ownFolder(), `audit-${hash('sha256', name).slice(0, 8)}.anchor`)
}

type NameOfDatabase = 'host' | 'hostname' | 'port' | 'database' | 'dbname' | 'schema'

interface Database {
  kind: string
  credentials?: Partial<Record<NameOfDatabase, string>>
}

const inFile = (file: string): AnchorStore => ({
  name: file,
  async read() {
    return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return null
    })
  },
  async write(text) {
    await mkdir(path.dirname(file), { recursive: true })
    const draft = `${file}.${randomBytes(6).toString('hex')}`
    try {
      await writeSynced(draft, text)
      await rename(draft, file)
    } finally {
      await rm(draft, { force: true })
    }
  },
})

async function writeSynced(file: string, text: string) {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const TIMEOUT_MS = 5_000
const MOST_BYTES = 10_000

/** GET and PUT of the anchor as JSON. */
function at(url: string): AnchorStore {
  const { RESTOCK_AUDIT_ANCHOR_TOKEN: token } = environment()
  const call = async (method: 'GET' | 'PUT', data?: string) => {
    const answer = await axios
      .request<string>({
        ...{ url, method, data, timeout: TIMEOUT_MS, signal: AbortSignal.timeout(TIMEOUT_MS) },
        headers: {
          'Content-Type': 'application/json',
          ...(token && { Authorization: `Bearer ${token}` }),
        },
        ...{ responseType: 'text', transformResponse: (text: string) => text },
        ...{ maxRedirects: 0, maxContentLength: MOST_BYTES, validateStatus: () => true },
      })
      // What axios throws contains the token.
      .catch(({ code }: { code?: string }) => {
        throw new Error(`it did not answer (${code ?? 'no answer'})`)
      })
    const { status } = answer
    if (method === 'GET' && (status === 404 || status === 204)) return null
    if (status < 200 || status > 299) throw new Error(`${method} was answered by ${status}`)
    return answer.data
  }
  return {
    name: url,
    read: () => call('GET'),
    write: async (text) => void (await call('PUT', text)),
  }
}
