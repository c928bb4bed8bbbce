// Where the anchor of the audit trail is kept: a file, an address, or both.
import { hash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import axios from 'axios'
import cds from '@sap/cds'
import { environment, routeOfPlatform, settings } from '../../base/settings/config.ts'
import { ownFolder } from '../../base/settings/config.ts'
import { databaseFile } from '../../base/database/database-file.ts'

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

interface Database {
  kind: string
  credentials?: Record<string, unknown>
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
