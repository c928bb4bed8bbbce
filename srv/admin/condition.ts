// Conditions of CQN, for rows that no table holds.
import { Refusal } from '../errors.ts'

export type Row = Record<string, unknown>

interface Token {
  ref?: string[]
  val?: unknown
  func?: string
  args?: unknown[]
  xpr?: unknown[]
  list?: unknown[]
}

const FUNCTIONS: Record<string, (text: string, part: string) => unknown> = {
  contains: (text, part) => text.includes(part),
  startswith: (text, part) => text.startsWith(part),
  endswith: (text, part) => text.endsWith(part),
  tolower: (text) => text.toLowerCase(),
  toupper: (text) => text.toUpperCase(),
}

/** @throws Refusal invalid_parameter for what is not known here: nothing is left out silently */
function valueOf(token: unknown, row: Row): unknown {
  const { ref, func, args = [], xpr, list, val } = token as Token
  if (ref) return row[String(ref.at(-1))]
  if (xpr) return holds(xpr, row)
  if (list) return list.map((each) => valueOf(each, row))
  if (!func) return val
  const known = FUNCTIONS[func.toLowerCase()]
  if (!known) throw notKnown(func)
  const [text, part] = args.map((each) => String(valueOf(each, row) ?? ''))
  return known(text ?? '', part ?? '')
}

const notKnown = (what: unknown) =>
  new Refusal('invalid_parameter', `These rows are not filtered by ${String(what)}.`)

const isSame = (a: unknown, b: unknown) => a === b || (a == null && b == null)

const COMPARISONS: Record<string, (a: unknown, b: unknown) => boolean> = {
  '=': isSame,
  '==': isSame,
  '!=': (a, b) => !isSame(a, b),
  '<>': (a, b) => !isSame(a, b),
  in: (a, b) => (b as unknown[]).includes(a),
}

/** Whether a row meets a condition. */
export function holds(condition: unknown[], row: Row): boolean {
  for (const [joint, isEnough] of [
    ['or', true],
    ['and', false],
  ] as const) {
    const at = condition.indexOf(joint)
    if (at < 0) continue
    const first = holds(condition.slice(0, at), row)
    const rest = holds(condition.slice(at + 1), row)
    return isEnough ? first || rest : first && rest
  }
  if (condition[0] === 'not') return !holds(condition.slice(1), row)
  if (condition[0] === '(') return holds(condition.slice(1, -1), row)
  if (condition.length === 1) return valueOf(condition[0], row) === true
  const [left, operator, right] = condition
  const compare = COMPARISONS[String(operator)]
  if (!compare) throw notKnown(operator)
  return compare(valueOf(left, row), valueOf(right, row))
}

/** What a row must be equal to, by the comparisons that are joined by `and`. */
export function equalities(condition: unknown[]): Row {
  const found: Row = {}
  for (const [at, token] of condition.entries()) {
    if (token !== '=') continue
    const pair = [condition[at - 1], condition[at + 1]] as Token[]
    const name = pair.find(({ ref }) => ref)?.ref?.at(-1)
    if (name) found[name] = pair.find((side) => 'val' in side)?.val
  }
  return found
}
