// Faults of the database that whoever runs the service can mend. What wraps SQLite's fault may leave out its number.
import { Refusal } from '../errors.ts'

/** Codes of PostgreSQL, and messages of either database or of the pool. */
interface Signs {
  codes: RegExp
  messages: RegExp
}

const DISK_FULL: Signs = { codes: /^53100$/, messages: /database or disk is full/ }
/** No access to the file, or its content is broken; PostgreSQL is shutting down, starting, read-only, full of clients or gone. */
const UNAVAILABLE: Signs = {
  codes: /^(57P0[123]|25006|53300|08...)$/,
  messages:
    /attempt to write a readonly database|unable to open database file|disk I\/O error|database disk image is malformed|Pool resource could not be acquired|Connection terminated/,
}

const RETRY_AFTER_S = 60

const isOf = ({ codes, messages }: Signs, error: unknown) => {
  const { code, message } = (error ?? {}) as Partial<Record<string, unknown>>
  return (
    (typeof code === 'string' && codes.test(code)) ||
    (typeof message === 'string' && messages.test(message))
  )
}

/** Faults of connecting to the database: an ERP that cannot be reached has the same codes. */
const unconnected = new WeakSet<Error>()

/** Notes that this is why the database could not be connected to. */
export function noteUnconnected(error: unknown) {
  if (error instanceof Error) unconnected.add(error)
}

const isUnconnected = (error: unknown) => error instanceof Error && unconnected.has(error)

/** Whether the database had no room: its transaction is undone. */
export const isDiskFull = (error: unknown): boolean => isOf(DISK_FULL, error)

const refusal = (code: 'disk_full' | 'database_unavailable', message: string) =>
  new Refusal(code, message, { retryAfter: RETRY_AFTER_S, sentence: { key: code, places: {} } })

export const databaseUnavailable = (): Refusal =>
  refusal(
    'database_unavailable',
    'The database cannot be written or read; nothing was changed. Whoever runs Restock finds the cause in its log.',
  )

/** What callers are told of such a fault; of other errors themselves. */
export function toDatabaseRefusal<E>(error: E): E | Refusal {
  if (isDiskFull(error)) {
    const message =
      'The disk of the database is full; nothing was changed. Try again once whoever runs Restock has made room.'
    return refusal('disk_full', message)
  }
  return isUnconnected(error) || isOf(UNAVAILABLE, error) ? databaseUnavailable() : error
}
