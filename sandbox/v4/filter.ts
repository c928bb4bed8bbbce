// Filters of OData V4 over plain rows: comparisons joined by `and`, `or` and parentheses.
export type Row = Record<string, unknown>

type Test = (row: Row) => boolean

/** A filter, and the key behind which all its rows lie. */
export interface Filter {
  test: Test
  after: string | number | null
}

const TOKEN = /\s*(\(|\)|'(?:[^']|'')*'|[^\s()]+)/y

/** @param key rows are read from behind `key gt …`, where all of the filter says so @throws SyntaxError */
export function parseFilter(text: string | null, key: string | null): Filter {
  if (!text) return { test: () => true, after: null }
  const tokens = tokenize(text)
  let at = 0
  let after: Filter['after'] = null

  const or = (depth: number): Test => {
    const parts = [and(depth)]
    while (tokens[at] === 'or') {
      at++
      after = null
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
    return (row) => compare(row[field] as never, wanted as never)
  }

  const test = or(0)
  if (at < tokens.length) throw new SyntaxError(`Unexpected ${tokens[at]}`)
  return { test, after }
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
