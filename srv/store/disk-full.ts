const SQLITE_FULL = 13
const POSTGRES_DISK_FULL = '53100'

/** Whether the database had no room: its transaction is undone. What wraps SQLite's fault may leave out its number. */
export function isDiskFull(error: unknown): boolean {
  const { errcode, code, message } = (error ?? {}) as Partial<Record<string, unknown>>
  return (
    errcode === SQLITE_FULL ||
    code === POSTGRES_DISK_FULL ||
    (typeof message === 'string' && message.includes('database or disk is full'))
  )
}
