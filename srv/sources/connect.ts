import cds from '@sap/cds'
import { ADAPTER_TYPES, adapterOf } from '../../adapters/index.ts'
import { Refusal } from '../errors.ts'
import { takeNumbers } from '../store/counters.ts'
import { type Entered, entered, type NewSource } from './entered.ts'
import { lapsedSource } from './lapsed.ts'
import { type Opening, openingOf } from './opening.ts'
import { readSource } from './read.ts'
import { renewConsent } from './renew-consent.ts'
import { storeOpening } from './store-opening.ts'
import { toRefusal } from './to-refusal.ts'

const { INSERT } = cds.ql

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
  let found: Entered
  let opening: Opening
  try {
    found = await entered(adapter, wish)
    const lapsed = await lapsedSource(wish.type, found)
    if (lapsed !== null) return await renewConsent({ ...wish, ID: lapsed })
    opening = await openingOf(adapter, found, wish)
  } catch (error) {
    throw toRefusal(error)
  }
  return create(wish, found, opening)
}

async function create(
  { type, ...client }: NewSource,
  { connection, destination }: Entered,
  opening: Opening,
) {
  const { account, role, baseUrl, options } = connection
  const ID = await takeNumbers('source')
  await INSERT.into('restock.Sources').entries({
    ...{ ID, type, account, role, baseUrl, clientId: client.clientId, destination },
    ...{ options: JSON.stringify(options), status: 'pending_consent', grantedRights: '[]' },
    createdAt: new Date().toISOString(),
    createdBy: cds.context?.user?.id,
  })
  const page = await storeOpening(ID, opening, client)
  return { ...(await readSource(ID)), ...page }
}
