// A company's own database, for the sql adapter: an administrator who fills it, and logins that read it.
import { CHANGED, CREATED, DELETED, VIEWS } from '../../../adapters/sql/views.ts'

export interface Login {
  user: string
  password: string
}

export interface TestDatabase {
  kind: 'postgres' | 'mariadb'
  /** As it is given to `connect`. */
  account: string
  schema: string
  /** A login with SELECT on all that is there. */
  reader: Login
  run(sql: string): Promise<unknown[]>
  /** Makes a login with these rights, such as `SELECT ON erp.orders`, beside logging on. */
  login(user: string, rights: readonly string[]): Promise<Login>
  /** Statements that take long, of this login. */
  busy(user: string): Promise<number>
  /** Cuts all connections of this login. */
  cut(user: string): Promise<void>
  /** An expression that takes so long. */
  sleep(seconds: number): string
  stop(): Promise<void>
}

export type Value = string | number | boolean | null
export type ViewName = (typeof VIEWS)[number]['name']
export type ViewRow = Record<string, Value | undefined>
export type ViewRows = Partial<Record<ViewName, ViewRow[]>>

const NUMBERS =
  /^(on_hand|backorders|in_inspection|blocked|in_transit|quantity|moq|lot_size|unit_cost|from_quantity|rate|factor|price|.*_days|minimum_.*|free.*|freight.*)$/
const DAYS = /^(day|due|ordered_on|received_on|phase_out_on|valid_from|first_day|last_day)$/
const FLAGS = /^(purchasable|orders_by_location|promo|deleted)$/

function typeOf(column: string): string {
  if (column === CHANGED || column === CREATED) return 'timestamp(6) NULL'
  if (FLAGS.test(column)) return 'boolean'
  if (DAYS.test(column)) return 'date'
  return NUMBERS.test(column) ? 'decimal(24, 6)' : 'varchar(80)'
}

const columnsOf = (name: ViewName): string[] => {
  const view = VIEWS.find((each) => each.name === name)!
  const more = view.changes ? [CHANGED, CREATED, DELETED] : []
  return [...view.required, ...view.optional, ...more]
}

/** Tables behind the views, and the views. */
export async function createViews(database: TestDatabase, prefix: string, rows: ViewRows) {
  for (const name of Object.keys(rows)) {
    const columns = columnsOf(name)
    const table = `${prefix}data_${name}`
    const defined = columns.map((column) => `${column} ${typeOf(column)}`).join(', ')
    await database.run(`CREATE TABLE ${table} (${defined})`)
    await database.run(`CREATE VIEW ${prefix}${name} AS SELECT ${columns.join(', ')} FROM ${table}`)
  }
  await insertRows(database, prefix, rows)
}

export async function insertRows(database: TestDatabase, prefix: string, rows: ViewRows) {
  for (const [name, added] of Object.entries(rows) as [ViewName, ViewRow[]][]) {
    const columns = columnsOf(name)
    for (let at = 0; at < added.length; at += 1000) {
      const values = added
        .slice(at, at + 1000)
        .map((row) => `(${columns.map((column) => literal(row[column] ?? null)).join(', ')})`)
      const into = `${prefix}data_${name} (${columns.join(', ')})`
      await database.run(`INSERT INTO ${into} VALUES ${values.join(', ')}`)
    }
  }
}

/** For tests alone, whose values are known. */
export function literal(value: Value): string {
  if (typeof value !== 'string') return String(value)
  return `'${value.replaceAll("'", "''")}'`
}
