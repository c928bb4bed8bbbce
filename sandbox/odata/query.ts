import { bad } from './error.ts'
import { parseFilter } from './filter.ts'
import type { Expression } from './filter.ts'
import type { EntitySet } from './set.ts'

export interface Order {
  field: string
  descending: boolean
}

/** A request's system query options, checked. */
export interface Query {
  top: number | null
  skip: number
  /** End of the previous page: slot (or position if sorted), and the rows left of `$top`. */
  token: { at: number; left: number | null } | null
  select: string[] | null
  /** Fields below the expanded navigation; null for all. */
  selectBelow: string[] | null
  order: Order[]
  filter: Expression | null
  filterText: string
  expand: string | null
  count: boolean
}

const KNOWN: Record<2 | 4, string[]> = {
  2: ['$inlinecount', '$format'],
  4: ['$count', '$format'],
}
const COMMON = ['$top', '$skip', '$skiptoken', '$select', '$orderby', '$filter', '$expand']

/** @throws Refusal 400 for an unknown option, field or value */
export function parseQuery(set: EntitySet, params: URLSearchParams, version: 2 | 4): Query {
  for (const name of new Set(params.keys())) {
    if (/^sap-(client|language)$/.test(name)) continue
    if (!COMMON.includes(name) && !KNOWN[version].includes(name)) {
      throw bad(`Invalid system query option ${name}`)
    }
    if (params.getAll(name).length > 1) throw bad(`Query option ${name} is given twice`)
  }
  const format = params.get('$format')
  if (format !== null && format !== 'json') throw bad(`$format=${format} is not supported`)
  const filter = params.get('$filter')
  const expand = parseExpand(set, params.get('$expand'))
  return {
    top: parseWhole(params, '$top'),
    skip: parseWhole(params, '$skip') ?? 0,
    token: parseToken(params.get('$skiptoken')),
    ...parseSelect(set, params.get('$select'), expand),
    order: parseOrder(set, params.get('$orderby')),
    filterText: filter ?? '',
    filter: filter === null ? null : parseFilter(filter, set, version),
    expand,
    count: parseCount(params, version),
  }
}

function parseWhole(params: URLSearchParams, name: string): number | null {
  const text = params.get(name)
  if (text === null) return null
  if (!/^\d{1,9}$/.test(text)) throw bad(`Invalid value for ${name}`)
  return Number(text)
}

function parseToken(text: string | null): Query['token'] {
  if (text === null) return null
  const [, at, left] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
  if (at === undefined) throw bad('Invalid $skiptoken')
  return { at: Number(at), left: left === undefined ? null : Number(left) }
}

function parseExpand(set: EntitySet, text: string | null): string | null {
  if (text === null) return null
  if (!(text in set.navigations))
    throw bad(`Navigation property ${text} not found or not supported`)
  return text
}

function parseSelect(set: EntitySet, text: string | null, expand: string | null) {
  if (text === null) return { select: null, selectBelow: null }
  const select: string[] = []
  const below: string[] = []
  let whole = false
  for (const name of text.split(',').map((part) => part.trim())) {
    const [navigation = '', field] = name.split('/')
    if (field !== undefined) {
      const child = set.navigations[navigation]
      if (!child || expand !== navigation) throw bad(`Path ${name} in $select is not expanded`)
      if (!child.fields.has(field)) throw bad(`Property ${name} not found`)
      below.push(field)
    } else if (set.fields.has(name)) select.push(name)
    else if (name === expand) whole = true
    else if (name !== '*' || select.length > 0)
      throw bad(`Property ${name} not found in ${set.name}`)
  }
  if (select.length === 0) return { select: null, selectBelow: below.length ? below : null }
  return { select, selectBelow: whole || below.length === 0 ? null : below }
}

function parseOrder(set: EntitySet, text: string | null): Order[] {
  if (text === null) return []
  return text.split(',').map((part) => {
    const [name = '', direction = 'asc', ...rest] = part.trim().split(/\s+/)
    const field = set.fields.get(name)
    if (!field || rest.length > 0 || !/^(asc|desc)$/.test(direction)) {
      throw bad(`Invalid $orderby ${part}`)
    }
    if (!field.sortable) throw bad(`Property ${name} is not sortable`)
    return { field: name, descending: direction === 'desc' }
  })
}

function parseCount(params: URLSearchParams, version: 2 | 4): boolean {
  const text = params.get(version === 2 ? '$inlinecount' : '$count')
  const [yes, no] = version === 2 ? ['allpages', 'none'] : ['true', 'false']
  if (text === null || text === no) return false
  if (text === yes) return true
  throw bad(`Invalid value ${text} for the count option`)
}
