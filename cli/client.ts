import { setTimeout as sleep } from 'node:timers/promises'
import { baseUrl, findKey, isLoopback } from './key.ts'
import { failureOf, unreachable, waitOf } from './refusals.ts'
import { Failure } from './errors.ts'
import { note } from './output.ts'
import type { Answer } from './answer.ts'
import type { paths } from '../client/index.ts'
import type { FoundKey } from './key.ts'
import type { AxiosInstance, AxiosResponse } from 'axios'

type Filled<Path> = Path extends `${infer Head}{${string}}${infer Tail}`
  ? `${Head}${string}${Filled<Tail>}`
  : Path

/** A path of the API, its ids filled in. */
export type ApiPath = Filled<keyof paths>

export interface Request {
  query?: Record<string, string | number | boolean | string[] | undefined>
  body?: unknown
  /** What is asked for; JSON unless said otherwise. */
  accept?: string
}

const TIMEOUT_MS = 60_000
const MAX_TRIES = 4

/** Speaks to /v1 with the caller's key; waits where the API says so, a bounded number of times. */
export class Client {
  readonly url: URL
  readonly key: FoundKey
  readonly #http: AxiosInstance

  constructor(url: URL, key: FoundKey, http: AxiosInstance) {
    this.url = url
    this.key = key
    this.#http = http
  }

  /** @throws ApiFailure for an error of the API, Failure where there is no usable answer */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: ApiPath,
    request: Request = {},
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send(method, path, request)
      if (answer.status < 300) return checkedAnswer(answer, this.url)
      const wait = answer.status === 429 && attempt < MAX_TRIES ? waitOf(answer) : null
      if (wait === null) throw failureOf(answer, this)
      note(`The rate limit is reached; trying again in ${wait} s (${attempt} of ${MAX_TRIES - 1}).`)
      await sleep(wait * 1000)
    }
  }

  async #send(method: string, path: string, { query, body, accept }: Request): Promise<Answer> {
    try {
      const response = await this.#http.request<string>({
        method,
        url: `${this.url.href}${path}`,
        params: query,
        data: body === undefined ? undefined : JSON.stringify(body),
        headers: {
          authorization: `Bearer ${this.key.key}`,
          accept: accept ?? 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      })
      return toAnswer(response)
    } catch (error) {
      throw unreachable(error, this.url)
    }
  }
}

/** A client for RESTOCK_URL, with the key that belongs to it. */
export async function openClient(): Promise<Client> {
  const url = baseUrl()
  const key = findKey(url)
  const { default: axios } = await import('axios')
  const http = axios.create({
    timeout: TIMEOUT_MS,
    maxRedirects: 0, // a key goes to the address that was named, and to no other
    responseType: 'text',
    transformResponse: (text: string) => text,
    validateStatus: () => true,
    paramsSerializer: { indexes: null }, // status=a&status=b
    ...(isLoopback(url) ? { proxy: false } : {}),
  })
  return new Client(url, key, http)
}

function toAnswer({ status, data, headers }: AxiosResponse<string>): Answer {
  const header = (name: string) => {
    const value: unknown = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const text = typeof data === 'string' ? data : ''
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(header('content-type') ?? '')
  return { status, text, body: isJson ? parse(text) : undefined, header }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A page of some other server, or of a proxy, is no answer even when it comes with a 200. */
function checkedAnswer(answer: Answer, url: URL): Answer {
  const isCsv = /^text\/csv\b/.test(answer.header('content-type') ?? '')
  if (answer.status === 204 || answer.body !== undefined || isCsv) return answer
  throw new Failure(`What answers at ${url.href} is not the Restock API: check RESTOCK_URL.`)
}
