import type { Adapter, Connection } from '../../adapters/adapter.ts'
import { Refusal } from '../errors.ts'
import { findDestination } from './oauth/destination.ts'

export interface NewSource {
  type: string
  account: string
  role: string
  baseUrl?: string | null
  clientId?: string | null
  clientSecret?: string | null
  options?: Connection['options'] | null
}

/** A connection as an admin described it. */
export interface ConnectionInput {
  connection: Connection
  /** The BTP destination that opens the source: this option is the service's own. */
  destination: string | null
}

/** @throws Refusal `invalid_parameter` for an unknown or malformed option; Fatal; Retriable */
export async function readConnectionInput(
  adapter: Adapter,
  wish: NewSource,
): Promise<ConnectionInput> {
  const { account, role, baseUrl = null } = wish
  const { destination, ...options } = wish.options ?? {}
  if (destination === undefined || isOpen(adapter, wish)) {
    const all = parseOptions(adapter, wish.options ?? {})
    return { connection: { account, role, baseUrl, options: all }, destination: null }
  }
  if (typeof destination !== 'string' || !/^[\w.-]{1,200}$/.test(destination)) {
    throw invalid('destination', 'must be the name of a destination')
  }
  const connection: Connection = { account, role, baseUrl, options: parseOptions(adapter, options) }
  if (!baseUrl) connection.baseUrl = (await findDestination(destination)).url
  return { connection, destination }
}

/** Whether this kind of ERP is read without any right, so that a destination means nothing to it. */
function isOpen(adapter: Adapter, { account, role, baseUrl = null }: NewSource): boolean {
  try {
    const connection = { account, role, baseUrl, options: parseOptions(adapter, {}) }
    return adapter.auth(connection).kind === 'none'
  } catch {
    return false
  }
}

function parseOptions(adapter: Adapter, options: Connection['options']) {
  const parsed = adapter.options.strict().safeParse(options)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue!.code === 'unrecognized_keys' ? issue.keys[0] : issue!.path.join('.')
  throw invalid(field!, issue!.message)
}

const invalid = (field: string, message: string) =>
  new Refusal('invalid_parameter', `options.${field}: ${message}`, { target: `options.${field}` })
