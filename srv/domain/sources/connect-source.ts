import cds from '@sap/cds'
import type { StreamCheck } from '../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { quickSignal } from '../../../adapters/http/quick.ts'
import { inTransaction, runDetached } from '../../base/cap/context.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import { Consents, Sources } from '../../base/database/entities.ts'
import { DEFAULT_PRECEDENCE } from '../../base/database/leads.ts'
import { readSecret } from '../../base/database/secrets/vault.ts'
import { Refusal } from '../../base/errors.ts'
import {
  type ConnectionInput,
  knownAdapter,
  type NewSource,
  readConnectionInput,
} from './connection-input.ts'
import { type ConsentSecret, findOpenConsent, storeAccess } from './consents.ts'
import { connectionOf, readClient } from './credentials.ts'
import type { OAuthClient } from './oauth/client.ts'
import { planOf } from './oauth/tokens.ts'
import { rightsGrantedByCheck } from './problems.ts'
import { type Access, requestAccess, toRefusal } from './request-access.ts'
import {
  readSource,
  type ScheduleChange,
  type Source,
  storePrecedence,
  storeSchedules,
} from './sources.ts'

/** Optional settings of the source beside its connection. */
interface Wish extends ScheduleChange {
  precedence?: number | null
}

/**
 * Creates a source, and connects it at once if no consent is needed. If a source of the same account waits for consent, that
 * one is connected instead.
 */
export async function connectSource(newSource: NewSource & Wish): Promise<Source> {
  const adapter = knownAdapter(newSource.type)
  let input: ConnectionInput
  let access: Access
  try {
    input = await readConnectionInput(adapter, newSource)
    const waiting = await findWaitingSource(newSource.type, input)
    if (waiting !== null) return await inTransaction(() => resumeSource(waiting, newSource))
    access = await requestAccess(adapter, input, newSource)
  } catch (error) {
    throw toRefusal(error)
  }
  return inTransaction(() => createSource(newSource, input, access))
}

/**
 * A source of the same account whose consent has ended or was never given; not one with an open request for
 * consent. It is read outside the caller's transaction, because network calls follow.
 */
function findWaitingSource(
  type: string,
  { connection, destination }: ConnectionInput,
): Promise<number | null> {
  return runDetached('connect', async () => {
    const { account, role, baseUrl } = connection
    const options = JSON.stringify(connection.options)
    const rows = await SELECT.from(Sources)
      .columns('ID', 'baseUrl', 'options', 'destination', 'status')
      .where({ type, account, role, status: { in: ['reconsent_required', 'pending_consent'] } })
      .orderBy('ID desc')
    for (const row of rows) {
      if (row.baseUrl !== baseUrl || row.options !== options) continue
      if (row.destination !== destination) continue
      if (row.status === 'reconsent_required' || !(await findOpenConsent(row.ID))) return row.ID
    }
    return null
  })
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
    ID,
    type,
    account,
    role,
    baseUrl,
    clientId: client.clientId,
    destination,
    precedence: precedence ?? DEFAULT_PRECEDENCE,
    options: JSON.stringify(options),
    status: 'pending_consent',
    grantedRights: '[]',
    createdAt: new Date().toISOString(),
    createdBy: cds.context?.user?.id,
  })
  await storeSchedules(ID, client)
  const page = await storeAccess(ID, access, client)
  return { ...(await readSource(ID)), ...page }
}

interface Renewal {
  ID: number
  /** The stored client is used where none is given. */
  clientId?: string | null
  clientSecret?: string | null
}

/**
 * Requests consent to a source again, or tries another secret. The present tokens stay in use until the
 * new consent is given.
 */
export async function renewConsent({ ID, clientId, clientSecret }: Renewal): Promise<Source> {
  const { adapter, connection, destination, client } = await runDetached('consent', async () => {
    await readSource(ID)
    const { destination } = (await SELECT.one.from(Sources).columns('destination').where({ ID }))!
    return { ...(await connectionOf(ID)), destination, client: await readLatestClient(ID) }
  })
  const newClient = {
    clientId: clientId ?? client.clientId,
    clientSecret: clientSecret ?? (clientId ? null : client.clientSecret),
  }
  try {
    const access = await requestAccess(
      adapter,
      { connection: { ...connection, credentials: null }, destination },
      newClient,
    )
    return await inTransaction(async () => {
      const page = await storeAccess(ID, access, newClient)
      return { ...(await readSource(ID)), ...page }
    })
  } catch (error) {
    throw toRefusal(error)
  }
}

