// Refuses addresses over which CAP stumbles. Tried with @sap/cds 10.1.1: `cds.odata.parse` is not public.
// Needed until CAP answers 400 to all of test/srv/cap/odata-paths.test.ts.
import type { RequestHandler } from 'express'
import cds from '@sap/cds'
import { type Entity, findExcess, findExpandedList } from './query-limits.ts'
import { beforePlugins, facade } from '../cap/facade.ts'

/** What every object of JavaScript has, and no entity of ours: CAP takes these names for fields. */
const INHERITED = new RegExp(`\\b(${Object.getOwnPropertyNames(Object.prototype).join('|')})\\b`)
const TEXTS = /'(?:[^']|'')*'/g

/** CAP decodes paths to log them, and ends the process over one that is no UTF-8. */
const requireWellFormed: RequestHandler = (req, res, next) => {
  const fault = findPathFault(req.path) ?? findQueryFault(req.url)
  if (fault) res.status(400).json({ error: { code: '400', message: fault } })
  else next()
}

function findPathFault(path: string): string | null {
  try {
    decodeURI(path)
    return null
  } catch {
    return 'The address is not well-formed: percent-encoded UTF-8 is needed.'
  }
}

/** What CAP would stumble over, or take for no limit; null where it tells by itself. */
function findQueryFault(url: string): string | null {
  for (const [option, value] of new URLSearchParams(url.split('?')[1])) {
    if (['$skip', '$skiptoken'].includes(option) && Number(value) > Number.MAX_SAFE_INTEGER) {
      return `${option} must be at most ${Number.MAX_SAFE_INTEGER}.`
    }
    if (['$skip', '$top'].includes(option) && Number(value) < 0) {
      return `${option} must not be negative.`
    }
    const bare = option.startsWith('$') ? value.replace(TEXTS, '') : ''
    const [, name] = (option !== '$search' && INHERITED.exec(bare)) || []
    if (name) return `${option}: there is no field ${name}.`
    const excess = findExcess(option, value, bare)
    if (excess) return excess
  }
  return null
}

interface ParseOptions {
  service?: { definition?: { name: string }; name: string; model: { definitions: Kinds } }
}
type Kinds = Record<string, ({ kind: string } & Entity) | undefined>

/** What a service has names for and no address: CAP takes types and aspects for sets, and stumbles. */
const UNADDRESSED = ['type', 'aspect', 'event']
/** The name at each step of a path, with its namespace where that is said. */
const STEPS = /(?<=^|\/)[A-Za-z_][\w.]*(?=[/(?]|$)/g

function isNoAddress(url: string, { service }: ParseOptions): boolean {
  if (!service) return false
  const { definitions } = service.model
  const namespace = service.definition?.name ?? service.name
  // What is malformed has been refused, but within a batch CAP does so.
  const path = findPathFault(url) ? '' : decodeURIComponent(url.split('?')[0]!)
  return [...path.replaceAll(TEXTS, '').matchAll(STEPS)].some(([name]) =>
    [name, `${namespace}.${name}`].some((each) =>
      UNADDRESSED.includes(definitions[each]?.kind ?? ''),
    ),
  )
}

/** My Inbox chooses what it asks for, of the tasks of one person; it reads their parts one after the other. */
const findLongExpand = (query: unknown, { service }: ParseOptions) =>
  service && service.name !== 'TASKPROCESSING'
    ? findExpandedList(query, (name) => service.model.definitions[name])
    : null

/** Before the service starts: the V2 adapter is a plugin, and stands first otherwise. */
export function refuseMalformedPaths() {
  beforePlugins((app) => app.use('/odata', requireWellFormed))
  const { parse } = facade.odata
  facade.odata.parse = (url, options = {}) => {
    const fault = findQueryFault(url)
    if (fault) throw cds.error(400, fault)
    if (isNoAddress(url, options)) throw cds.error(404, 'There is nothing at this address.')
    const query = parse(url, options)
    const list = findLongExpand(query, options)
    if (list) throw cds.error(400, list)
    return query
  }
}
