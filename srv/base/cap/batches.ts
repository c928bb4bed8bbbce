// The parts of a multipart batch, read strictly and written anew: CAP 10.1.1 reads them by regular expressions, fails
// over what is cut off and waits for ever for bodies that are shorter than they say. Needed until it does neither.
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import cds from '@sap/cds'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import { BodyFault, parseJson } from '../http/bodies.ts'

/** Calls in one batch. */
const MOST_PARTS = 100

const CRLF = '\r\n'
const REQUEST_LINE = /^(GET|POST|PUT|PATCH|MERGE|DELETE) (\S+) HTTP\/1\.[01]$/
const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\x20-\x7e\x80-\uffff]*)$/
const BOUNDARY = /;\s*boundary=(?:"([\w.'+=-]{1,70})"|([\w.'+=-]{1,70}))\s*(?:;|$)/i
const WRITING = ['POST', 'PUT', 'PATCH', 'MERGE']
/** Headers that would contradict the rewritten body. */
const LENGTHS = ['content-length', 'transfer-encoding']

interface Batch {
  boundary: string
  text: string
  reads: number
  changes: number
}

const fault = (message: string) => new BodyFault(400, message)

/** @throws BodyFault for what is no batch, or none of ours */
export function rewriteBatch(contentType: string, text: string): Batch {
  const boundary = boundaryOf(contentType)
  const batch: Batch = { boundary, text: '', reads: 0, changes: 0 }
  batch.text = rewriteParts(text, boundary, batch, true)
  return batch
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary) return boundary
  throw fault('The Content-Type of the batch names no boundary.')
}

function rewriteParts(text: string, boundary: string, batch: Batch, isOuter: boolean): string {
  const [, ...parts] = `${CRLF}${text}`.split(`${CRLF}--${boundary}`)
  const end = parts.pop()
  if (!end?.startsWith('--')) throw fault('The batch does not end.')
  if (!parts.length) throw fault('The batch has no parts.')
  const rewritten = parts.map((part) => rewritePart(part, batch, isOuter))
  const opening = `--${boundary}${CRLF}`
  return `${rewritten.map((part) => opening + part).join('')}--${boundary}--${CRLF}`
}

function rewritePart(part: string, batch: Batch, isOuter: boolean): string {
  const [start, head, content] = cut(part)
  if (start.trim()) throw fault('A part of the batch does not begin on a line of its own.')
  const headers = new Map(head.map(headerOf))
  const type = headers.get('content-type') ?? ''
  if (isOuter && /^multipart\/mixed\b/i.test(type)) {
    const inner = boundaryOf(type)
    const changes = rewriteParts(content, inner, batch, false)
    return `content-type: multipart/mixed; boundary=${inner}${CRLF}${CRLF}${changes}${CRLF}`
  }
  if (!/^application\/http\b/i.test(type)) throw fault('A part of the batch is no call.')
  const id = headers.get('content-id')
  const lines = ['content-type: application/http', 'content-transfer-encoding: binary']
  if (id) lines.push(`content-id: ${id}`)
  return [...lines, '', rewriteCall(content, batch, isOuter)].join(CRLF)
}

/** Cuts a part into the rest of the boundary's line, the lines of its header, and what follows the empty line. */
function cut(part: string): [start: string, head: string[], content: string] {
  const at = part.indexOf(CRLF + CRLF)
  if (at < 0) throw fault('A part of the batch has no content.')
  const [start, ...head] = part.slice(0, at).split(CRLF)
  return [start!, head, part.slice(at + 2 * CRLF.length)]
}

function headerOf(line: string): [name: string, value: string] {
  const [, name, value] = HEADER.exec(line) ?? []
  if (name) return [name.toLowerCase(), value!]
  throw fault('A part of the batch has a header that is none.')
}

function rewriteCall(content: string, batch: Batch, mayRead: boolean): string {
  // If a call ends with its header, the boundary contains its empty line.
  const at = `${content}${CRLF}`.indexOf(CRLF + CRLF)
  const [line, ...head] = content.slice(0, at < 0 ? undefined : at).split(CRLF)
  const [, method, url] = REQUEST_LINE.exec(line!) ?? []
  if (!method || !isAddress(url!)) throw fault('A part of the batch is no call.')
  if (method === 'GET' && !mayRead) throw fault('A group of changes reads nothing.')
  const isWriting = WRITING.includes(method)
  if (method === 'GET') batch.reads++
  else batch.changes++
  assertCount(batch.reads + batch.changes)
  const headers = head.filter(Boolean).map(headerOf)
  const kept = headers.filter(([name]) => !LENGTHS.includes(name))
  const text = at < 0 ? '' : content.slice(at + 2 * CRLF.length).trim()
  const body = isWriting && text ? JSON.stringify(objectOf(parseJson(text))) : ''
  return [line, ...kept.map(([name, value]) => `${name}: ${value}`), '', body, ''].join(CRLF)
}

function assertCount(parts: number) {
  if (parts > MOST_PARTS) throw fault(`A batch may have ${MOST_PARTS} parts at most.`)
}

/** @throws BodyFault for lists, texts, numbers and null, which no call of ours takes */
export function objectOf(body: unknown): object {
  if (typeof body === 'object' && body && !Array.isArray(body)) return body
  throw fault('The body must be a JSON object.')
}

/** Whether CAP can complete the address by a host. */
const isAddress = (url: string) => URL.canParse(url, 'http://localhost')

// CAP ends a multipart batch at its first refusal, unless the caller prefers otherwise, which UI5 does not say.
// Tried with @sap/cds 10.1.1, which has no switch for it. Needed until it has one, or UI5 sends the preference.

/**
 * Lets a batch continue after a refusal: UI5 reads a page again in the batch of the action on it, and each field of the page
 * would show an error if the batch ended.
 */
export const continueOnError: RequestHandler = (req, _res, next) => {
  if (req.path.endsWith('/$batch')) req.headers.prefer ??= 'odata.continue-on-error'
  next()
}

// The calls of a JSON batch, checked before CAP 10.1.1 sees them: it fails over what is no object, and leaves calls with
// impossible addresses without an answer. Needed until it refuses them.

const name = z.string().regex(/^[\w.~-]{1,128}$/)

const Requests = z.array(
  z.looseObject({
    id: name.refine((id) => !(id in Object.prototype)),
    method: z.string().regex(/^(GET|POST|PUT|PATCH|DELETE)$/i),
    url: z.string().min(1).refine(isAddress),
    headers: z.record(z.string(), z.string()).optional(),
    atomicityGroup: name.optional(),
    dependsOn: z.array(name).optional(),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
)

const isGet = (method: string) => method.toUpperCase() === 'GET'

/** @returns how many calls read, and how many change something. @throws BodyFault */
export function checkRequests(requests: unknown): { reads: number; changes: number } {
  if (Array.isArray(requests)) assertCount(requests.length)
  const { data, error } = Requests.safeParse(requests)
  if (!data) {
    const path = ['requests', ...error.issues[0]!.path].join('.')
    throw new BodyFault(400, `${path}: is missing or malformed.`)
  }
  if (data.some(({ method, atomicityGroup: group }) => group && isGet(method))) {
    throw new BodyFault(400, 'requests: a group of changes reads nothing.')
  }
  const reads = data.filter(({ method }) => isGet(method)).length
  return { reads, changes: data.length - reads }
}

// On SQLite, whose calls return at once, CAP 10.1.1 works off a whole batch before anything else of the process is done,
// and keeps as many rows as its parts ask for. Needed until it lets others in between, and has a limit for the whole.

let last = Promise.resolve()

/** Waits for a turn of the event loop of its own, so that other calls wait for one part of a batch at most. */
export const ownTurn = (): Promise<void> =>
  (last = last.then(() => new Promise((resolve) => void setImmediate(resolve))))

/** Bytes of answers that a batch may have waiting for a caller that reads slowly. */
const MOST_WAITING = 4_194_304

/** Waits until the caller has taken what its batch has answered so far. */
async function untilRead(res: ServerResponse) {
  while (res.writableLength > MOST_WAITING && !res.destroyed) {
    await new Promise<void>((resolve) => {
      res.once('drain', resolve)
      res.once('close', resolve)
    })
  }
}

/** Calls outside of batches that have no answer yet. */
const unanswered = new Map<ServerResponse, Promise<void>>()

/** Must stand before all other handlers. */
export const noteCalls: RequestHandler = (req, res, next) => {
  if (!isBatch(req.originalUrl)) {
    const closed = new Promise<void>((resolve) => res.once('close', resolve))
    unanswered.set(res, closed)
    void closed.then(() => unanswered.delete(res))
  }
  next()
}

/** After how many rows a batch lets other calls run. */
const MANY_ROWS = 500
const LONGEST_WAY_MS = 250

/** Waits for the answers to earlier calls, except those that wait for something themselves. */
const giveWay = () =>
  Promise.race([Promise.all(unanswered.values()), sleep(LONGEST_WAY_MS, null, { ref: false })])

/** Rows that all parts of a batch together may read; the part that comes to more is the last one. */
const MOST_ROWS = 2_000

const rowsRead = new WeakMap<ServerResponse, number>()
const rowsReadBy = (res: ServerResponse) => rowsRead.get(res) ?? 0

/** Must be called before services are served. */
export function giveTurns() {
  cds.on('serving', (service) => {
    const wait = async ({ event }: cds.Request) => {
      const res = batchAnswer()
      if (!res) return
      // A group of changes waits for nobody, because its transaction is open.
      if (event === 'READ') await untilFree(res)
      await ownTurn()
      if (event === 'READ') assertMayRead(res)
    }
    const count = (found: unknown) => {
      const res = batchAnswer()
      if (res && Array.isArray(found)) rowsRead.set(res, rowsReadBy(res) + found.length)
    }
    service.prepend(() => {
      service.before('*', wait)
      service.after('READ', count)
    })
  })
}

async function untilFree(res: ServerResponse) {
  await untilRead(res)
  if (rowsReadBy(res) > MANY_ROWS) await giveWay()
}

/** @throws if the caller has gone, or the batch has read enough */
function assertMayRead(res: ServerResponse) {
  if (res.destroyed) throw cds.error(400, 'The caller has gone.')
  if (rowsReadBy(res) < MOST_ROWS) return
  throw cds.error(400, `A batch may read ${MOST_ROWS.toLocaleString('en')} rows at most.`)
}

/** The answer of the batch that the present call is a part of. */
function batchAnswer(): ServerResponse | undefined {
  const { req, res } = (cds.context?.http ?? {}) as Partial<Call>
  return req && isBatch(req.originalUrl) ? res : undefined
}

const isBatch = (url: string) => /\/\$batch(\?|$)/.test(url)

interface Call {
  req: { originalUrl: string }
  res: ServerResponse
}
