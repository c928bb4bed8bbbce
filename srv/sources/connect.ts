import cds from '@sap/cds'
import type { Adapter, Connection } from '../../adapters/adapter.ts'
import { ADAPTER_TYPES, adapterOf } from '../../adapters/index.ts'
import { Refusal } from '../errors.ts'
import { takeNumbers } from '../store/counters.ts'
import { destinationOf, findDestination } from './oauth/destination.ts'
import { lapsedSource } from './lapsed.ts'
import { type Opening, openingOf } from './opening.ts'
import { readSource } from './read.ts'
import { renewConsent } from './renew-consent.ts'
import { storeOpening } from './store-opening.ts'
import { toRefusal } from './to-refusal.ts'

const { INSERT } = cds.ql

export interface NewSource {
  type: string
  account: string
  role: string
  baseUrl?: string | null
  clientId?: string | null
  clientSecret?: string | null
  options?: Record<string, unknown> | null
}

/**
 * Creates a source. Where no consent is needed it is tried and connected at once; a source of the
 * same account that waits for a consent is taken up again instead.
 */
export async function connect(wish: NewSource) {
  const adapter = adapterOf(wish.type)
  if (!adapter) {
    throw new Refusal('invalid_parameter', `type must be one of ${ADAPTER_TYPES.join(', ')}.`, {
      target: 'type',
    })
  }
  const { clientId, clientSecret } = wish
  let connection: Connection
  let opening: Opening
  try {
    connection = await connectionFor(adapter, wish)
    const lapsed = await lapsedSource(wish.type, connection)
    if (lapsed !== null) return await renewConsent({ ID: lapsed, clientId, clientSecret })
    opening = await openingOf(adapter, connection, wish)
  } catch (error) {
    throw toRefusal(error)
  }
  return create(wish, connection, opening)
}

async function connectionFor(adapter: Adapter, wish: NewSource): Promise<Connection> {
  const { account, role, baseUrl = null } = wish
  const options = parseOptions(adapter, wish.options ?? {})
  const connection: Connection = { account, role, baseUrl, options }
  const destination = destinationOf(connection)
  if (destination && !baseUrl) connection.baseUrl = (await findDestination(destination)).url
  return connection
}

async function create({ type, ...client }: NewSource, connection: Connection, opening: Opening) {
  const { account, role, baseUrl, options } = connection
  const ID = await takeNumbers('source')
  await INSERT.into('restock.Sources').entries({
    ...{ ID, type, account, role, baseUrl, clientId: client.clientId },
    ...{ options: JSON.stringify(options), status: 'pending_consent', grantedRights: '[]' },
    createdAt: new Date().toISOString(),
    createdBy: cds.context?.user?.id,
  })
  const page = await storeOpening(ID, opening, client)
  return { ...(await readSource(ID)), ...page }
}

function parseOptions(adapter: Adapter, options: Record<string, unknown>) {
  const parsed = adapter.options.strict().safeParse(options)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue!.code === 'unrecognized_keys' ? issue!.keys[0] : issue!.path.join('.')
  throw new Refusal('invalid_parameter', `options.${field}: ${issue!.message}`, {
    target: `options.${field}`,
  })
}
