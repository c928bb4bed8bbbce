import cds from '@sap/cds'
import { ADAPTER_TYPES, adapterOf } from '../../adapters/index.ts'
import { Refusal } from '../errors.ts'
import { takeNumbers } from '../store/counters.ts'
import { type ConnectionInput, readConnectionInput, type NewSource } from './connection-input.ts'
import { findWaitingSource } from './consent/waiting-source.ts'
import { type Access, requestAccess } from './access/request-access.ts'
import { readSource } from './read.ts'
import { renewConsent } from './consent/renew-consent.ts'
import { storeSchedules, type WantedSchedules } from './schedules.ts'
import { storeAccess } from './access/store-access.ts'
import { toRefusal } from './to-refusal.ts'
import { Sources } from '../store/entities.ts'

const { INSERT } = cds.ql

/**
 * Creates a source. Where no consent is needed it is tried and connected at once; a source of the
 * same account that waits for a consent is taken up again instead.
 */
export async function connectSource(wish: NewSource & WantedSchedules) {
  const adapter = adapterOf(wish.type)
  if (!adapter) {
    throw new Refusal('invalid_parameter', `type must be one of ${ADAPTER_TYPES.join(', ')}.`, {
      target: 'type',
    })
  }
  let input: ConnectionInput
  let access: Access
  try {
    input = await readConnectionInput(adapter, wish)
    const waiting = await findWaitingSource(wish.type, input)
    if (waiting !== null) return await takeUp(waiting, wish)
    access = await requestAccess(adapter, input, wish)
  } catch (error) {
    throw toRefusal(error)
  }
  return create(wish, input, access)
}

/** The network comes first: SQLite's one connection is not held meanwhile. */
async function takeUp(ID: number, wish: NewSource & WantedSchedules) {
  const renewed = await renewConsent({ ...wish, ID })
  await storeSchedules(ID, wish)
  const { schedules } = await readSource(ID)
  return { ...renewed, schedules }
}

async function create(
  { type, ...client }: NewSource & WantedSchedules,
  { connection, destination }: ConnectionInput,
  access: Access,
) {
  const { account, role, baseUrl, options } = connection
  const ID = await takeNumbers('source')
  await INSERT.into(Sources).entries({
    ...{ ID, type, account, role, baseUrl, clientId: client.clientId, destination },
    ...{ options: JSON.stringify(options), status: 'pending_consent', grantedRights: '[]' },
    createdAt: new Date().toISOString(),
    createdBy: cds.context?.user?.id,
  })
  await storeSchedules(ID, client)
  const page = await storeAccess(ID, access, client)
  return { ...(await readSource(ID)), ...page }
}
