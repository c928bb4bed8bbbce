import cds from '@sap/cds'
import { takeNumbers } from '../../base/database/counters.ts'
import { type ConnectionInput, readConnectionInput, type NewSource } from './connection-input.ts'
import { findWaitingSource } from './consent/waiting-source.ts'
import { type Access, requestAccess } from './access/request-access.ts'
import { readSource } from './read-sources.ts'
import { renewConsent } from './consent/renew-consent.ts'
import { knownAdapter } from './check-source.ts'
import { storeSchedules, type ScheduleChange } from './read-sources.ts'
import { storeAccess } from './access/store-access.ts'
import { toRefusal } from './access/request-access.ts'
import { Sources } from '../../base/database/entities.ts'
import { DEFAULT_PRECEDENCE } from '../../base/database/leads.ts'
import { storePrecedence } from './read-sources.ts'

/** What may be said beside the connection itself. */
interface Wish extends ScheduleChange {
  precedence?: number | null
}

/**
 * Creates a source, and connects it at once where no consent is needed. Where a source of the same account
 * waits for consent, that one is connected instead.
 */
export async function connectSource(newSource: NewSource & Wish) {
  const adapter = knownAdapter(newSource.type)
  let input: ConnectionInput
  let access: Access
  try {
    input = await readConnectionInput(adapter, newSource)
    const waiting = await findWaitingSource(newSource.type, input)
    if (waiting !== null) return await resumeSource(waiting, newSource)
    access = await requestAccess(adapter, input, newSource)
  } catch (error) {
    throw toRefusal(error)
  }
  return createSource(newSource, input, access)
}

/** Calls the network before its first write, so that it does not hold SQLite's one connection meanwhile. */
async function resumeSource(ID: number, newSource: NewSource & Wish) {
  const renewed = await renewConsent({ ...newSource, ID })
  await storeSchedules(ID, newSource)
  if (newSource.precedence != null) await storePrecedence(ID, newSource.precedence)
  const { schedules, precedence } = await readSource(ID)
  return { ...renewed, schedules, precedence }
}

async function createSource(
  { type, precedence, ...client }: NewSource & Wish,
  { connection, destination }: ConnectionInput,
  access: Access,
) {
  const { account, role, baseUrl, options } = connection
  const ID = await takeNumbers('source')
  await INSERT.into(Sources).entries({
    ...{ ID, type, account, role, baseUrl, clientId: client.clientId, destination },
    precedence: precedence ?? DEFAULT_PRECEDENCE,
    ...{ options: JSON.stringify(options), status: 'pending_consent', grantedRights: '[]' },
    createdAt: new Date().toISOString(),
    createdBy: cds.context?.user?.id,
  })
  await storeSchedules(ID, client)
  const page = await storeAccess(ID, access, client)
  return { ...(await readSource(ID)), ...page }
}
