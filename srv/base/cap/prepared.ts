// Updates that are made to SQL once: CAP makes each anew, which takes several times as long as changing a row by it
// (bench/decisions). Uses `infer`, `cqn2sql` and `prepare` of @cap-js/db-service 3, as its own handlers do.
// Tried with @cap-js/sqlite 3.1.1 and @cap-js/postgres 2.3.0. Needed until CAP keeps the SQL of a query.
import type { SQLInputValue } from 'node:sqlite'
import cds from '@sap/cds'
import type { AnyRow } from '../database/entities.ts'
import { driverConnection } from './connection.ts'
import { inTransaction } from './context.ts'
import { facade } from './facade.ts'

type Value = string | number | null

interface Made {
  database: unknown
  sql: string
  values: SQLInputValue[]
  /** Where each placeholder stands among the values, once or more. */
  positions: number[][]
}

type Making = (...placeholders: never[]) => object

/**
 * An update with placeholders for values, as many at each call.
 * @param make the update; it is given placeholders instead of the values
 */
class PreparedUpdate {
  readonly #make: Making
  #made: Made | undefined

  constructor(make: Making) {
    this.#make = make
  }

  #sql(count: number): Made {
    const database = facade.db
    if (this.#made?.database === database) return this.#made
    const texts = Array.from({ length: count }, (_, at) => `\u0001placeholder ${at}`)
    const query = this.#make(...(texts as never[]))
    database.infer(query)
    const { sql, values = [] } = database.cqn2sql(query)
    const positions = texts.map((text) =>
      values.flatMap((value, index) => (value === text ? [index] : [])),
    )
    if (positions.some((each) => !each.length)) throw new Error(`A placeholder was lost in ${sql}`)
    return (this.#made = { database, sql, values, positions })
  }

  /** @returns how many rows it changed */
  write(...given: Value[]): Promise<number> {
    return inTransaction(async () => {
      // Begins the transaction where it has not begun.
      await driverConnection()
      const { sql, values, positions } = this.#sql(given.length)
      const bound = [...values]
      for (const [at, own] of positions.entries())
        for (const position of own) bound[position] = given[at]!
      const statement = await facade.db.tx(cds.context).prepare(sql)
      return (await statement.run(bound)).changes
    })
  }
}

export const preparedUpdate = (make: Making) => new PreparedUpdate(make)

const updates = new Map<string, PreparedUpdate>()

/** Updates columns of the rows with all of these values, none of which is null. @returns how many rows were changed */
export async function updateRows(
  entity: string,
  set: AnyRow,
  where: Record<string, string | number>,
): Promise<number> {
  const given = Object.entries(set).map(([name, value]) => [name, value ?? null] as const)
  const isPlain = given.every(([, value]) => value === null || typeof value !== 'object')
  if (!isPlain) return Number(await UPDATE.entity(entity).set(set).where(where))
  // CAP writes booleans into the SQL instead of passing them as parameters.
  const fixed = given.filter(([, value]) => typeof value === 'boolean')
  const bound = given.filter(([, value]) => typeof value !== 'boolean')
  const names = [...bound.map(([name]) => name), ...Object.keys(where)]
  const shape = JSON.stringify([entity, fixed, names])
  const known = updates.get(shape)
  const query =
    known ??
    preparedUpdate((...placeholders: string[]) => {
      const columns = names.map((name, at) => [name, placeholders[at]] as const)
      return UPDATE.entity(entity)
        .set(Object.fromEntries([...columns.slice(0, bound.length), ...fixed]))
        .where(Object.fromEntries(columns.slice(bound.length)))
    })
  if (!known) updates.set(shape, query)
  return query.write(...bound.map(([, value]) => value as Value), ...Object.values(where))
}
