// Explains a failed call to the user, and what to do next.
import { baseUrl, findKey } from './key.ts'
import type { RestockError } from '../client/index.ts'

/** One or two sentences. */
export function explain(failure: RestockError): string {
  const { href: address } = baseUrl()
  switch (failure.code) {
    case 'unreachable':
      return (
        `The server at ${address} cannot be reached (${reasonOf(failure)}). Start it with ` +
        '"npm start", or set RESTOCK_URL to the address of the one that runs.'
      )
    case 'timed_out':
      return `The server at ${address} does not answer: try again in a while.`
    case 'unexpected_answer':
      return explainStranger(failure, address)
  }
  return `${sentenceOf(failure)} ${nextStepAfter(failure, address)}`.trim()
}

/** Whether a later try may succeed. */
export function mayPass({ status, code }: RestockError): boolean {
  return status === null ? code === 'unreachable' || code === 'timed_out' : status >= 500
}

/** `ECONNREFUSED` and the like. */
function reasonOf({ cause }: Error): string {
  if (!(cause instanceof Error)) return 'no connection'
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  return cause.cause ? reasonOf(cause) : cause.message
}

function explainStranger({ status }: RestockError, address: string): string {
  if (status !== null && status >= 500) {
    return `The server at ${address} fails (status ${status}): try again in a while.`
  }
  const withStatus = status === null || status < 300 ? '' : ` (status ${status})`
  return `What answers at ${address} is not the Restock API${withStatus}: check RESTOCK_URL.`
}

function sentenceOf({ code, message, details }: RestockError): string {
  return `${message.replace(/\.?$/, ` (${code}).`)}${sentenceOfDetails(details)}`
}

function sentenceOfDetails(details: RestockError['details']): string {
  if (details.length === 0) return ''
  const all = details.map(({ message }) => message.replace(/\.$/, ''))
  const areQuantities = details.every(({ code }) => code === 'nearest_quantity')
  return areQuantities ? ` Nearest to it: ${all.join(' or ')}.` : ` ${all.join('; ')}.`
}

function nextStepAfterForbidden(code: string): string {
  if (code === 'insufficient_scope') return 'Use a key that has this scope.'
  return code === 'key_not_confirmed'
    ? 'That person confirms it in the app, or by "restock keys confirm <id>".'
    : ''
}

function nextStepAfter(failure: RestockError, address: string): string {
  const { status, code, error, requestId, retryAfter } = failure
  switch (status) {
    case 401:
      return nextStepForKey(address)
    case 403:
      return nextStepAfterForbidden(code)
    case 429:
      return `Try again in ${retryAfter ?? 60} seconds.`
  }
  if (error?.sync_id) return `Follow it with "restock syncs show ${error.sync_id}".`
  if (status === null || status < 500) return ''
  if (retryAfter !== null) return `Try again in ${retryAfter} seconds.`
  return `Try again; the server's log has more${requestId ? ` under ${requestId}` : ''}.`
}

function nextStepForKey(address: string): string {
  const { file } = findKey(baseUrl())
  return file === null
    ? 'Check RESTOCK_API_KEY, or issue another key with "restock keys create".'
    : `The demo key in ${file} does not belong to the server at ${address}: restart it in ` +
        'this checkout, or set RESTOCK_API_KEY.'
}
