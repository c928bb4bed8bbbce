/** An OData service of an ERP. */
export interface ODataService {
  /** Path below the ERP's address, e.g. `/sap/opu/odata/sap/API_PRODUCT_SRV`. */
  path: string
  version: 2 | 4
}

/** A query of an entity set. */
export interface Query {
  service: ODataService
  set: string
  /** The key fields, all of them text; rows are sorted by them. */
  key: readonly string[]
  select: readonly string[]
  expand?: string
  filter?: string | null
  /** Rows of a page. */
  top: number
  /** False where the set cannot be sorted: pages are then requested by `$skip` instead of by key. */
  isSortable?: boolean
}

/** Start of a page: after a key, or after a number of rows. */
export type Start = { after: readonly string[] | null } | { skip: number }

/** The system query options of a page's request. */
export function parametersOf(query: Query, start: Start, wantsTotal: boolean) {
  const { service, key, select, expand, filter, top, isSortable = true } = query
  const parameters: Record<string, string> = {
    $top: String(top),
    $select: select.join(','),
  }
  if (isSortable) parameters.$orderby = key.join(',')
  if (expand) parameters.$expand = expand
  if ('skip' in start && start.skip) parameters.$skip = String(start.skip)
  const after = 'after' in start && start.after ? afterKey(key, start.after) : null
  const conditions = [filter, after].filter((condition) => condition)
  if (conditions.length) parameters.$filter = conditions.map((each) => `(${each})`).join(' and ')
  if (wantsTotal) Object.assign(parameters, TOTAL[service.version])
  return parameters
}

const TOTAL = { 2: { $inlinecount: 'allpages' }, 4: { $count: 'true' } }

/** Text as a literal of a filter. */
export const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A calendar day as a literal of a V2 filter. */
export const dayLiteral = (day: string): string => `datetime'${day}T00:00:00'`

/** An instant as a literal of a filter. @param ms since 1970 */
export function instantLiteral(ms: number, version: ODataService['version'] = 2): string {
  const text = `${new Date(ms).toISOString().slice(0, 19)}Z`
  return version === 2 ? `datetimeoffset'${text}'` : text
}

export const anyOf = (field: string, values: readonly string[]): string =>
  values.map((value) => `${field} eq ${textLiteral(value)}`).join(' or ')

/** A filter for all keys after this one; nested, so that each field appears at most twice. */
function afterKey(fields: readonly string[], values: readonly string[]): string {
  const [field, ...others] = fields
  const [value, ...rest] = values
  const beyond = `${field} gt ${textLiteral(value!)}`
  if (!others.length) return beyond
  return `${beyond} or (${field} eq ${textLiteral(value!)} and (${afterKey(others, rest)}))`
}
