import { parseQuery } from '../odata/query.ts'
import type { ServerResponse } from 'node:http'
import type { EntitySet, Service } from '../odata/set.ts'
import type { PageRequest } from '../odata/write-page.ts'
import type { LogEntry } from '../log-entry.ts'
import type { State } from '../state.ts'

/** Rows of a V4 page without `$top`. */
const V4_PAGE = 100

/** The requested page, limited to the server's page size. @throws Refusal */
export function toPageRequest(
  state: State,
  service: Service,
  set: EntitySet,
  entry: LogEntry,
  accept: string,
  response: ServerResponse,
): PageRequest {
  const { behaviour } = state
  const params = new URLSearchParams(entry.query)
  const query = parseQuery(set, params, service.version)
  const origin = `http://${response.req.headers.host ?? 'localhost'}`
  const page = service.version === 4 ? V4_PAGE : behaviour.defaultPage
  const serverDriven = behaviour.paging === 'server'
  const asked = query.token ? query.token.left : query.top
  const rows = Math.min(asked ?? page, behaviour.maxPage)
  const base = origin + service.path
  return {
    set,
    query,
    limits: { rows: serverDriven ? rows : Infinity, hasNextLink: serverDriven },
    format: {
      service,
      base,
      metadata: behaviour.rowMetadata,
      ieee754: /IEEE754Compatible=true/i.test(accept),
    },
    nextLink(token) {
      const following = new URLSearchParams(params)
      for (const name of ['$top', '$skip', '$inlinecount', '$count']) following.delete(name)
      following.set('$skiptoken', token)
      const address = `${set.name}?${following.toString().replaceAll('%24', '$').replaceAll('+', '%20')}`
      return service.version === 4 ? address : `${base}/${address}`
    },
  }
}
