// What the connected ERPs are like: rights, last sync, age of the data, and what is missing for proposals.
import { type Restock, RestockError } from '../../client/index.ts'
import { readSources } from '../client.ts'
import { count } from '../output.ts'
import { closedStreamsOf } from '../sources/show.ts'
import { failed, type Finding, ok, unlessForbidden, warning } from './finding.ts'
import type { Source } from '../../client/index.ts'

const DAY_MS = 86_400_000
/** From this age on proposals are not due: the service's default for stale data. */
const STALE_DAYS = 3

export async function lookAtSources(client: Restock): Promise<Finding[]> {
  const sources = await unlessForbidden(() => readSources(client))
  if (!sources) {
    const cure = 'Use a key with the scope sources:manage.'
    return [warning('Sources', 'the key may not read them', cure)]
  }
  if (!sources.length) {
    return [warning('Sources', 'none is connected', 'Connect one: "restock connect --help".')]
  }
  const findings: Finding[] = []
  for (const source of sources) findings.push(...(await lookAtSource(client, source)))
  return [...findings, ...(await lookAtBlocked(client))]
}

async function lookAtSource(client: Restock, source: Source): Promise<Finding[]> {
  const { id, type, account } = source
  const check = `${id} (${type} ${account})`
  const consent = consentOf(check, source)
  if (consent) return [consent]
  return [
    ...endOfConsent(check, source),
    ...(await rightsOf(client, check, id)),
    lastSyncOf(check, source),
    ageOf(check, source),
  ]
}

function consentOf(check: string, { status, problem }: Source): Finding | null {
  if (status !== 'pending_consent' && status !== 'reconsent_required') return null
  const cure = 'Connect it again with "restock connect", or in the admin app, and consent.'
  return failed(check, problem?.message ?? 'the ERP has not given its consent', cure)
}

/** From this many days before the ERP ends a consent on. */
const DAYS_AHEAD = 2

function endOfConsent(check: string, { id, consent_ends_at: end }: Source): Finding[] {
  if (!end || Date.parse(end) - Date.now() > DAYS_AHEAD * DAY_MS) return []
  const cure = `Consent again: "restock connect --again ${id}".`
  return [warning(check, `the ERP ends the consent at ${end.slice(0, 16)}Z`, cure)]
}

async function rightsOf(client: Restock, check: string, id: string): Promise<Finding[]> {
  let closed
  try {
    closed = closedStreamsOf(
      (await client.call('post', '/sources/{id}/check', { path: { id } })).data,
    )
  } catch (error) {
    if (!(error instanceof RestockError)) throw error
    return [failed(check, error.message, 'See that the ERP is reachable from the service.')]
  }
  if (!closed.length) return [ok(check, 'all that was asked for can be read')]
  return closed.map(({ stream, status, message }) => {
    const cure = `Grant the rights that "restock sources check ${id}" names.`
    return failed(check, `${stream}: ${message ?? status}`, cure)
  })
}

function lastSyncOf(check: string, { id, last_sync: last }: Source): Finding {
  if (!last) return warning(check, 'never read', `Read it: "restock sync ${id}".`)
  if (last.status === 'failed' || last.status === 'partial') {
    const say = last.status === 'failed' ? failed : warning
    return say(check, `the last sync: ${last.status}`, `See "restock syncs show ${last.id}".`)
  }
  return ok(check, `the last sync: ${last.status}`)
}

function ageOf(check: string, { id, data_as_of: day }: Source): Finding {
  if (!day) return warning(check, 'no demand yet', `Read it: "restock sync ${id} --full".`)
  const days = Math.floor((Date.now() - Date.parse(day)) / DAY_MS)
  if (days <= STALE_DAYS) return ok(check, `demand as of ${day}`)
  const cure = 'See that its schedules are on, and that the ERP books what is sold.'
  return warning(check, `demand as of ${day}, ${days} days ago`, cure)
}

async function lookAtBlocked(client: Restock): Promise<Finding[]> {
  const answer = await unlessForbidden(() =>
    client.call('get', '/proposals/blocked', { query: { limit: 200 } }),
  )
  const pairs = answer?.data.data ?? []
  if (!pairs.length) return []
  const many = `${answer?.data.next_cursor ? 'more than ' : ''}${count(pairs.length, 'item')}`
  const cure = 'See what each is missing: "restock proposals blocked".'
  return [warning('Proposals', `${many} cannot be proposed`, cure)]
}
