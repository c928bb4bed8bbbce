// Filters of OData V4 over plain rows: comparisons joined by `and`, `or` and parentheses.
export type Row = Record<string, unknown>

type Test = (row: Row) => boolean

/** Where the rows of a filter lie. */
export interface Bounds {
  /** Behind this key. */
  after: string | number | null
  /** Not below these values of fields. */
  least: ReadonlyMap<string, unknown>
  /** Only these keys; null for any. */
  keys: ReadonlySet<unknown> | null
}

export interface Filter extends Bounds {
  test: Test
}

const TOKEN = /\s*(\(|\)|'(?:[^']|'')*'|[^\s()]+)/y

/** @param key of the set, for the bounds @throws SyntaxError */
export function parseFilter(text: string | null, key: string | null): Filter {
  if (!text) return { test: () => true, after: null, least: new Map(), keys: null }
  const tokens = tokenize(text)
  let at = 0
  let after: Bounds['after'] = null
  const least = new Map<string, unknown>()
  const keys = keysOf(tokens, key)

  const or = (depth: number): Test => {
    const parts = [and(depth)]
    while (tokens[at] === 'or') {
      at++
      after = null
      least.clear()
      parts.push(and(depth + 1))
    }
    return (row) => parts.some((part) => part(row))
  }
  const and = (depth: number): Test => {
    const parts = [primary(depth)]
    while (tokens[at] === 'and') {
      at++
      parts.push(primary(depth))
    }
    return (row) => parts.every((part) => part(row))
  }
  const primary = (depth: number): Test => {
    if (tokens[at] !== '(') return comparison(depth)
    at++
    const inner = or(depth)
    if (tokens[at++] !== ')') throw new SyntaxError('Missing )')
    return inner
  }
  const comparison = (depth: number): Test => {
    const [field, operator, literal] = tokens.slice(at, at + 3)
    at += 3
    if (!field || !operator || literal === undefined) throw new SyntaxError('Incomplete $filter')
    const wanted = valueOf(literal)
    const compare = COMPARISONS[operator]
    if (!compare) throw new SyntaxError(`Operator ${operator} is not known`)
    if (field === key && operator === 'gt' && !depth) after = wanted as string | number
    if (operator === 'ge' && !depth) least.set(field, wanted)
    return (row) => compare(row[field] as never, wanted as never)
  }

  const test = or(0)
  if (at < tokens.length) throw new SyntaxError(`Unexpected ${tokens[at]}`)
  return { test, after, least, keys }
}

/** The keys of a filter that is `key eq …`, or alternatives of it, and perhaps in parentheses with `and key gt …`. */
function keysOf(tokens: string[], key: string | null): Bounds['keys'] {
  const end = tokens[0] === '(' ? tokens.indexOf(')') : tokens.length
  const part = tokens.slice(tokens[0] === '(' ? 1 : 0, end)
  if (tokens.slice(end).includes('or')) return null
  const keys = new Set<unknown>()
  for (let at = 0; at < part.length; at += 4) {
    const [field, operator, literal = '', next = 'or'] = part.slice(at, at + 4)
    if (field !== key || operator !== 'eq' || next !== 'or') return null
    keys.add(valueOf(literal))
  }
  return keys
}

const COMPARISONS: Record<string, (a: never, b: never) => boolean> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
}

/** Days and instants are compared as text, as they are written in rows. */
function valueOf(literal: string): unknown {
  if (literal.startsWith("'")) return literal.slice(1, -1).replaceAll("''", "'")
  if (literal === 'true' || literal === 'false') return literal === 'true'
  return /^-?\d+(\.\d+)?$/.test(literal) ? Number(literal) : literal
}

function tokenize(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (text.slice(TOKEN.lastIndex).trim()) {
    const match = TOKEN.exec(text)
    if (!match) throw new SyntaxError('Invalid $filter')
    tokens.push(match[1]!)
  }
  return tokens
}
