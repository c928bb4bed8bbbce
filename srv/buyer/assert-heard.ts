// An action takes what it is given from a JSON body alone: what is said elsewhere would not be heard.
import type { Request } from '@sap/cds'
import { message } from '../texts.ts'

const PARAMETERS = ['quantity', 'comment', 'reason', 'until', 'version', 'proposals']

interface Call {
  headers: Record<string, string | undefined>
  query?: object
}

/** @throws 415 for a body that is not read, 400 for parameters in the address */
export function assertHeard(req: Request) {
  const { headers = {}, query = {} } = (req.http?.req ?? {}) as Partial<Call>
  const hasBody = Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
  const isRead = /json|multipart/i.test(headers['content-type'] ?? '')
  const text = message('parameters_unheard')
  if (hasBody && !isRead) {
    req.reject({ status: 415, code: 'unsupported_media_type', message: text } as never)
  }
  const target = PARAMETERS.find((name) => name in query)
  if (target) req.reject({ status: 400, code: 'invalid_parameter', target, message: text } as never)
}
