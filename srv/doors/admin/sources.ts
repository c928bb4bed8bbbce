import cds, { type Request } from '@sap/cds'
import { z } from 'zod'
import { ADAPTER_TYPES } from '../../../adapters/index.ts'
import { ageOfDemand, criticalityOfAge } from '../../base/database/demand/demand-age.ts'
import { readAs, SourceTypes, StreamStatuses, Syncs } from '../../base/database/entities.ts'
import { isRefusal, Refusal } from '../../base/errors.ts'
import { writtenFault, writtenSchedule } from '../../base/texts/written.ts'
import { codeNames, hasMessage, message } from '../../base/texts/texts.ts'
import * as domain from '../../domain/sources/index.ts'
import { readSync, startSync as start } from '../../domain/sync/index.ts'
import type { ODataRow } from '../../base/odata/query-limits.ts'
import {
  keyOf,
  optionalText,
  pageOf,
  parseInput,
  readOwnRow,
  requiredText,
  scheduleText,
  unlessGone,
} from './rows.ts'

const NewSource = z.object({
  type: z.enum(ADAPTER_TYPES as [string, ...string[]]),
  account: requiredText(500),
  role: optionalText(200).transform((role) => role ?? ''),
  baseUrl: optionalText(500).refine(isHttpUrl, { error: () => message('invalid_url') }),
  clientId: optionalText(200),
  clientSecret: optionalText(4000),
  options: z
    .array(z.object({ name: requiredText(100), value: z.string().trim().max(1000) }))
    .nullish()
    .transform((list) => Object.fromEntries((list ?? []).map(({ name, value }) => [name, value]))),
})

function isHttpUrl(text: string | null) {
  return text === null || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
}

/** Adds a code list entry for each adapter that has none, named by its code. */
export async function addMissingSourceTypes() {
  const rows = await readAs<{ code: string }>(SELECT.from(SourceTypes).columns('code'))
  const named = new Set(rows.map(({ code }) => code))
  const missing = ADAPTER_TYPES.filter((code) => !named.has(code))
  if (!missing.length) return
  await INSERT.into(SourceTypes).entries(missing.map((code) => ({ code, name: code })))
}

/** The address contains the `state` of the consent, of which only a hash is stored. */
const toConsent = ({ ID, status, authorizationUrl, consentExpiresAt }: domain.Source) => ({
  source: ID,
  status,
  authorizationUrl,
  expiresAt: consentExpiresAt,
})

export const connectSource = async ({ data }: Request<{ type: string }>) =>
  toConsent(await inItsWords(data.type, () => domain.connectSource(parseInput(NewSource, data))))

const isClosed = ({ status }: { status: string }) => status === 'forbidden' || status === 'failed'

/** If the ERP does not answer, the call succeeds all the same: the streams show what was found. */
export async function checkSource(request: Request) {
  const ID = keyOf(request)!
  try {
    const { checks } = await domain.checkSource(ID)
    const closed = checks.filter(isClosed)
    const [open, count] = [checks.length - closed.length, checks.length]
    const reason = closed[0]?.message ?? ''
    if (!closed.length) request.notify(message('check_good', { open, count }))
    else if (open) request.warn(message('check_partly', { open, count, reason }))
    else request.warn(message('check_failed', { reason }))
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'source_unavailable') throw error
    request.warn(message('check_failed', { reason: error.message }))
  }
  return readOwnRow('Sources', { ID })
}

const Client = z.object({ clientId: optionalText(200), clientSecret: optionalText(4000) })

export const renewConsent = async (request: Request) =>
  toConsent(await domain.renewConsent({ ...parseInput(Client, request.data), ID: keyOf(request)! }))

const Schedules = z.object({ full: scheduleText, incremental: scheduleText })

export async function setSchedules(request: Request) {
  const { full, incremental } = parseInput(Schedules, request.data)
  const ID = keyOf(request)!
  await domain.changeSchedules({ ID, fullSchedule: full, incrementalSchedule: incremental })
  return readOwnRow('Sources', { ID })
}

const Precedence = z.object({ precedence: z.int().min(1).max(9999) })

export async function setPrecedence(request: Request) {
  const ID = keyOf(request)!
  await domain.changePrecedence({ ID, ...parseInput(Precedence, request.data) })
  return readOwnRow('Sources', { ID })
}

