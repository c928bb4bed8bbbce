// A proposal as the task that people are shown.
import { hash } from 'node:crypto'
import type { ProposalStatus } from '#cds-models/restock'
import { addDays } from '../../../../engine/proposal/index.ts'
import { settings } from '../../../base/settings/config.ts'
import { Proposals, readAs } from '../../../base/database/entities.ts'
import { readAllLocalDays } from '../../../base/time/days.ts'
import { type TermColumns, termsOf } from '../../../domain/proposals/index.ts'
import { startOfDay } from '../../../base/time/time-zone.ts'
import { subjectOf } from '../task.ts'
import type { Draft, Priority, TaskStatus } from '../task.ts'

/** The columns of restock.Proposals that a task shows; numbers may come as text. */
export interface TaskProposal {
  ID: number
  source_ID: number
  sku: string
  location: string
  supplier: string | null
  fromLocation: string | null
  quantity: number | string
  value: number | string | null
  currency: string | null
  status: ProposalStatus
  urgency: string
  orderBy: string | null
  createdAt: string
  snoozedUntil: string | null
  decidedAt: string | null
  decidedBy: string | null
  updatedAt: string
  calculation_leadTimeDays: number
  calculation_horizonDays: number
  calculation_onHand: number
  calculation_p50: number | string
  exceptions: string[] | null
}

export const PROPOSAL_COLUMNS = [
  ...['ID', 'source_ID', 'sku', 'location', 'supplier', 'quantity', 'value', 'currency'],
  'fromLocation',
  ...['status', 'urgency', 'orderBy', 'createdAt', 'snoozedUntil', 'decidedAt', 'decidedBy'],
  ...['updatedAt', 'calculation_leadTimeDays', 'calculation_horizonDays'],
  ...['calculation_onHand', 'calculation_p50', 'exceptions'],
]

export async function proposalsOf(ids: number[]): Promise<TaskProposal[]> {
  return readAs<TaskProposal>(
    SELECT.from(Proposals)
      .columns(...PROPOSAL_COLUMNS)
      .where({ ID: { in: ids } }),
  )
}

const STATUS: Record<string, TaskStatus> = {
  pending: 'READY',
  awaiting_second_approval: 'READY',
  snoozed: 'FOR_RESUBMISSION',
  approved: 'COMPLETED',
  ordered: 'COMPLETED',
  rejected: 'COMPLETED',
  superseded: 'CANCELED',
  expired: 'CANCELED',
  cancelled: 'CANCELED',
}

export const statusOf = ({ status }: Pick<TaskProposal, 'status'>): TaskStatus =>
  STATUS[status] ?? 'CANCELED'

const PRIORITY: Record<string, Priority> = {
  stocked_out: 'VERY_HIGH',
  stockout_before_arrival: 'HIGH',
  due: 'MEDIUM',
  ahead: 'LOW',
}

export const priorityOf = ({ urgency }: Pick<TaskProposal, 'urgency'>): Priority =>
  PRIORITY[urgency] ?? 'MEDIUM'

/** A digest of what a person decides about. @param rows with the quantities that would be ordered */
export const termsOfRows = (rows: (TermColumns & Pick<TaskProposal, 'ID'>)[]): string =>
  hash('sha256', JSON.stringify(rows.map((row) => [row.ID, termsOf(row)])))

/** The last moment of the day by which a proposal must be ordered, at its location. */
export type DueAt = (row: TaskProposal) => string | null

export async function readDueAt(): Promise<DueAt> {
  const days = await readAllLocalDays()
  return ({ orderBy, source_ID, location }) => {
    if (!orderBy) return null
    const zone = days.get(Number(source_ID))?.zoneOf(location) ?? settings().timeZone
    return new Date(startOfDay(zone, addDays(orderBy, 1)).getTime() - 1).toISOString()
  }
}

/** When the goods are needed: an order placed on its last day arrives then. */
export const neededBy = ({ orderBy, calculation_leadTimeDays }: TaskProposal) =>
  orderBy && addDays(orderBy, Number(calculation_leadTimeDays))

const MOST_DAYS = 9999

/** For how many days the stock lasts at the median of demand. */
export function daysOfSupplyOf(row: TaskProposal): number | null {
  const daily = Number(row.calculation_p50) / Number(row.calculation_horizonDays)
  if (!(daily > 0)) return null
  return Math.min(MOST_DAYS, Math.max(0, Math.floor(Number(row.calculation_onHand) / daily)))
}

/** @param processor the person who has claimed the task; a finished task has none */
export function draftOf(
  row: TaskProposal,
  audience: string,
  processor: string | null,
  dueAt: DueAt,
): Draft {
  const status = statusOf(row)
  const claimed = status === 'READY' ? processor : null
  const task = {
    localId: `prop_${row.ID}`,
    status: claimed ? ('RESERVED' as const) : status,
    priority: priorityOf(row),
    proposal: row.ID,
    source: row.source_ID,
    sku: row.sku,
    location: row.location,
    supplier: row.supplier ?? null,
    fromLocation: row.fromLocation ?? null,
    lines: 1,
    quantity: Number(row.quantity),
    value: row.value == null ? null : Number(row.value).toFixed(2),
    currency: row.currency ?? null,
    orderBy: row.orderBy ?? null,
    neededBy: neededBy(row),
    daysOfSupply: daysOfSupplyOf(row),
    audience,
    processor: claimed,
    createdAt: row.createdAt,
    dueAt: dueAt(row),
    resumeAt: status === 'FOR_RESUBMISSION' ? (row.snoozedUntil ?? null) : null,
    completedAt: status === 'COMPLETED' ? (row.decidedAt ?? row.updatedAt) : null,
    completedBy: status === 'COMPLETED' ? (row.decidedBy ?? null) : null,
    openKey: null,
    terms: termsOfRows([row]),
  }
  return { ...task, subject: subjectOf(task, 'en') }
}
