// What no order can mend, as people see and settle it; srv/domain/proposals/run/exceptions.ts keeps it.
import cds from '@sap/cds'
import type { Exception } from '#cds-models/ProposalsService'
import { assertMaySettle, noSuchException, type Predicate } from '../authority/index.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import type { Row } from '../../base/database/entities.ts'
import { indexOrder } from '../../base/database/rows.ts'
import { toDecimal } from '../../base/database/rows.ts'
import type { ServiceRow } from '../../base/database/service-row.ts'
import type { PageQuery } from './list.ts'
import type * as Model from '#cds-models/restock'
import { toPage } from '../../base/database/rows.ts'

const EXCEPTIONS = 'restock.Exceptions'

export interface ExceptionsQuery extends PageQuery {
  filter?: {
    kind?: string[] | null
    location?: string | null
    sku?: string | null
    supplier?: string | null
    settled?: boolean | null
  }
}

type Stored = Row<Model.Exception>

/** @param visible those of the rows that the user sees; null for all */
export async function listExceptions(
  { filter = {}, after, limit }: ExceptionsQuery,
  visible: Predicate | null,
) {
  const { settled, kind, ...equal } = filter
  const conditions = [
    { settledAt: settled ? { '!=': null } : null },
    ...Object.entries(equal)
      .filter(([, value]) => value != null)
      .map(([column, value]) => ({ [column]: value })),
    ...(kind?.length ? [{ kind: { in: kind } }] : []),
    ...(after ? [{ ID: { '<': Number(after) } }] : []),
    ...(visible ? [visible] : []),
  ]
  const query = SELECT.from(EXCEPTIONS).limit(limit + 1)
  for (const condition of conditions) query.where(condition)
  const rows = (await query.orderBy(...indexOrder(['ID'], 'desc'))) as Stored[]
  return toPage(rows.map(toException), limit, ({ ID }) => ID)
}

/** @throws Refusal not_found, also for one that the user does not see */
export async function findException(ID: number, visible: Predicate | null) {
  const query = SELECT.one.from(EXCEPTIONS).where({ ID })
  const row = (await (visible ? query.where(visible) : query)) as Stored | null
  if (!row) throw noSuchException(ID)
  return toException(row)
}

export interface Settling {
  ID: number
  comment?: string | null
}

/** One conditional update and its entry of the audit trail in one transaction; settling again changes nothing. */
export async function settleException({ ID, comment = null }: Settling) {
  const row = await findException(ID, null)
  const inNameOf = await assertMaySettle(row)
  const settledBy = cds.context?.user?.id ?? 'system'
  const changed: unknown = await UPDATE.entity(EXCEPTIONS)
    .set({ settledAt: new Date().toISOString(), settledBy, comment, settledQuantity: row.quantity })
    .where({ ID, settledAt: null })
  const after = await findException(ID, null)
  if (changed === 1)
    await writeAuditLog('exception.settled', `exc_${ID}`, detailOf(after, inNameOf))
  return after
}

function detailOf(row: ServiceException, inNameOf: string | null): string {
  const { kind, sku, location, document, comment } = row
  const about = [kind, sku, `at ${location}`, document].filter(Boolean).join(' ')
  const who = inNameOf ? ` for ${inNameOf}` : ''
  return `${about}${who}${comment ? `: ${comment}` : ''}`
}

type ServiceException = ServiceRow<Exception>

const toException = (row: Stored): ServiceException => ({
  ...{ ID: row.ID, source: Number(row.source_ID), kind: row.kind! },
  ...{ sku: row.sku!, location: row.location!, supplier: row.supplier },
  document: row.document || null,
  quantity: Number(row.quantity),
  ...{ promisedOn: row.promisedOn, wantedOn: row.wantedOn },
  ...{ value: toDecimal(row.value, 2), currency: row.currency, message: row.message! },
  ...{ createdAt: row.createdAt!, updatedAt: row.updatedAt! },
  ...{ settledAt: row.settledAt, settledBy: row.settledBy, comment: row.comment },
})
