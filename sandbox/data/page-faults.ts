import type { Fault } from '../faults.ts'
import type { EntitySet } from '../odata/set.ts'
import type { PageRequest } from '../odata/write-page.ts'
import type { LogEntry } from '../log-entry.ts'

/** The last page of each entity set, by the requested fields, for the fault `repeat`. */
const before = new WeakMap<EntitySet, Map<string, PageRequest>>()

/** Applies faults in the content of a page. */
export function applyPageFault(page: PageRequest, fault: Fault | null, entry: LogEntry): void {
  const pages = before.get(page.set) ?? new Map<string, PageRequest>()
  before.set(page.set, pages)
  const fields = String(page.query.select)
  if (fault?.kind === 'repeat') page.query = pages.get(fields)?.query ?? page.query
  else pages.set(fields, { ...page })
  const { service, base } = page.format
  const origin = base.slice(0, -service.path.length)
  const address = `${service.path}/${page.set.name}${entry.query}`
  switch (fault?.kind) {
    case 'repeat':
      page.nextLink = () => origin + address
      break
    case 'loop':
      page.nextLink = () => origin + address
      page.lastLink = origin + address
      break
    case 'empty':
      page.limits = { rows: 0, hasNextLink: false }
      break
    case 'foreign':
      page.lastLink = (fault.to ?? 'http://localhost:9') + address
      page.nextLink = () => page.lastLink!
  }
}
