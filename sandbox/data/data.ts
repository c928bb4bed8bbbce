// Data requests: log, throttle, authorisation and faults before the answer.
import { retryAfter } from '../throttle.ts'
import { send, sendHtml } from '../http.ts'
import { unauthorizedPage } from '../oauth/page.ts'
import { Refusal, errorBody } from '../odata/error.ts'
import { answer } from './answer.ts'
import { applyAnswerFault } from './answer-faults.ts'
import { authorizedService } from './authorize.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LogEntry } from '../log-entry.ts'
import type { State } from '../state.ts'

export async function data(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  entry: LogEntry,
): Promise<void> {
  const { behaviour, gate } = state
  const refused = gate.enter(behaviour.throttle)
  response.once('close', () => gate.leave())
  const fault = state.faults.take(`${entry.method} ${entry.path}${decode(entry.query)}`)
  if (fault) entry.fault = fault.kind
  const delay = behaviour.latencyMs + (fault?.kind === 'slow' ? (fault.delayMs ?? 1000) : 0)
  if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
  if (fault && applyAnswerFault(fault, request, response)) return
  const service = state.services.find(({ path }) => `${entry.path}/`.startsWith(`${path}/`))
  const version = service?.version ?? (entry.path.startsWith('/sap/opu/odata4/') ? 4 : 2)
  try {
    if (refused && behaviour.throttle) {
      const wait = retryAfter(behaviour.throttle, state.clock.now())
      if (wait !== null) response.setHeader('retry-after', wait)
      throw new Refusal(behaviour.throttle.status ?? 429, 'Too many requests', '429')
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      throw new Refusal(405, `Method ${request.method} not allowed`, '/IWFND/CM_CONSUMER/101')
    }
    const open = service && authorizedService(state, service, request)
    if (open === null) {
      response.setHeader('www-authenticate', 'Bearer realm="SAP", Basic realm="SAP"')
      return sendHtml(response, 401, unauthorizedPage)
    }
    await answer(state, open, response, entry, fault, request.headers.accept ?? '')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const body = errorBody(version, error)
    send(response, error.status, 'application/json;charset=utf-8', body)
  }
}

function decode(query: string): string {
  try {
    return decodeURIComponent(query.replaceAll('+', ' '))
  } catch {
    return query
  }
}
