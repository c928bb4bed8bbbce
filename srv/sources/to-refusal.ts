import { Fatal, Retriable } from '../../adapters/errors.ts'
import { Refusal } from '../errors.ts'
import { OAuthRefusal } from './oauth/refusal.ts'
import { clientRefused } from './access/request-access.ts'

const CLIENT_CODES = ['invalid_client', 'unauthorized_client', 'invalid_grant', 'access_denied']

/** The refusal of a request to connect a source; an unexpected error is returned unchanged. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof OAuthRefusal) {
    if (CLIENT_CODES.includes(error.code)) return clientRefused()
    return new Refusal('invalid_parameter', error.message, { target: 'client_id' })
  }
  if (error instanceof Fatal) {
    const target = error.target ?? 'account'
    return new Refusal('invalid_parameter', `${target}: ${error.message}`, { target })
  }
  if (error instanceof Retriable) {
    return new Refusal('source_unavailable', error.message, {
      retryAfter: Math.ceil((error.afterMs ?? 10_000) / 1000),
    })
  }
  return error
}
