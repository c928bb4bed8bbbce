// CAP makes the SQL of each query anew, which takes several times as long as reading a row by it (bench/rolling): it is made
// once for all queries of the same shape, which differ in their values alone. Wraps `cqn2sql` of @cap-js/db-service 3, which is
// not public. Tried with @cap-js/sqlite 3.1.1 and @cap-js/postgres 2.3.0. Needed until CAP keeps the SQL of a query.
import type { SQLInputValue } from 'node:sqlite'
import cds from '@sap/cds'
import { LRUCache } from 'lru-cache'
import { facade } from './facade.ts'

/** How many shapes are kept. */
const SHAPES = 1_000
/** A query of more values is left to CAP: lists of any length would be shapes of their own, and reading takes longer anyway. */
const VALUES = 64

type Value = string | number

/** What CAP makes of a query: what it reads is known from the query as CAP understood it. */
interface Made {
  sql: string
  values?: SQLInputValue[]
  cqn: object
}

/** Its SQL with where each value of the query stands among those of the SQL, once or more. */
interface Kept extends Made {
  values: SQLInputValue[]
  positions: number[][]
}

interface DatabaseService {
  cqn2sql(query: object, data?: object): Made
}

/** Makes the database service keep the SQL of its reads. */
export function keepSql(service: object) {
  const database = service as DatabaseService
  const make = database.cqn2sql
  /** Null for a query that came once, so that only what comes again is made twice; false for what cannot be kept. */
  const shapes = new LRUCache<string, { kept: Kept | false | null }>({ max: SHAPES })
  database.cqn2sql = function (this: DatabaseService, query, data) {
    const { SELECT } = query as { SELECT?: object }
    const taken = SELECT && !Object.keys(data ?? {}).length ? takeValues(SELECT) : null
    if (!taken) return make.call(this, query, data)
    const { shape, values } = taken
    const known = shapes.get(shape)
    if (!known) shapes.set(shape, { kept: null })
    else known.kept ??= marked((query) => make.call(this, query), SELECT!, values)
    return known?.kept ? bind(known.kept, values) : make.call(this, query, data)
  }
}

function bind({ sql, cqn, values, positions }: Kept, given: Value[]): Made {
  const bound = [...values]
  for (const [at, own] of positions.entries())
    for (const position of own) bound[position] = given[at]!
  return { sql, cqn, values: bound }
}

interface Taken {
  /** The query as text, with the types of its values. */
  shape: string
  values: Value[]
}

type Node = Record<string, unknown>

/** Null for a query that is more than plain values, such as a clone that inherits what it does not say itself. */
function takeValues(select: object): Taken | null {
  const values: Value[] = []
  let isPlain = Object.getPrototypeOf(select) === Object.prototype
  const shape = JSON.stringify(select, function (this: Node, name, value: unknown) {
    if (name === 'val' && isBound(this)) {
      isPlain &&= isAsCompared(this.val)
      values.push(this.val)
      return typeof value
    }
    if (isPlain && isPlainValue(this[name])) return value
    isPlain = false
    return undefined
  })
  if (!isPlain || values.length > VALUES) return null
  return { shape: `${String(cds.context?.locale)} ${shape}`, values }
}

/** A value that CAP makes a parameter of: others stand in the SQL itself. */
const isBound = (node: Node): node is Node & { val: Value } =>
  node['param'] !== false && (typeof node['val'] === 'string' || typeof node['val'] === 'number')

const TIME = /^\d{4}-\d\d-\d\dT/

/** SQLite's service compares times as texts, and writes those out that are said otherwise. */
const isAsCompared = (value: Value) =>
  typeof value === 'number' || !TIME.test(value) || /^.{19}\.\d{3}Z$/.test(value)

function isPlainValue(value: unknown): boolean {
  if (['undefined', 'function', 'bigint'].includes(typeof value)) return false
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true
  return Object.getPrototypeOf(value) === Object.prototype || Object.hasOwn(value, 'SELECT')
}

/** Makes the SQL of a query with marks instead of its values, which show where each is bound. */
function marked(make: (query: object) => Made, select: object, given: Value[]): Kept | false {
  const marks = given.map((value, at) =>
    typeof value === 'string' ? `\u0001value ${at}` : at - Number.MAX_SAFE_INTEGER,
  )
  let at = 0
  const text = JSON.stringify(select, function (this: Node, name, value: unknown) {
    return name === 'val' && isBound(this) ? marks[at++] : value
  })
  const query = facade.ql({ SELECT: JSON.parse(text) as object })
  facade.db.infer(query)
  const { sql, values = [], cqn } = make(query)
  const positions = marks.map((mark) =>
    values.flatMap((value, index) => (value === mark ? [index] : [])),
  )
  const isEachBound = positions.every((each) => each.length)
  const isAnyInSql = marks.some((mark) => sql.includes(String(mark)))
  return isEachBound && !isAnyInSql && { sql, cqn, values, positions }
}
