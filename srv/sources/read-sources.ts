import type { StreamCheck } from '../../adapters/adapter.ts'
import type { Source } from '#cds-models/restock'
import { Refusal } from '../errors.ts'
import { findOpenConsent } from './consent/waiting-source.ts'
import type { Problem } from './problems.ts'
import { usualZone } from '../store/local-days.ts'
import { type ScheduleChange, schedulesOf, storeSchedules } from './schedules.ts'
import { type Row as Stored, Sources, Syncs } from '../store/entities.ts'
import { DEFAULT_PRECEDENCE } from '../store/leads.ts'
import { type LedPairs, readLedPairs, storePrecedence } from './precedence.ts'
import { toPage } from '../store/page.ts'

type Row = Stored<Source>

const parseJson = <T>(json: unknown, otherwise: T) =>
  json ? (JSON.parse(String(json)) as T) : otherwise

async function toSource(row: Row, ledBy: LedPairs[]) {
  const last = await SELECT.one
    .from(Syncs)
    .columns('ID', 'status', 'finishedAt')
    .where({ source_ID: row.ID })
    .orderBy('ID desc')
  const { ID, type, account, role, baseUrl, status, createdAt, dataAsOf } = row
  const consentExpiresAt = await findOpenConsent(ID)
  return {
    ...{ ID, type, account, role, baseUrl, status, createdAt, dataAsOf },
    demo: row.demo === true,
    neededRights: parseJson<string[]>(row.neededRights, []),
    grantedRights: parseJson<string[]>(row.grantedRights, []),
    checks: parseJson<StreamCheck[]>(row.checks, []),
    problem:
      parseJson<Problem | null>(row.problem, null) ?? expiredProblem(status, consentExpiresAt),
    checkedAt: row.checkedAt ? new Date(String(row.checkedAt)).toISOString() : null,
    timeZone: usualZone(row.options),
    schedules: schedulesOf(row),
    precedence: row.precedence ?? DEFAULT_PRECEDENCE,
    ledBy,
    lastSync: last ?? null,
    authorizationUrl: null,
    consentExpiresAt,
    consentEndsAt: row.consentEndsAt ? new Date(String(row.consentEndsAt)).toISOString() : null,
  }
}

const expiredProblem = (status: unknown, consentExpiresAt: string | null): Problem | null =>
  status === 'pending_consent' && !consentExpiresAt
    ? { code: 'consent_expired', message: 'Nobody consented in time: connect again.' }
    : null

export async function readSource(ID: number) {
  const row = await SELECT.one.from(Sources).where({ ID })
  if (!row) throw new Refusal('source_not_found', `There is no source src_${ID}.`)
  return await toSource(row, (await readLedPairs([ID])).get(ID) ?? [])
}

/** Newest first; `after` is the last ID of the page before. */
export async function listSources({ after, limit }: { after?: string | null; limit: number }) {
  const rows = await SELECT.from(Sources)
    .where(after ? { ID: { '<': Number(after) } } : {})
    .orderBy('ID desc')
    .limit(limit + 1)
  const page = toPage(rows, limit, ({ ID }) => ID)
  const data = []
  const led = await readLedPairs(page.data.map(({ ID }) => ID))
  for (const row of page.data) data.push(await toSource(row, led.get(row.ID) ?? []))
  return { ...page, data }
}

/** @throws Refusal source_not_found */
export async function changeSchedules({ ID, ...wanted }: { ID: number } & ScheduleChange) {
  await readSource(ID)
  await storeSchedules(ID, wanted)
  return readSource(ID)
}

/** @throws Refusal source_not_found */
export async function changePrecedence({ ID, precedence }: { ID: number; precedence: number }) {
  await readSource(ID)
  await storePrecedence(ID, precedence)
  return readSource(ID)
}
