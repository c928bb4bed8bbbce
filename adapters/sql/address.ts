import { Fatal } from '../errors.ts'
import { DIALECTS, type DialectName } from './dialects/index.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i

/** Where a database is. */
export interface DatabaseAddress {
  dialect: DialectName
  host: string
  port: number
  database: string
  isLoopback: boolean
}

/**
 * @param account such as `postgresql://db.example.com:5432/erp`
 * @throws Fatal invalid_address
 */
export function databaseOf(account: string): DatabaseAddress {
  const url = URL.parse(account)
  const dialect = DIALECTS.find(({ schemes }) => schemes.includes(url?.protocol ?? ''))
  const database = decoded(url?.pathname.slice(1) ?? '')
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash
  if (!dialect || !isPlain || !url.hostname || !database || /[/\0]/.test(database)) {
    throw new Fatal(
      'invalid_address',
      'The account must be like postgresql://host:5432/database, or mariadb:// or mysql:// with the same.',
      'account',
    )
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || dialect.port
  return { dialect: dialect.name, host, port, database, isLoopback: LOOPBACK.test(host) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