/** The client of the open request for consent, else the one that the source is connected with. */
async function readLatestClient(source: number): Promise<OAuthClient> {
  const connected = await readClient(source)
  const row = await SELECT.one.from(Consents).columns('clientId').where({ source_ID: source })
  const secret = await readSecret(source, 'consent').catch(() => null)
  if (!row || !secret) return connected
  const { clientSecret } = JSON.parse(secret.text) as ConsentSecret
  return {
    clientId: row.clientId ?? connected.clientId,
    clientSecret: clientSecret ?? connected.clientSecret,
  }
}

const TIMEOUT_MS = 15_000

interface AccessCheck {
  checks: StreamCheck[]
  /** Null if the scopes of the token tell the rights, and not the streams. */
  granted: string[] | null
}

/**
 * Tests access to every stream of a source with the stored credentials, and stores the result.
 * @throws Refusal source_not_found, source_not_connected, source_unavailable
 */
export async function checkSource(ID: number): Promise<Source> {
  const { checks, granted } = await runDetached('check', () => checkStreams(ID))
  return inTransaction(async () => {
    await UPDATE.entity(Sources)
      .set({
        checks: JSON.stringify(checks),
        checkedAt: new Date().toISOString(),
        ...(granted && { grantedRights: JSON.stringify(granted) }),
      })
      .where({ ID })
    return readSource(ID)
  })
}

/** Calls the ERP, so it must run outside of any transaction. */
async function checkStreams(ID: number): Promise<AccessCheck> {
  const { neededRights } = await assertConnected(ID)
  const signal = quickSignal(TIMEOUT_MS)
  try {
    const { adapter, connection } = await connectionOf(ID)
    const checks = await adapter.check(connection, signal)
    // An ERP that refused the credentials has ended the consent during the test.
    await assertConnected(ID)
    const { destination } = (await SELECT.one.from(Sources).columns('destination').where({ ID }))!
    const plan = planOf(adapter, connection)
    const isByScopes = !destination && 'scopes' in plan && plan.scopes.length > 0
    return { checks, granted: isByScopes ? null : rightsGrantedByCheck(neededRights, checks) }
  } catch (error) {
    if (signal.aborted) throw toRefusal(new Retriable('The ERP did not answer in time.'))
    if (error instanceof Fatal && error.code === 'reconsent_required') await assertConnected(ID)
    throw toRefusal(error)
  }
}

async function assertConnected(ID: number) {
  const source = await readSource(ID)
  if (source.status === 'connected' || source.status === 'failing') return source
  const reason = source.problem?.message ?? 'Nobody has consented yet.'
  throw new Refusal('source_not_connected', `src_${ID} is not connected. ${reason}`)
}

/** What a connection could read. */
interface ConnectionTest {
  /** Whether somebody must consent first: the streams can be tested only then. */
  needsConsent: boolean
  neededRights: string[]
  grantedRights: string[]
  checks: StreamCheck[]
}

/**
 * Tries a connection stream by stream as `connect` would, and stores nothing.
 * @throws Refusal invalid_parameter | source_unavailable
 */
export async function testConnection(newSource: NewSource): Promise<ConnectionTest> {
  const adapter = knownAdapter(newSource.type)
  try {
    const input = await readConnectionInput(adapter, newSource)
    const access = await runDetached('test', () => requestAccess(adapter, input, newSource))
    if (access.kind === 'consent') {
      return { needsConsent: true, neededRights: access.needed, grantedRights: [], checks: [] }
    }
    const { needed, granted, checks } = access
    return { needsConsent: false, neededRights: needed, grantedRights: granted, checks }
  } catch (error) {
    throw toRefusal(error)
  }
}
