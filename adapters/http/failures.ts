// Turns refused answers and broken connections into Fatal or Retriable errors.
import { Fatal, Retriable, Unreachable, whyUnreachable } from '../errors.ts'
import { retryAfterMs } from './retry-after.ts'

/** The parts of an answer that an error needs. */
export interface RefusedAnswer {
  status: number
  headers: Record<string, unknown>
  body: Buffer
  /** `GET /path`, for the error message. */
  request: string
  /** Secrets to be removed from the message, e.g. the token that was sent. */
  secrets: string[]
}

const MESSAGE_LENGTH = 300
const CODES: Record<number, string> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  410: 'not_found',
  413: 'answer_too_large',
}
const LATER = [408, 425, 429, 500, 502, 503, 504]

/** The error for an answer with a status other than 2xx. */
export function failureOf(refused: RefusedAnswer): Fatal | Retriable {
  const { status, request } = refused
  const said = messageOf(refused)
  const message = `${request}: ${status}${said && ` ${said}`}`
  if (LATER.includes(status) || status > 505) {
    return new Retriable(message, retryAfterMs(header(refused, 'retry-after'), clockOf(refused)))
  }
  if (status >= 300 && status < 400) {
    return new Fatal('redirected', `${request}: the ERP sends the caller elsewhere (${status}).`)
  }
  return new Fatal(CODES[status] ?? 'request_refused', message)
}

/** The ERP's clock as of this answer, milliseconds since 1970. */
export const serverTime = (headers: Record<string, unknown>): number | null => {
  const time = Date.parse(String(headers.date ?? ''))
  return Number.isNaN(time) ? null : time
}

const clockOf = ({ headers }: RefusedAnswer) => serverTime(headers) ?? Date.now()

function header({ headers }: RefusedAnswer, name: string): string | undefined {
  const value = headers[name]
  return value === undefined ? undefined : String(value)
}

interface ErrorBody {
  /** Problem details (RFC 9457), and the errors in those of Oracle. */
  title?: string
  detail?: string
  'o:errorDetails'?: { detail?: string; 'o:errorCode'?: string }[]
  error?: string | { message?: string | { value?: string } | null } | null
  error_description?: string
  /** Odoo has no `error` around it. */
  message?: unknown
}

/** The ERP's own message, from a body of OData, OAuth or problem details. */
function messageOf({ body, secrets }: RefusedAnswer): string {
  let said: unknown
  try {
    const parsed = JSON.parse(body.toString()) as ErrorBody
    const { error, error_description: description } = parsed
    const message = typeof error === 'object' ? error?.message : undefined
    const value = typeof message === 'object' ? message?.value : message
    said = value ?? message ?? description ?? error ?? problemOf(parsed) ?? parsed.message
  } catch {
    return ''
  }
  if (typeof said !== 'string') return ''
  let text = said.replace(/\s+/g, ' ')
  for (const secret of secrets) text = text.replaceAll(secret, '***')
  return text.length > MESSAGE_LENGTH ? `${text.slice(0, MESSAGE_LENGTH)}…` : text
}

function problemOf({ title, detail, 'o:errorDetails': details }: ErrorBody) {
  const inner = Array.isArray(details) ? details : []
  const told = inner.flatMap((one) => one?.detail ?? one?.['o:errorCode'] ?? [])
  return told.length ? told.join(' ') : (detail ?? title)
}

const UNTRUSTED =
  /^(CERT_|ERR_TLS|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY|DECRYPT)|HOSTNAME_MISMATCH|EPROTO$)/

/** Of the connection itself; an answer that broke off may come whole the next time. */
const NO_WAY =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ERR_CONNECT_TIMEOUT)$/

/** The error for a request without a complete answer; its text contains nothing that was sent. */
export function connectionFailure(error: unknown, request: string): Fatal | Retriable {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (UNTRUSTED.test(code)) {
    const hint = 'give the file of its certification authority as option ca_file'
    return new Fatal(
      'tls_untrusted',
      `The ERP's certificate cannot be verified (${code}): ${hint}.`,
    )
  }
  if (/maxContentLength/.test(message)) {
    return new Fatal('answer_too_large', `${request}: the answer is larger than allowed.`)
  }
  const reason = code || 'connection lost'
  const said = `The ERP is unreachable (${whyUnreachable(code)}): no complete answer to ${request}.`
  return NO_WAY.test(code) ? new Unreachable(said, reason) : new Retriable(said)
}