export const missingRights = ({ neededRights, grantedRights }: domain.Source) =>
  neededRights.filter((each) => !grantedRights.includes(each))

/** Adds problem, rights and schedules, which no table stores. */
export async function addSourceState(row: ODataRow) {
  if (row.ID === undefined) return
  const source = await domain.readSource(row.ID as number)
  const { full, incremental } = source.schedules
  const inWords = (expression: string) => writtenSchedule(expression, source.timeZone)
  Object.assign(row, {
    problemText: await problemOf(source),
    rightsMissing: missingRights(source).length,
    dataAgeDays: await ageOfDemand(source.ID, source.dataAsOf),
    dataAgeCriticality: await criticalityOfAge(source.ID, source.dataAsOf),
    ledPairs: source.ledBy.reduce((sum, { pairs }) => sum + pairs, 0),
    timeZone: source.timeZone,
    fullSchedule: full.expression,
    fullScheduleText: inWords(full.expression),
    fullNextAt: full.nextRunAt,
    incrementalSchedule: incremental.expression,
    incrementalScheduleText: inWords(incremental.expression),
    incrementalNextAt: incremental.nextRunAt,
  })
}

/** The parent of the requested rights or streams; null without one, or where it is gone. */
const findRequestedSource = async (request: Request) => {
  const ID = keyOf(request)
  return ID === undefined ? null : unlessGone(domain.readSource(ID))
}

export async function readRights(request: Request) {
  const source = await findRequestedSource(request)
  const rows = (source?.neededRights ?? []).map((name) => {
    const granted = source!.grantedRights.includes(name)
    return { source: source!.ID, name, granted, grantedCriticality: granted ? 3 : 1 }
  })
  return pageOf(request, rows)
}

export async function readStreams(request: Request) {
  const source = await findRequestedSource(request)
  const states = await SELECT.localized(StreamStatuses)
  const rows = (source?.checks ?? []).map(({ record, status, message: said }) => {
    const state = states.find(({ code }) => code === status)
    return {
      ...{ source: source!.ID, name: record, nameText: message(`stream_${record}`), status },
      message: lossOf(record, status) ?? said,
      ...{ statusText: state?.name ?? status, statusCriticality: state?.criticality ?? 0 },
    }
  })
  return pageOf(request, rows)
}

/** What cannot be done without a stream that this ERP does not have. */
const lossOf = (record: string, status: string): string | null =>
  status === 'absent' && hasMessage(`without_${record}`) ? message(`without_${record}`) : null

// A connection that is tried before it is stored, and the fields that each kind of ERP is asked for.

/** The fields of all kinds of ERP, since these rows are not filtered. */
export async function readFields(request: Request) {
  const types = await domain.listTypes(request.locale ?? 'en')
  const rows = types.flatMap(({ type, fields }) =>
    fields.map(({ values, ...field }, position) => ({ type, position, ...field, choices: values })),
  )
  return pageOf(request, rows)
}

/** What the ERP refuses is called as the form for this kind calls it. */
async function inItsWords<T>(type: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isRefusal(error) || error.options.sentence?.key !== 'client_refused') throw error
    const types = await domain.listTypes(cds.context?.locale ?? 'en')
    const fields = types.find((each) => each.type === type)?.fields ?? []
    const labelOf = (name: string) => fields.find((field) => field.name === name)?.label ?? name
    const args = { client: labelOf('clientId'), secret: labelOf('clientSecret') }
    throw new Refusal('invalid_parameter', error.message, {
      ...error.options,
      sentence: { key: 'client_refused', args },
    })
  }
}

export async function testConnection({ data }: Request) {
  const input = parseInput(NewSource, data)
  const test = await inItsWords(input.type, () => domain.testConnection(input))
  const { needsConsent, neededRights, grantedRights, checks } = test
  const nameOf = await codeNames('StreamStatuses')
  const closed = checks.filter(isClosed)
  return {
    needsConsent,
    isReadable: !needsConsent && !closed.length,
    summary: summaryOf(needsConsent, checks.length, closed.length),
    streams: checks.map(({ record, status, message: said }) => ({
      ...{ name: message(`stream_${record}`), status, statusText: nameOf(status) },
      message: lossOf(record, status) ?? said,
    })),
    rights: neededRights.map((name) => ({ name, granted: grantedRights.includes(name) })),
  }
}

