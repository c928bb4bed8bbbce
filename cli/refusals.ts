// What a refusal means for the person at the terminal, and what to do next.
import { z } from 'zod'
import { ApiFailure, Failure, Unreachable } from './errors.ts'
import type { Answer } from './answer.ts'
import type { FoundKey } from './key.ts'

const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    target: z.string().nullish(),
    details: z.array(z.object({ code: z.string(), message: z.string() })).nullish(),
    request_id: z.string().nullish(),
    sync_id: z.string().nullish(),
  }),
})
type ApiError = z.infer<typeof errorBody>['error']

/** The longest wait, in seconds, that a command sits out by itself. */
const LONGEST_WAIT = 120

/** Seconds that a 429 asks for; null where that is too long to wait for. */
export function waitOf(answer: Answer): number | null {
  const seconds = retryAfter(answer) ?? 5
  return seconds <= LONGEST_WAIT ? seconds : null
}

function retryAfter(answer: Answer): number | null {
  const header = answer.header('retry-after')
  return header !== undefined && /^\d{1,9}$/.test(header) ? Number(header) : null
}

/** No answer at all: nobody listens, the name is unknown, the time is up. */
export function unreachable(error: unknown, url: URL): Failure {
  const code = codeOf(error)
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') {
    return new Unreachable(`The server at ${url.href} does not answer: try again in a while.`)
  }
  return new Unreachable(
    `The server at ${url.href} cannot be reached (${code}). Start it with "npm start", or set ` +
      'RESTOCK_URL to the address of the one that runs.',
  )
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : 'no connection'
}

/** An answer that is no success, with what to do about it. */
export function failureOf(answer: Answer, { key, url }: { key: FoundKey; url: URL }): Failure {
  const parsed = errorBody.safeParse(answer.body)
  if (!parsed.success) return foreign(answer, url)
  const { error } = parsed.data
  const next = nextStep(answer, error, key.file, url)
  return new ApiFailure(`${sentence(error)} ${next}`.trim(), error.code, answer)
}

function foreign({ status }: Answer, url: URL): Failure {
  if (status >= 500) {
    return new Unreachable(
      `The server at ${url.href} fails (status ${status}): try again in a while.`,
    )
  }
  return new Failure(
    `What answers at ${url.href} is not the Restock API (status ${status}): check RESTOCK_URL.`,
  )
}

function sentence({ code, message, details }: ApiError): string {
  return `${message.replace(/\.?$/, ` (${code}).`)}${detailsOf(details ?? [])}`
}

function detailsOf(details: { code: string; message: string }[]): string {
  if (details.length === 0) return ''
  const all = details.map(({ message }) => message.replace(/\.$/, ''))
  const areQuantities = details.every(({ code }) => code === 'nearest_quantity')
  return areQuantities ? ` Nearest to it: ${all.join(' or ')}.` : ` ${all.join('; ')}.`
}

function nextStep(answer: Answer, error: ApiError, file: string | null, url: URL): string {
  switch (answer.status) {
    case 401:
      return file === null
        ? 'Check RESTOCK_API_KEY, or issue another key with "restock keys create".'
        : `The demo key in ${file} does not belong to the server at ${url.href}: restart it in ` +
            'this checkout, or set RESTOCK_API_KEY.'
    case 403:
      return error.code === 'insufficient_scope' ? 'Use a key that has this scope.' : ''
    case 429:
      return `Try again in ${retryAfter(answer) ?? 60} seconds.`
  }
  if (error.sync_id) return `Follow it with "restock syncs show ${error.sync_id}".`
  if (answer.status < 500) return ''
  const seconds = retryAfter(answer)
  if (seconds !== null) return `Try again in ${seconds} seconds.`
  return `Try again; the server's log has more${error.request_id ? ` under ${error.request_id}` : ''}.`
}
