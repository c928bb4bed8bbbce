// The parts of a multipart batch, read strictly and written anew: CAP 10.1.1 reads them by regular expressions, fails
// over what is cut off and waits for ever for bodies that are shorter than they say. Needed until it does neither.
import { BodyFault, parseJson } from '../bodies.ts'

/** Calls in one batch. */
export const MOST_PARTS = 100

const CRLF = '\r\n'
const REQUEST_LINE = /^(GET|POST|PUT|PATCH|MERGE|DELETE) (\S+) HTTP\/1\.[01]$/
const HEADER = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\x20-\x7e\x80-\uffff]*)$/
const BOUNDARY = /;\s*boundary=(?:"([\w.'+=-]{1,70})"|([\w.'+=-]{1,70}))\s*(?:;|$)/i
const WRITING = ['POST', 'PUT', 'PATCH', 'MERGE']
/** What would contradict the body as it is. */
const LENGTHS = ['content-length', 'transfer-encoding']

export interface Batch {
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

/** The rest of the boundary's line, the header's lines, and what follows the empty line. */
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
  // A call that ends with its header has its empty line taken by the boundary.
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

export function assertCount(parts: number) {
  if (parts > MOST_PARTS) throw fault(`A batch may have ${MOST_PARTS} parts at most.`)
}

/** @throws BodyFault for lists, texts, numbers and null, which no call of ours takes */
export function objectOf(body: unknown): object {
  if (typeof body === 'object' && body && !Array.isArray(body)) return body
  throw fault('The body must be a JSON object.')
}

/** CAP completes addresses by a host, which some cannot take. */
export const isAddress = (url: string) => URL.canParse(url, 'http://localhost')