function summaryOf(needsConsent: boolean, count: number, closed: number): string {
  if (needsConsent) return message('test_consent')
  return closed
    ? message('test_partly', { open: count - closed, count })
    : message('test_good', { count })
}

interface FailingSource {
  ID: number
  status?: string | null
  problem?: { message: string } | null
}

/** Why a source cannot be read and who can solve it; null if it can be read. */
export async function problemOf({ ID, status, problem }: FailingSource): Promise<string | null> {
  if (problem) return problem.message
  return status === 'failing' ? lastIssueOf(ID) : null
}

/** The first issue of the last sync, unless it succeeded, and who can solve it. */
export async function lastIssueOf(source: number): Promise<string | null> {
  const last = await readAs<{ ID: number }>(
    SELECT.one
      .from(Syncs)
      .columns('ID')
      .where({ source_ID: source, status: { in: ['failed', 'partial'] } })
      .orderBy('ID desc'),
  )
  if (!last) return null
  const [issue] = (await readSync(last.ID)).issues
  return issue ? `${writtenFault(issue.message)} ${issue.remedy}` : null
}

const Mode = z.object({ mode: z.enum(['incremental', 'full'], 'must be incremental or full') })

// Syncs: begun, and told of.

export async function startSync(request: Request) {
  const { mode } = parseInput(Mode, request.data)
  const { ID } = await start({ source: keyOf(request)!, mode })
  return readOwnRow('Syncs', { ID })
}

/** Progress of a sync; `phases` and `issues` are JSON. */
interface Progress {
  status: string
  phase: string | null
  rowsRead: number | null
  done: number | null
  unit: string | null
  phases: string | null
  issues: string | null
}

/** Adds the unit in words, rate, estimated end and number of issues. */
export async function addSyncProgress(row: ODataRow) {
  if (row.ID === undefined) return
  const sync = (await readAs<Progress>(
    SELECT.one
      .from(Syncs)
      .columns('status', 'phase', 'rowsRead', 'done', 'unit', 'phases', 'issues')
      .where({ ID: row.ID }),
  ))!
  const isRunning = sync.status === 'running'
  const estimatedEndAt = isRunning ? (await readSync(row.ID as number)).estimatedEndAt : null
  Object.assign(row, {
    unitText: sync.unit && message(`counted_${sync.unit}`),
    ratePerSecond: isRunning ? rateOf(sync) : null,
    estimatedEndAt,
    issueCount: (JSON.parse(sync.issues ?? '[]') as unknown[]).length,
  })
}

/** Rows a second in the reading phase, series a second in later ones, since the phase began. */
function rateOf({ phase, rowsRead, done, phases }: Progress): number | null {
  const present = (JSON.parse(phases ?? '[]') as { startedAt: string }[]).at(-1)
  const seconds = present ? (Date.now() - Date.parse(present.startedAt)) / 1000 : 0
  const count = Number(phase === 'reading' ? rowsRead : done)
  return seconds > 0 && count > 0 ? Math.round(count / seconds) : null
}

/** Names the stream of a rejected record as everywhere else, and says what is wrong with it. */
export function nameRecord(row: ODataRow) {
  if (typeof row.message === 'string') row.message = writtenFault(row.message)
  if ('record' in row) row.recordText = streamName(row.record)
}

const streamName = (stream: unknown) => (stream ? message(`stream_${stream as string}`) : null)

/** Issues and notes of the sync in the path; without one, of the last sync of each source. */
export async function readSyncIssues(request: Request) {
  const sync = keyOf(request)
  const IDs = sync === undefined ? await lastSyncs() : [sync]
  const found = await Promise.all(IDs.map((ID) => unlessGone(readSync(ID))))
  const syncs = found.filter((each) => each !== null)
  const rows = syncs.flatMap(({ ID, issues, notes }) =>
    [...issues, ...notes].map(({ code, stream, key, message: said, impact, remedy }, at) => ({
      sync: ID,
      line: at + 1,
      code,
      message: writtenFault(said),
      impact,
      remedy,
      isNote: at >= issues.length,
      stream,
      place: key,
      streamText: streamName(stream),
    })),
  )
  return pageOf(request, rows)
}

async function lastSyncs(): Promise<number[]> {
  const rows = await readAs<{ ID: number }>(
    SELECT.from(Syncs).columns('max(ID) as ID').groupBy('source_ID'),
  )
  return rows.map(({ ID }) => ID)
}
