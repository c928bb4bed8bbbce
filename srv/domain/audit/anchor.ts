// The newest head, kept outside the database: whoever cuts the chain there, and puts an old head back, leaves this one.
import { hash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import cds from '@sap/cds'
import axios from 'axios'
import { databaseFile, makeDurable } from '../../base/database/database-file.ts'
import { environment, ownFolder, routeOfPlatform, settings } from '../../base/settings/config.ts'
import { Worker } from '../../base/work/worker.ts'
import { type Head, sealFaultOf } from './chain.ts'

/** After so long a store is looked at again though nothing was sealed: others may write to it. */
const LOOK_MS = 60_000

class Anchor {
  readonly #store: AnchorStore
  /** As it was last read or written; undefined until then. */
  text: string | null | undefined
  /** Why it could not be read or written. */
  failure: string | null = null
  /** It holds what this service did not write. */
  isChanged = false
  #lookAt = 0

  constructor(store: AnchorStore) {
    this.#store = store
  }

  get place() {
    return this.#store.place
  }

  /** A failure is logged once, and tried again by the next call. */
  async #try(work: () => Promise<void>) {
    try {
      await work()
      this.failure = null
    } catch (error) {
      const { message } = error as Error
      if (message !== this.failure) {
        cds.log('audit').error(`The anchor of the audit trail, ${this.place}: ${message}`)
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

  /** Never replaces a newer one, nor what this service did not write. */
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

/** Null for what this service did not write. */
function parse(text: string): Head | null {
  try {
    const head = JSON.parse(text) as Head
    return sealFaultOf(head) ? null : head
  } catch {
    return null
  }
}

/** The newest head that is known, from here or from a store: it proves itself, so that it may come from anywhere. */
let newest: Head | null = null
const textOfAnchor = () => JSON.stringify(newest)

/** A head that was found in order, or was sealed just now. The same one may have its key encrypted anew. */
export function noteHead({ seq, hash, sealedAt, seal, sealKey }: Head) {
  if (seq > 0 && seq >= (newest?.seq ?? 0)) newest = { seq, hash, sealedAt, seal, sealKey }
}

let anchors: Anchor[] | undefined
let loading: Promise<unknown> | undefined
/** Where every store was empty, an entry tells of it before one is written to. */
let beginning: 'due' | 'under way' | 'done' = 'done'

/** The newest head that was seen, by any start that has the same store; null where there was none. */
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

/** Where the anchor is to be begun: does so once `tell` has written that. */
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

/** Where the newest head is kept, and what is wrong there. */
export const readAnchors = () => anchors ?? []

async function keepAnchor() {
  if (!(await readAnchor()) || beginning !== 'done') return
  await makeDurable()
  await Promise.all(anchors!.map(({ keep }) => keep()))
}

/** Beside sealing, which waits for no store. */
export const anchorWorker = new Worker({
  name: 'audit anchor',
  every: 5_000,
  work: keepAnchor,
  drain: keepAnchor,
})

// Where the anchor of the audit trail is kept: a file, an address, or both.

export interface AnchorStore {
  /** As a person names it. */
  place: string
  /** Null where nothing is kept yet. */
  read(): Promise<string | null>
  /** All of it or nothing. */
  write(text: string): Promise<void>
}

export function anchorStores(): AnchorStore[] {
  const { anchorFile, anchorUrl } = settings().audit
  const file = anchorFile === 'off' ? null : (anchorFile ?? ownFile())
  return [
    ...(file ? [inFile(path.resolve(cds.root, file))] : []),
    ...(anchorUrl ? [at(anchorUrl)] : []),
  ]
}

/** Of the database, as this process names it; null where files do not last. */
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
  place: file,
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
    place: url,
    read: () => call('GET'),
    write: async (text) => void (await call('PUT', text)),
  }
}
