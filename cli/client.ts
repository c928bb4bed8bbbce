// The typed client as commands use it: with the user's address and key, and answers that are checked.
import http from 'node:http'
import { type Answer, Restock, type Retry, type Source } from '../client/index.ts'
import type { InputOf, Method, PathOf } from '../client/index.ts'
import { Failure } from './errors.ts'
import { baseUrl, findKey, isLoopback } from './key.ts'
import { note } from './output.ts'

/** What may be asked of a path. */
export type Query<P extends PathOf<'get'>> =
  InputOf<'get', P> extends { query?: infer Found } ? NonNullable<Found> : never

/** What is sent to a path. */
export type Body<M extends Method, P extends PathOf<M>> =
  InputOf<M, P> extends { body?: infer Found } ? NonNullable<Found> : never

const RETRIES = 3

/** A client for RESTOCK_URL with its key; it waits when the rate limit is reached. */
export function openClient(): Restock {
  const url = baseUrl()
  const { key } = findKey(url)
  if (!isLoopback(url)) useProxy()
  return new Restock({
    url: url.href,
    key,
    retries: RETRIES,
    shouldRetry: ({ status }) => status === 429,
    onRetry: noteRetry,
  })
}

function noteRetry({ seconds, attempt }: Retry): void {
  note(`The rate limit is reached; trying again in ${seconds} s (${attempt} of ${RETRIES}).`)
}

/** Uses the proxy of HTTPS_PROXY or HTTP_PROXY; Node before 24.14 also needs NODE_USE_ENV_PROXY=1. */
export function useProxy(): void {
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: () => void }
  setGlobalProxyFromEnv?.()
}

/** The names of its fields; any name as long as the compiler has not inferred the data. */
export type FieldOf<Data> = unknown extends Data ? string : keyof Data & string

/** Data of which these fields are there. */
export type With<Data, Name> = Data & Required<Pick<Data, Name & keyof Data>>

/**
 * The data of an answer.
 * @param required fields that the command needs
 * @throws Failure where one is missing, because the server has another version of the API
 */
export function dataOf<Data, Name extends FieldOf<Data>>(
  { data }: Answer<Data>,
  required: Name[],
): With<Data, Name> {
  assertFields(data, required)
  return data
}

/** The same for the rows of a list. */
export function rowsOf<Row>(page: { data: Row[] }, required: FieldOf<Row>[]): Row[] {
  if (!Array.isArray(page?.data)) throw unexpected('data')
  page.data.forEach((row, index) => assertFields(row, required, `data.${index}.`))
  return page.data
}

function assertFields<Data, Name extends FieldOf<Data>>(
  data: Data,
  names: Name[],
  place = '',
): asserts data is With<Data, Name> {
  const fields = new Map<string, unknown>(Object.entries(data ?? {}))
  const missing = names.find((name) => fields.get(name) === undefined)
  if (missing !== undefined) throw unexpected(`${place}${missing}`)
}

const unexpected = (place: string) =>
  new Failure(
    `The server's answer is not as expected (${place}): check that server and CLI are of one version.`,
  )

/** All sources, over all pages. */
export async function readSources(client: Restock): Promise<Source[]> {
  const sources: Source[] = []
  for await (const page of client.pages('/sources', { query: { limit: 200 } })) {
    sources.push(...rowsOf(page, ['id', 'type', 'account', 'status']))
  }
  return sources
}
