import cds, { type Request } from '@sap/cds'
import { z } from 'zod'
import { ADAPTER_TYPES } from '../../adapters/index.ts'
import type { StreamCheck } from '../../adapters/adapter.ts'
import { checked, entered, optional, schedule } from './fields.ts'
import { answer, parentOf, type Row } from './computed-rows.ts'
import { readAs, SourceTypes, StreamStatuses } from '../store/entities.ts'
import { codeNames } from '../texts.ts'
import { idOf, send, shown } from './services.ts'

const { INSERT, SELECT } = cds.ql
const SERVICE = 'SourcesService'

interface Schedule {
  expression: string
  nextRunAt: string | null
}

/** As SourcesService answers it. */
interface Source {
  ID: number
  status: string
  neededRights: string[]
  grantedRights: string[]
  checks: StreamCheck[]
  problem: { code: string; message: string } | null
  schedules: { full: Schedule; incremental: Schedule }
  lastSync: { ID: number; status: string; finishedAt: string | null } | null
  consentExpiresAt: string | null
  authorizationUrl: string | null
}

const NewSource = z.object({
  type: z.enum(ADAPTER_TYPES as [string, ...string[]]),
  account: entered(500),
  role: entered(200),
  baseUrl: optional(500).refine(isAddress, 'must be an http or https URL'),
  clientId: optional(200),
  clientSecret: optional(4000),
  options: z
    .array(z.object({ name: entered(100), value: z.string().trim().max(1000) }))
    .nullish()
    .transform((list) => Object.fromEntries((list ?? []).map(({ name, value }) => [name, value]))),
})

function isAddress(text: string | null) {
  return text === null || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
}

/** A kind of ERP that the code list does not name yet is called by its code. */
export async function nameNewTypes() {
  const rows = await readAs<{ code: string }>(SELECT.from(SourceTypes).columns('code'))
  const named = new Set(rows.map(({ code }) => code))
  const missing = ADAPTER_TYPES.filter((code) => !named.has(code))
  if (!missing.length) return
  await INSERT.into(SourceTypes).entries(missing.map((code) => ({ code, name: code })))
}

/** What is left to do to open a source. Nothing secret: the address holds no more than a hash is kept of. */
const toConsent = ({ ID, status, authorizationUrl, consentExpiresAt }: Source) => ({
  ...{ source: ID, status, authorizationUrl, expiresAt: consentExpiresAt },
})

export const connect = async ({ data }: Request) =>
  toConsent(await send<Source>(SERVICE, 'connect', checked(NewSource, data)))

const Client = z.object({ clientId: optional(200), clientSecret: optional(4000) })

export const consentAgain = async (request: Request) =>
  toConsent(
    await send<Source>(SERVICE, 'renewConsent', {
      ...checked(Client, request.data),
      ID: idOf(request),
    }),
  )

const Schedules = z.object({ full: schedule, incremental: schedule })

export async function setSchedules(request: Request) {
  const { full, incremental } = checked(Schedules, request.data)
  const change = { ID: idOf(request), fullSchedule: full, incrementalSchedule: incremental }
  await send(SERVICE, 'changeSchedules', change)
  return shown('Sources', { ID: idOf(request) })
}

export async function check(request: Request) {
  await send(SERVICE, 'check', { ID: idOf(request) })
  return shown('Sources', { ID: idOf(request) })
}

export const remove = (request: Request) => send(SERVICE, 'remove', { ID: idOf(request) })

/** Adds what only SourcesService knows of a source. */
export async function showSource(row: Row) {
  if (row.ID === undefined) return
  const source = await send<Source>(SERVICE, 'find', { ID: row.ID })
  const { full, incremental } = source.schedules
  Object.assign(row, {
    problemText: source.problem?.message ?? null,
    rightsMissing: source.neededRights.filter((each) => !source.grantedRights.includes(each))
      .length,
    ...{ fullSchedule: full.expression, fullNextAt: full.nextRunAt },
    incrementalSchedule: incremental.expression,
    incrementalNextAt: incremental.nextRunAt,
    lastSyncStatus: source.lastSync?.status ?? null,
    lastSyncStatusText: (await codeNames('SyncStatuses'))(source.lastSync?.status),
    lastSyncAt: source.lastSync?.finishedAt ?? null,
  })
}

/** The source that rights or streams are asked for. */
const askedSource = async (request: Request): Promise<Source | null> => {
  const ID = parentOf(request)
  return ID === undefined ? null : send<Source>(SERVICE, 'find', { ID })
}

export async function rights(request: Request) {
  const source = await askedSource(request)
  const rows = (source?.neededRights ?? []).map((name) => {
    const granted = source!.grantedRights.includes(name)
    return { source: source!.ID, name, granted, grantedCriticality: granted ? 3 : 1 }
  })
  return answer(request, rows)
}

export async function streams(request: Request) {
  const source = await askedSource(request)
  const states = await SELECT.localized(StreamStatuses)
  const rows = (source?.checks ?? []).map(({ record, status, message }) => {
    const state = states.find(({ code }) => code === status)
    return {
      ...{ source: source!.ID, name: record, status, message },
      ...{ statusText: state?.name ?? status, statusCriticality: state?.criticality ?? 0 },
    }
  })
  return answer(request, rows)
}
