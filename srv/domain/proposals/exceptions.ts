// Exceptions as people see and settle them. An exception is a problem with open orders or stock that no new order can solve;
// srv/domain/proposals/run/exceptions.ts updates them.
import cds from '@sap/cds'
import type * as Model from '#cds-models/restock'
import { assertMaySettle, noSuchException, type Predicate } from '../authority/index.ts'
import { inTransaction } from '../../base/cap/context.ts'
import { APPROVING_ROLES } from '../../base/roles.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { Exceptions, type Row } from '../../base/database/entities.ts'
import { givenIn, newestPage, type PageQuery, toDecimal } from '../../base/database/rows.ts'
import type { ExceptionKind } from './run/exceptions.ts'
import { assertRole, rowsOfReader } from './readers.ts'

interface ExceptionsQuery extends PageQuery {
  filter?: {
    kind?: string[] | null
    location?: string | null
    sku?: string | null
    supplier?: string | null
    settled?: boolean | null
  }
}

type Stored = Row<Model.Exception>

/** The exceptions that the user sees, newest first. */
export async function listExceptions({ filter = {}, ...asked }: ExceptionsQuery) {
  const { settled, kind, ...equal } = filter
  const page = await newestPage<Stored>(
    SELECT.from(Exceptions),
    asked,
    { settledAt: settled ? { '!=': null } : null },
    givenIn(equal),
    kind?.length ? { kind: { in: kind } } : null,
    await rowsOfReader(),
  )
  return { ...page, data: page.data.map(toException) }
}

/** @throws Refusal not_found if there is none, or the user does not see it */
export const findException = async (ID: number) => readException(ID, await rowsOfReader())

async function readException(ID: number, visible: Predicate | null = null): Promise<Exception> {
  const query = SELECT.one.from(Exceptions).where({ ID })
  const row = await (visible ? query.where(visible) : query)
  if (!row) throw noSuchException(ID)
  return toException(row)
}

interface Settling {
  ID: number
  comment?: string | null
}

/**
 * Takes an exception off the list of open ones for as long as it lasts, with an entry of the audit trail in the same
 * transaction. Settling it again changes nothing.
 */
export const settleException = (settling: Settling) => inTransaction(() => settle(settling))

async function settle({ ID, comment = null }: Settling) {
  assertRole(APPROVING_ROLES)
  const row = await readException(ID)
  const inNameOf = await assertMaySettle(row)
  const settledBy = cds.context?.user?.id ?? 'system'
  const changed: unknown = await UPDATE.entity(Exceptions)
    .set({ settledAt: new Date().toISOString(), settledBy, comment, settledQuantity: row.quantity })
    .where({ ID, settledAt: null })
  const after = await readException(ID)
  if (changed === 1)
    await writeAuditLog('exception.settled', `exc_${ID}`, detailOf(after, inNameOf))
  return after
}

function detailOf(row: Exception, inNameOf: string | null): string {
  const { kind, sku, location, document, comment } = row
  const about = [kind, sku, `at ${location}`, document].filter(Boolean).join(' ')
  const who = inNameOf ? ` for ${inNameOf}` : ''
  return `${about}${who}${comment ? `: ${comment}` : ''}`
}

/** Quantities are numbers, and money is a decimal string; `document` is null if it is about no order. */
export interface Exception extends Pick<
  Stored,
  | ('ID' | 'supplier' | 'document' | 'promisedOn' | 'wantedOn' | 'currency')
  | ('settledAt' | 'settledBy' | 'comment')
> {
  source: number
  kind: ExceptionKind
  sku: string
  location: string
  quantity: number
  value: string | null
  valueAtRisk: string | null
  message: string
  createdAt: string
  updatedAt: string
}

const toException = (row: Stored): Exception => ({
  ...{ ID: row.ID, source: Number(row.source_ID), kind: row.kind! },
  ...{ sku: row.sku!, location: row.location!, supplier: row.supplier },
  document: row.document || null,
  quantity: Number(row.quantity),
  ...{ promisedOn: row.promisedOn, wantedOn: row.wantedOn },
  valueAtRisk: toDecimal(row.valueAtRisk, 2),
  ...{ value: toDecimal(row.value, 2), currency: row.currency, message: row.message! },
  ...{ createdAt: row.createdAt!, updatedAt: row.updatedAt! },
  ...{ settledAt: row.settledAt, settledBy: row.settledBy, comment: row.comment },
})
