import cds from '@sap/cds'
import { ENGINE_VERSION } from '../../../engine/index.ts'
import { codeNames } from '../../base/texts/texts.ts'
import {
  type AnyEntity,
  AuditHead,
  AuditLog,
  BlockedPairs,
  ProposalEvents,
  QuarantinedRows,
  readAs,
  Syncs,
  WebhookDeliveries,
} from '../../base/database/entities.ts'
import { readSourceStates } from '../../base/database/demand/demand-age.ts'
import { ownVersion } from '../../base/database/release.ts'
import { overdueRounds } from '../../base/work/worker.ts'

const version = ownVersion()
const DATABASES: Record<string, string> = {
  ...{ sqlite: 'SQLite', postgres: 'PostgreSQL', hana: 'SAP HANA' },
}
const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()

/** State of the service, by counts of small or indexed tables. */
export async function readHealth() {
  const began = performance.now()
  const { sources, failing, dataAsOf, dataAgeDays, isStale } = await readSourceStates()
  const answeredInMs = Math.ceil(performance.now() - began)
  const user = cds.context!.user
  const { kind } = cds.env.requires.db as { kind: string }
  const database = DATABASES[kind] ?? kind
  return {
    ...{ ID: 1, version, engineVersion: ENGINE_VERSION, database, answeredInMs, startedAt },
    ...{ sources, sourcesAtFault: failing, dataAsOf, dataAgeDays, isDataStale: isStale },
    ...(await readSyncState()),
    quarantined: await countRows(QuarantinedRows, { note: null }),
    blocked: await countRows(BlockedPairs),
    workOverdue: overdueRounds().join(', ') || null,
    deliveriesWaiting: await countRows(WebhookDeliveries, { status: 'pending' }),
    deliveriesFailed: await countRows(WebhookDeliveries, { status: 'failed' }),
    ...(await readAuditState()),
    ...{ user: user.id, mayChange: user.is('Admin') },
  }
}

export async function countRows(entity: AnyEntity, where: object = {}): Promise<number> {
  const row = await SELECT.one.from(entity).columns('count(*) as n').where(where)
  return Number(row?.n)
}

async function readSyncState() {
  const nameOf = await codeNames('SyncStatuses')
  const last = await readAs<{ ID: number; status: string; finishedAt: string | null }>(
    SELECT.one.from(Syncs).columns('ID', 'status', 'finishedAt').orderBy('ID desc'),
  )
  return {
    unfinishedSyncs: await countRows(Syncs, { activeFor: { '!=': null } }),
    lastSync: last?.ID ?? null,
    lastSyncStatus: last?.status ?? null,
    lastSyncStatusText: nameOf(last?.status),
    lastSyncAt: last?.finishedAt ?? null,
  }
}

async function readAuditState() {
  const head = await SELECT.one.from(AuditHead).where({ ID: 1 })
  const waiting =
    (await countRows(AuditLog, { seq: null })) + (await countRows(ProposalEvents, { seq: null }))
  return {
    auditSeq: head?.seq ?? 0,
    auditHash: head?.hash ?? null,
    auditSealedAt: head?.sealedAt ?? null,
    auditWaiting: waiting,
  }
}
