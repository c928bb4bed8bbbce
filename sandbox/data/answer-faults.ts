import { redirect, send, sendHtml } from '../http.ts'
import { logonPage } from '../oauth/page.ts'
import { Refusal, errorBody } from '../odata/error.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from '../faults.ts'

/** Applies faults that replace the whole answer. @returns false for other faults */
export function applyAnswerFault(fault: Fault, request: IncomingMessage, response: ServerResponse): boolean {
  switch (fault.kind) {
    case 'status': {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter)
      const status = fault.status ?? 503
      const refusal = new Refusal(status, `Fault ${status}`, String(status))
      send(response, status, 'application/json;charset=utf-8', errorBody(2, refusal))
      return true
    }
    case 'drop':
      request.socket.destroy()
      return true
    case 'html':
      sendHtml(response, 200, logonPage)
      return true
    case 'redirect':
      redirect(response, fault.to ?? 'http://localhost:9/elsewhere')
      return true
    case 'hang':
      return true
    default:
      return false
  }
}
