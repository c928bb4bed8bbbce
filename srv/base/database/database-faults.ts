// Faults of the database that its operator can solve. An error that wraps SQLite's may lack its number.
import { isRefusal, Refusal } from '../errors.ts'

/** How a fault is recognised: codes of PostgreSQL, and messages of either database, its driver or the pool. */
interface Signs {
  codes: RegExp
  messages: RegExp
}

const DISK_FULL: Signs = { codes: /^53100$/, messages: /database or disk is full/ }
/** No access to the file, or its content is broken; PostgreSQL is starting, read-only, full of clients or out of memory. */
const UNAVAILABLE: Signs = {
  codes: /^(57P03|25006|53[23]00|58030)$/,
  messages:
    /attempt to write a readonly database|unable to open database file|disk I\/O error|database disk image is malformed|Pool resource could not be acquired|ResourceRequest timed out/,
}
/** The connection broke in the middle of a transaction, perhaps while it was committed; `EHDB…` is SAP HANA's. */
const BROKEN: Signs = {
  codes: /^(57P0[1245]|25P03|08...|EHDB(CLOSE|OPENCONN|CONNECT|TIMEOUT))$/,
  messages: /Connection terminated|not queryable|Client has encountered a connection error/,
}
/** A statement took longer than one may, or than it may wait for what others change. */
const TOO_SLOW: Signs = { codes: /^(57014|55P03)$/, messages: /Query read timeout/ }

/** What is compared does not fit the column or function, such as the 30th of February, a NUL character or the year of a name. */
const UNFIT: Signs = {
  codes: /^(22...|42883|42804)$/,
  messages:
    /^(no such function: |datatype mismatch|Invalid regular expression: |Value does not contain a valid )/,
}

const RETRY_AFTER_S = { database_unavailable: 5, disk_full: 60 }

const isOf = ({ codes, messages }: Signs, error: unknown) => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return (
    (typeof code === 'string' && codes.test(code)) ||
    (typeof message === 'string' && messages.test(message))
  )
}

/** Thrown while nobody can use the database. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
}

/** Network errors of the connection to the database, since those of a connection to an ERP have the same codes. */
const broken = new WeakSet<Error>()
const OF_NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET)/

/** Notes that this error came from a statement to the database. */
export function noteBroken(error: unknown) {
  if (error instanceof Error && OF_NETWORK.test(String((error as { code?: unknown }).code)))
    broken.add(error)
}

const isBroken = (error: unknown) => error instanceof Error && broken.has(error)

/** Whether the database is away. The log reports that once, and not again with every call. */
export const isAway = (error: unknown): boolean =>
  (error as Error | undefined)?.name === 'DatabaseAway'

/** The server answers, and takes no further connection. */
export const isFullOfClients = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === '53300'

/** Whether the disk of the database is full; its transaction is undone. */
export const isDiskFull = (error: unknown): boolean => isOf(DISK_FULL, error)

/** Whether a condition asks what the database cannot answer: of a statement whose conditions are a caller's. */
export const isUnfit = (error: unknown): boolean => isOf(UNFIT, error)

/** Whether the database failed in a way that may succeed later. */
export function isDatabaseFault(error: unknown): boolean {
  const told = toDatabaseRefusal(error)
  return isRefusal(told) && told.code in RETRY_AFTER_S
}

const refusal = (code: keyof typeof RETRY_AFTER_S, message: string, key: string = code) =>
  new Refusal(code, message, { retryAfter: RETRY_AFTER_S[code], sentence: { key, args: {} } })

export const databaseUnavailable = (): Refusal =>
  refusal(
    'database_unavailable',
    'The database cannot be written or read; nothing was changed. Whoever runs Restock finds the cause in its log.',
  )

/** The refusal that callers get for such a fault; other errors are returned unchanged. */
export function toDatabaseRefusal<E>(error: E): E | Refusal {
  if (isDiskFull(error)) {
    const message =
      'The disk of the database is full; nothing was changed. Try again once whoever runs Restock has made room.'
    return refusal('disk_full', message)
  }
  if (isOf(TOO_SLOW, error)) {
    const message =
      'The database took too long for one statement, which was stopped; nothing was changed. Ask for less at once, or try again later.'
    return refusal('database_unavailable', message, 'database_too_slow')
  }
  if (isBroken(error) || isOf(BROKEN, error)) {
    const message =
      'The connection to the database broke off: what was asked for was done as a whole, or not at all. Look, or repeat it with the same Idempotency-Key.'
    return refusal('database_unavailable', message, 'database_broke_off')
  }
  return isAway(error) || isOf(UNAVAILABLE, error) ? databaseUnavailable() : error
}

/** Sets the Retry-After header, for doors that do not do so themselves. */
export function showRetryAfter(
  res: { setHeader(name: string, value: number): unknown },
  { options: { retryAfter } }: Refusal,
) {
  if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter)
}
