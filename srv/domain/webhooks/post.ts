// One call of a receiver: to an address that was checked, by no proxy, following no redirect.
import { type LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import axios from 'axios'
import { allowedAddresses, parseTarget, type Resolve, resolveName } from './target.ts'

const TIMEOUT_MS = 15_000
const EXCERPT = 200
/** Of an answer as much is read, so that the receiver can end it in peace. */
const READ_BYTES = 65_536

export interface Outcome {
  /** Null where nothing was answered. */
  status: number | null
  /** The beginning of the answer's body, or what went wrong; null after a success. */
  problem: string | null
  /** The answer's header. */
  retryAfter?: string
}

interface Options {
  signal: AbortSignal
  resolve?: Resolve
  timeoutMs?: number
}

/** Posts a body. A refused target or a receiver that does not answer is an outcome, no error. */
export async function postEvent(
  target: string,
  body: string,
  headers: Record<string, string>,
  { signal, resolve = resolveName, timeoutMs = TIMEOUT_MS }: Options,
): Promise<Outcome> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const { href } = parseTarget(target)
    const lookup = checkedLookup(resolve)
    const response = await axios.post<Readable>(href, body, {
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Restock-Webhooks/1',
        ...headers,
      },
      ...{ signal: deadline, proxy: false, maxRedirects: 0, decompress: false },
      ...{ responseType: 'stream', validateStatus: () => true, transformRequest: [] },
      httpAgent: new http.Agent({ keepAlive: false, lookup }),
      httpsAgent: new https.Agent({ keepAlive: false, lookup }),
    })
    const text = await beginningOf(response.data, deadline)
    const { status } = response
    const isSuccess = status >= 200 && status < 300
    const retryAfter = response.headers['retry-after'] as string | undefined
    return { status, problem: isSuccess ? null : text.slice(0, EXCERPT), retryAfter }
  } catch (error) {
    if (signal.aborted) throw error
    return { status: null, problem: describeError(error as Error, timeoutMs).slice(0, EXCERPT) }
  }
}

/** Finds addresses and checks them; the connection is made to one of these, whatever DNS says later. */
function checkedLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    allowedAddresses(host, resolve).then(
      (found) => answerLookup(found, options.all === true, callback),
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}

type Answer = (error: Error | null, found: LookupAddress[] | string, family?: number) => void

function answerLookup(found: LookupAddress[], all: boolean, callback: Answer) {
  if (!found.length) return callback(new Error('The host has no address.'), '', 0)
  if (all) return callback(null, found)
  return callback(null, found[0]!.address, found[0]!.family)
}

async function beginningOf(stream: Readable, deadline: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const stop = () => stream.destroy()
  deadline.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (size < EXCERPT * 4) chunks.push(chunk)
      size += chunk.length
      if (size > READ_BYTES) break
    }
  } catch {
    // The status has been answered: a body that breaks off changes nothing.
  } finally {
    deadline.removeEventListener('abort', stop)
    stream.destroy()
  }
  // A NUL cannot be stored.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').trim()
}

function describeError(error: Error & { code?: string }, timeoutMs: number): string {
  const cause = (error.cause ?? error) as Error & { code?: string }
  if (error.code === 'ERR_CANCELED' || error.name === 'TimeoutError') {
    return `No answer within ${timeoutMs / 1000} seconds.`
  }
  return cause.message || cause.code || error.message || 'The connection failed.'
}
