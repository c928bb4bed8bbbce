import { SCOPES } from '../behaviour.ts'
import { Refusal } from '../odata/error.ts'
import type { IncomingMessage } from 'node:http'
import type { Service } from '../odata/set.ts'
import type { State } from '../state.ts'

/**
 * The requested service; null without valid credentials.
 * @throws Refusal 403
 */
export function authorizedService(state: State, service: Service, request: IncomingMessage): Service | null {
  const { behaviour, tokens } = state
  const [kind = '', value = ''] = (request.headers.authorization ?? '').split(' ')
  if (/^basic$/i.test(kind)) {
    if (!behaviour.auth.includes('basic') || `Basic ${value}` !== state.basic) return null
  } else {
    const grant = /^bearer$/i.test(kind) ? tokens.find(value) : null
    if (!grant) return null
    if (!grant.scopes.includes(SCOPES[service.name]!)) {
      throw new Refusal(403, `No scope for service ${service.name}`, '/IWFND/CM_CONSUMER/111')
    }
  }
  if (behaviour.forbidden.includes(service.name)) {
    throw new Refusal(403, `No authorization to access Service ${service.name}`, '/IWFND/MED/170')
  }
  return service
}
