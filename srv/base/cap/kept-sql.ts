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
  cqn2sql(query: Query, data?: object): Made
}

/** Makes the database service keep the SQL of its reads, updates and deletions. */
export function keepSql(service: object) {
  const database = service as DatabaseService
  const make = database.cqn2sql
  /** Null for a query that came once, so that only what comes again is made twice; false for what cannot be kept. */
  const shapes = new LRUCache<string, { kept: Kept | false | null }>({ max: SHAPES })
  database.cqn2sql = function (this: DatabaseService, query, data) {
    const own = plainOf(query, data)
    const taken = own && takeValues(own)
    if (!taken) return make.call(this, query, data)
    const { shape, values } = taken
    const known = shapes.get(shape)
    if (!known) shapes.set(shape, { kept: null })
    else known.kept ??= marked((each) => make.call(this, each), own, values)
    return known?.kept ? bind(known.kept, values) : make.call(this, query, data)
  }
}

interface Query {
  SELECT?: object
  UPDATE?: { data?: object }
  DELETE?: object
}

/** What is said of a read, an update or a deletion; null for others, and for those whose values are given beside them. */
function plainOf({ SELECT, UPDATE, DELETE }: Query, data: object = {}): Query | null {
  if (UPDATE) return { UPDATE }
  const own = SELECT ? { SELECT } : DELETE && { DELETE }
  return own && !Object.keys(data).length ? own : null
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
function takeValues(query: Query): Taken | null {
  const values: Value[] = []
  const set = query.UPDATE?.data
  let isPlain = Object.values(query).every((own) => Object.getPrototypeOf(own) === Object.prototype)
  const shape = JSON.stringify(query, function (this: Node, name, value: unknown) {
    const bound = boundIn(this, name, set)
    if (bound !== undefined) {
      isPlain &&= isAsCompared(bound)
      values.push(bound)
      return typeof bound
    }
    if (isPlain && isPlainValue(this[name])) return value
    isPlain = false
    return undefined
  })
  if (!isPlain || values.length > VALUES) return null
  return { shape: `${String(cds.context?.locale)} ${shape}`, values }
}

/** The value of a query that CAP makes a parameter of; undefined for what stands in the SQL itself, or is no value. */
function boundIn(node: Node, name: string, set: object | undefined): Value | undefined {
  const isBound = node === set || (name === 'val' && node['param'] !== false)
  const value = isBound ? node[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

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
function marked(make: (query: Query) => Made, whole: Query, given: Value[]): Kept | false {
  const marks = given.map((value, at) =>
    typeof value === 'string' ? `\u0001value ${at}` : at - Number.MAX_SAFE_INTEGER,
  )
  let at = 0
  const text = JSON.stringify(whole, function (this: Node, name, value: unknown) {
    return boundIn(this, name, whole.UPDATE?.data) === undefined ? value : marks[at++]
  })
  const query = facade.ql(JSON.parse(text) as Query)
  facade.db.infer(query)
  const { sql, values = [], cqn } = make(query)
  const positions = marks.map((mark) =>
    values.flatMap((value, index) => (value === mark ? [index] : [])),
  )
  const isEachBound = positions.every((each) => each.length)
  const isAnyInSql = marks.some((mark) => sql.includes(String(mark)))
  return isEachBound && !isAnyInSql && { sql, cqn, values, positions }
}
