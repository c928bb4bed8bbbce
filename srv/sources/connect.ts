import cds from '@sap/cds'
import type { Adapter, Connection } from '../../adapters/adapter.ts'
import { Fatal } from '../../adapters/errors.ts'
import { ADAPTER_TYPES, adapterOf } from '../../adapters/index.ts'
import { Refusal } from '../errors.ts'
import { audit } from '../store/audit.ts'
import { takeNumbers } from '../store/counters.ts'
import { readSource } from './read.ts'

const { INSERT } = cds.ql

export interface NewSource {
  type: string
  account: string
  role: string
  baseUrl?: string | null
  clientId?: string | null
  options?: Record<string, unknown> | null
}

/** Creates a source and tries to read it; where no consent is needed it is connected at once. */
export async function connect({ type, account, role, baseUrl, clientId, options }: NewSource) {
  const adapter = adapterOf(type)
  if (!adapter) {
    throw new Refusal('invalid_parameter', `type must be one of ${ADAPTER_TYPES.join(', ')}.`, {
      target: 'type',
    })
  }
  const connection: Connection = {
    account,
    role,
    baseUrl: baseUrl ?? null,
    options: parseOptions(adapter, options ?? {}),
  }
  assertReadable(adapter, connection)
  const ID = await takeNumbers('source')
  const rights = JSON.stringify(adapter.neededRights(connection))
  await INSERT.into('restock.Sources').entries({
    ID,
    type,
    account,
    role,
    baseUrl,
    clientId,
    options: JSON.stringify(connection.options),
    status: 'connected',
    neededRights: rights,
    grantedRights: rights,
    createdAt: new Date().toISOString(),
    createdBy: cds.context?.user?.id,
  })
  await audit('source.connected', `src_${ID}`, `${type} ${account}`)
  return await readSource(ID)
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

/** An account that can never be read is refused now; what is wrong inside it, the sync tells. */
function assertReadable(adapter: Adapter, connection: Connection) {
  try {
    adapter.streams(connection)
  } catch (error) {
    if (!(error instanceof Fatal)) throw error
    throw new Refusal('invalid_parameter', `account: ${error.message}`, { target: 'account' })
  }
}
