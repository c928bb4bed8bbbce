// CAP tells PostgreSQL at the begin of each transaction who calls and when, and asks by which collation to sort, though it means to ask
// once: two of the three round trips of a call that reads once. Told with the first statement that asks for it, most calls need neither.
// Wraps `set` of @cap-js/postgres, which is not public. Tried with 2.3.0. Needed until CAP tells it late by itself.
import { Writable } from 'node:stream'
import { settings } from '../settings/config.ts'
import { isOwnWork } from './context.ts'

interface Client {
  query(...args: unknown[]): unknown
}

interface Transaction {
  dbc?: Client
  /** Sets variables of the database's session. */
  set(variables: object): Promise<unknown>
  /** Whether CAP knows by which collation it sorts, which it notes at the transaction that asked. */
  _initalCollateCheck?: boolean
}

/** What a connection has been told, and what it is told once a statement asks for it. */
interface Session {
  statementSeconds?: number
  tell?: () => Promise<unknown>
}

const sessions = new WeakMap<Client, Session>()

/**
 * What asks for a variable, itself or by a view: those of the services and of translated texts do
 * (`test/srv/cap/session-variables.test.ts` reads it in the model).
 */
export const ASKS = /current_setting\(|\blocalized_|Service_/i

/** Makes transactions of the service tell their variables late, and limits the time of their statements. */
export function tellLate(service: Transaction) {
  const { set } = service
  service.set = async function (this: Transaction, variables) {
    const session = this.dbc && sessions.get(this.dbc)
    const statementSeconds = secondsOfStatement()
    if (session?.statementSeconds === statementSeconds) {
      session.tell = () => set.call(this, variables)
      return
    }
    const limit = { statement_timeout: String(statementSeconds * 1000) }
    await set.call(this, Object.assign(Object.create(variables) as object, limit))
    service._initalCollateCheck = true
    if (session) Object.assign(session, { statementSeconds, tell: undefined })
  }
}

/** A short time while a caller waits, a longer one for the service's own work. */
function secondsOfStatement() {
  const { statementSeconds, workStatementSeconds } = settings().database
  return isOwnWork() ? workStatementSeconds : statementSeconds
}

/** What `set` sends itself. */
const TELLS = /^(?:SELECT set_config\(|SET search_path\b)/

/** Tells a connection what its transaction has kept back, before the first statement that asks for it. */
export function tellBeforeAsking(connection: Client) {
  const session: Session = {}
  sessions.set(connection, session)
  const query = connection.query.bind(connection)
  let telling: Promise<unknown> | undefined
  connection.query = (...args) => {
    const [first] = args
    const text = textOf(first)
    if (first instanceof Writable || TELLS.test(text)) return query(...args)
    if (session.tell && ASKS.test(text)) {
      telling = session.tell().finally(() => (telling = undefined))
      session.tell = undefined
    }
    return telling ? telling.then(() => query(...args)) : query(...args)
  }
}

/** The SQL of what the driver is given. */
export const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '')
