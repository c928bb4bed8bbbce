// Sends one request and returns its answer or throws its error.
import { RestockError } from './error.ts'
import type { ApiError } from './types.ts'

/** The answer to a successful call. */
export interface Answer<Data> {
  /** The parsed JSON; undefined for an empty body. */
  data: Data
  /** The unchanged body. */
  text: string
  /** The same, as it came: of files. */
  bytes: Uint8Array
  status: number
  headers: Headers
  /** Id of the call in the service's log. */
  requestId: string | null
}

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** Milliseconds. */
  timeout: number
  signal: AbortSignal | undefined
}

type Query = Record<string, unknown> | undefined

/** The address of a call; a list in the query becomes one parameter per value. */
export function addressOf(base: string, path: string, ids: Query, query: Query): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(ids?.[name])),
  )
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const each of [value].flat()) {
      if (each !== undefined && each !== null) parameters.append(name, String(each))
    }
  }
  return `${base}${filled}${parameters.size ? `?${parameters}` : ''}`
}

/** @throws RestockError unless the API answers with success | the signal's reason if it is aborted */
export async function send(
  fetch: typeof globalThis.fetch,
  call: HttpRequest,
): Promise<Answer<unknown>> {
  const { response, text, bytes } = await exchange(fetch, call)
  const { status, headers } = response
  const data = isJson(headers) ? parse(text) : undefined
  const requestId = headers.get('x-request-id')
  if (response.ok && (status === 204 || data !== undefined || isFile(headers))) {
    return { data, text, bytes, status, headers, requestId }
  }
  const error = errorIn(data)
  const answer = { status, text, requestId, retryAfter: secondsIn(headers) }
  if (error) throw new RestockError(error.message, { ...answer, code: error.code, error })
  const message = `What answers at ${originOf(call)} is not the Restock API (status ${status}).`
  throw new RestockError(message, { ...answer, code: 'unexpected_answer' })
}

async function exchange(fetch: typeof globalThis.fetch, call: HttpRequest) {
  const { method, url, headers, body, timeout, signal } = call
  const timeUp = AbortSignal.timeout(timeout)
  try {
    const response = await fetch(url, {
      ...{ method, headers, body },
      redirect: 'manual', // the key must not be sent to another address
      signal: signal ? AbortSignal.any([signal, timeUp]) : timeUp,
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { response, bytes, text: new TextDecoder().decode(bytes) }
  } catch (cause) {
    signal?.throwIfAborted()
    if (timeUp.aborted) {
      const message = `${originOf(call)} did not answer within ${timeout} ms.`
      throw new RestockError(message, { code: 'timed_out', cause })
    }
    throw new RestockError(`${originOf(call)} cannot be reached.`, { code: 'unreachable', cause })
  }
}

const originOf = ({ url }: HttpRequest) => (URL.canParse(url) ? new URL(url).origin : url)

const typeOf = (headers: Headers) => headers.get('content-type') ?? ''
const isJson = (headers: Headers) => /^application\/([\w.-]+\+)?json\b/.test(typeOf(headers))
const isFile = (headers: Headers) =>
  /^text\/csv\b/.test(typeOf(headers)) ||
  /^attachment\b/.test(headers.get('content-disposition') ?? '')

function secondsIn(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorIn(body: unknown): ApiError | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  const error = body.error as Partial<ApiError> | null
  const isError = typeof error?.code === 'string' && typeof error.message === 'string'
  return isError ? (error as ApiError) : null
}
