import { bad } from './error.ts'
import { parseLiteral } from './literal.ts'
import type { EntitySet, Rows, Value } from './set.ts'

const COMPARISONS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof COMPARISONS)[number]

export type Expression =
  | { kind: 'and'; left: Expression; right: Expression }
  | { kind: 'or'; left: Expression; right: Expression }
  | { kind: Comparison; field: string; value: Value; numeric: boolean }

const TOKEN = /\s*(\(|\)|[A-Za-z]*'(?:[^']|'')*'|[^\s()']+)/y

/**
 * A filter of comparisons joined by `and`, `or` and parentheses.
 * @throws Refusal 400 for anything else
 */
export function parseFilter(text: string, set: EntitySet, version: 2 | 4): Expression {
  const tokens = tokenize(text)
  let at = 0
  const next = () => tokens[at++] ?? ''

  const or = (): Expression => chain('or', and)
  const and = (): Expression => chain('and', primary)
  function chain(word: 'and' | 'or', part: () => Expression): Expression {
    let left = part()
    while (tokens[at] === word) {
      at++
      left = { kind: word, left, right: part() }
    }
    return left
  }
  function primary(): Expression {
    if (tokens[at] === '(') {
      at++
      const inner = or()
      if (next() !== ')') throw bad('Missing ) in $filter')
      return inner
    }
    return comparison()
  }
  function comparison(): Expression {
    const field = set.fields.get(next())
    if (!field) throw bad(`Property ${tokens[at - 1] ?? ''} not found in $filter of ${set.name}`)
    if (!field.filterable) throw bad(`Property ${field.name} is not filterable`)
    const kind = COMPARISONS.find((name) => name === tokens[at])
    if (!kind) throw bad(`Operator ${tokens[at] ?? ''} in $filter is not supported`)
    at++
    const value = parseLiteral(next(), field.edm, version, field.name)
    const numeric = field.edm === 'Decimal' || field.edm === 'Int'
    return { kind, field: field.name, value, numeric }
  }

  const expression = or()
  if (at < tokens.length) throw bad(`Unexpected ${tokens[at]} in $filter`)
  return expression
}

function tokenize(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (!match) {
      if (text.slice(from).trim() === '') break
      throw bad(`Invalid $filter at position ${from}`)
    }
    tokens.push(match[1]!)
  }
  return tokens
}

/** Whether the loaded row matches the expression. */
export function toPredicate(expression: Expression, rows: Rows): () => boolean {
  if (expression.kind === 'and' || expression.kind === 'or') {
    const left = toPredicate(expression.left, rows)
    const right = toPredicate(expression.right, rows)
    return expression.kind === 'and' ? () => left() && right() : () => left() || right()
  }
  const { kind, numeric } = expression
  const read = rows.value(expression.field)
  const wanted = numeric && expression.value !== null ? Number(expression.value) : expression.value
  const value = numeric ? () => number(read()) : read
  switch (kind) {
    case 'eq':
      return () => value() === wanted
    case 'ne':
      return () => value() !== wanted
    case 'gt':
      return () => ordered(value(), wanted) && value()! > wanted!
    case 'ge':
      return () => ordered(value(), wanted) && value()! >= wanted!
    case 'lt':
      return () => ordered(value(), wanted) && value()! < wanted!
    case 'le':
      return () => ordered(value(), wanted) && value()! <= wanted!
  }
}

const number = (value: Value) => (value === null ? null : Number(value))
const ordered = (a: Value, b: Value) => a !== null && b !== null
