import type { Fault } from '../faults.ts'
import type { EntitySet } from '../odata/set.ts'
import type { PageRequest } from '../odata/write-page.ts'
import type { LogEntry } from '../log-entry.ts'

/** The last page of each entity set, by the requested fields and by the address of a read, for the fault `repeat`. */
const before = new WeakMap<EntitySet, Map<string, PageRequest>>()

/** So many reads are remembered. */
const MAX_READS = 500

/** Parameters that differ from page to page of a read. */
const OF_ONE_PAGE = ['$top', '$skip', '$skiptoken', '$inlinecount', '$count']

/** Several reads of stock ask for the same fields. */
const KIND_OF_STOCK = /InventoryStockType eq '\d\d'/

/** Applies faults in the content of a page. */
export function applyPageFault(page: PageRequest, fault: Fault | null, entry: LogEntry): void {
  const pages = before.get(page.set) ?? new Map<string, PageRequest>()
  before.set(page.set, pages)
  if (pages.size > MAX_READS) pages.clear()
  // Reads of the same fields may go on side by side; a page that a next-link led to is of one of them.
  const parameters = new URLSearchParams(entry.query)
  const isFollowed = parameters.has('$skiptoken')
  for (const name of OF_ONE_PAGE) parameters.delete(name)
  const [kind = ''] = KIND_OF_STOCK.exec(parameters.get('$filter') ?? '') ?? []
  const [fields, read] = [`${String(page.query.select)} ${kind}`, parameters.toString()]
  if (fault?.kind === 'repeat')
    page.query = pages.get(isFollowed ? read : fields)?.query ?? page.query
  else for (const name of [fields, read]) pages.set(name, { ...page })
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
