// Queries that are made to SQL once: CAP makes each anew, which takes several times as long as reading a row by it
// (bench/decisions). Uses `infer`, `cqn2sql` and `prepare` of @cap-js/db-service 3, as its own handlers do.
// Tried with @cap-js/sqlite 3.1.1 and @cap-js/postgres 2.3.0. Needed until CAP keeps the SQL of a query.
import type { SQLInputValue } from 'node:sqlite'
import cds from '@sap/cds'
import type { AnyRow } from '../database/entities.ts'
import { driverConnection, inTransaction } from './connection.ts'
import { facade, type Statement } from './facade.ts'

type Value = string | number | null

interface Made {
  database: unknown
  sql: string
  values: SQLInputValue[]
  /** Of each place where among the values it stands, once or more. */
  places: number[][]
}

type Making = (...places: never[]) => object

/**
 * A query with places for values; of a number of places that is the same at each call.
 * @param make the query; it is given texts in the place of the values
 */
class PreparedQuery {
  readonly #make: Making
  #made: Made | undefined
  /** By the driver's connection. */
  #statements = new WeakMap<object, Statement>()

  constructor(make: Making) {
    this.#make = make
  }

  #sql(count: number): Made {
    const database = facade.db
    if (this.#made?.database === database) return this.#made
    const texts = Array.from({ length: count }, (_, at) => `\u0001place ${at}`)
    const query = this.#make(...(texts as never[]))
    database.infer(query)
    const { SELECT } = query as { SELECT?: { expand?: string } }
    if (SELECT) SELECT.expand = 'root'
    const { sql, values = [] } = database.cqn2sql(query)
    const places = texts.map((text) =>
      values.flatMap((value, index) => (value === text ? [index] : [])),
    )
    if (places.some((each) => !each.length)) throw new Error(`A place was lost in ${sql}`)
    this.#statements = new WeakMap()
    return (this.#made = { database, sql, values, places })
  }

  async #prepare(given: Value[]) {
    const connection = await driverConnection<object>()
    const { sql, values, places } = this.#sql(given.length)
    const bound = [...values]
    for (const [at, own] of places.entries()) for (const place of own) bound[place] = given[at]!
    const known = this.#statements.get(connection)
    if (known) return { statement: known, bound }
    const statement = await facade.db.tx(cds.context).prepare(sql)
    // Elsewhere it belongs to the transaction, and the driver keeps what is prepared.
    if (cds.db.kind === 'sqlite') this.#statements.set(connection, statement)
    return { statement, bound }
  }

  /** The rows, as CAP answers them. */
  read<Row>(...given: Value[]): Promise<Row[]> {
    return inTransaction(async () => {
      const { statement, bound } = await this.#prepare(given)
      const rows = (await statement.all(bound)) as { _json_: string | Row }[]
      return rows.map(({ _json_: row }) =>
        typeof row === 'string' ? (JSON.parse(row) as Row) : row,
      )
    })
  }

  /** @returns how many rows it changed */
  write(...given: Value[]): Promise<number> {
    return inTransaction(async () => {
      const { statement, bound } = await this.#prepare(given)
      return (await statement.run(bound)).changes
    })
  }
}

export const preparedQuery = (make: Making) => new PreparedQuery(make)

const updates = new Map<string, PreparedQuery>()

/**
 * Sets columns of rows that have all of some values, which are not null.
 * @returns how many rows were changed
 */
export async function updateRows(
  entity: string,
  set: AnyRow,
  where: Record<string, string | number>,
): Promise<number> {
  const given = Object.entries(set).map(([name, value]) => [name, value ?? null] as const)
  const isPlain = given.every(([, value]) => value === null || typeof value !== 'object')
  if (!isPlain) return Number(await UPDATE.entity(entity).set(set).where(where))
  // CAP writes a boolean into the SQL.
  const fixed = given.filter(([, value]) => typeof value === 'boolean')
  const bound = given.filter(([, value]) => typeof value !== 'boolean')
  const names = [...bound.map(([name]) => name), ...Object.keys(where)]
  const shape = JSON.stringify([entity, fixed, names])
  const known = updates.get(shape)
  const query =
    known ??
    preparedQuery((...places: string[]) => {
      const placed = names.map((name, at) => [name, places[at]] as const)
      return UPDATE.entity(entity)
        .set(Object.fromEntries([...placed.slice(0, bound.length), ...fixed]))
        .where(Object.fromEntries(placed.slice(bound.length)))
    })
  if (!known) updates.set(shape, query)
  return query.write(...bound.map(([, value]) => value as Value), ...Object.values(where))
}
