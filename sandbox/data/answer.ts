import { notOffered } from '../behaviour.ts'
import { send } from '../http.ts'
import { Refusal } from '../odata/error.ts'
import { metadataXml } from '../odata/metadata.ts'
import { openPage } from '../odata/page.ts'
import { applyPageFault } from './page-faults.ts'
import { toPageRequest } from './page-request.ts'
import { sendPage } from './stream.ts'
import type { ServerResponse } from 'node:http'
import type { Fault } from '../faults.ts'
import type { Service } from '../odata/set.ts'
import type { LogEntry } from '../log-entry.ts'
import type { State } from '../state.ts'

/** @throws Refusal */
export async function answer(
  state: State,
  service: Service | undefined,
  response: ServerResponse,
  entry: LogEntry,
  fault: Fault | null,
  accept: string,
): Promise<void> {
  if (!service || notOffered(state.behaviour).includes(service.name)) {
    throw new Refusal(404, `No service found for ${entry.path}`, '/IWFND/MED/170')
  }
  const rest = entry.path.slice(service.path.length).replace(/^\//, '')
  if (rest === '$metadata') return send(response, 200, 'application/xml', metadataXml(service))
  if (rest === '') return serviceDocument(service, response)
  const [, name = '', count] = /^(\w+)(\/\$count)?$/.exec(rest) ?? []
  const set = service.sets.get(name)
  if (!set)
    throw new Refusal(404, `Resource not found for segment '${rest}'`, '/IWBEP/CM_MGW_RT/010')
  entry.set = set.name
  const page = toPageRequest(state, service, set, entry, accept, response)
  if (count) {
    const total = openPage(set, page.query, page.limits).total()
    return send(response, 200, 'text/plain;charset=utf-8', String(total))
  }
  applyPageFault(page, fault, entry)
  await sendPage(page, response, entry, fault)
}

function serviceDocument({ sets, version }: Service, response: ServerResponse): void {
  const names = [...sets.keys()]
  const body =
    version === 2
      ? { d: { EntitySets: names } }
      : { value: names.map((name) => ({ name, url: name, kind: 'EntitySet' })) }
  send(response, 200, 'application/json;charset=utf-8', JSON.stringify(body))
}
