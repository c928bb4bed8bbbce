// What a stored row is called and allows, in the language and with the rights of the one who asks.
import cds from '@sap/cds'
import { APPROVING_ROLES } from '../store/users.ts'
import { fill, nameOf, namesOf, texts } from './texts/index.ts'

type Row = Record<string, unknown>

const DECISIONS = ['canApprove', 'canReject', 'canSnooze', 'canCancel']

export const mayDecide = () => APPROVING_ROLES.some((role) => cds.context?.user?.is(role))

export function showProposal(row: Row) {
  row.number = `prop_${row.ID}`
  row.urgencyText = nameOf('urgency', row.urgency)
  row.statusText = nameOf('status', row.status)
  row.confidenceText = nameOf('confidence', row.confidence)
  row.exceptionsText = namesOf('exception', row.exceptions)
  row.driversText = namesOf('driver', row.drivers)
  row.reasonText = nameOf('reason', row.reason)
  if (row.newer !== undefined) showNewer(row)
  if (mayDecide()) return
  for (const decision of DECISIONS) if (decision in row) row[decision] = false
}

function showNewer(row: Row) {
  const newer = row.newer ? (JSON.parse(String(row.newer)) as { quantity: number }) : null
  row.newerQuantity = newer?.quantity ?? null
  row.newerText =
    newer && fill(newer.quantity ? texts().newer.order : texts().newer.none, { ...newer })
}

export function showDecision(row: Row) {
  row.number = `prop_${row.ID}`
  row.statusText = nameOf('status', row.status)
  row.reasonText = nameOf('reason', row.reason)
}

export function showEvent(row: Row) {
  row.eventText = nameOf('event', row.event)
  row.viaText = nameOf('via', row.via)
}

export function showBlocked(row: Row) {
  row.missingText = nameOf('missing', row.missing)
}

/** Code and name of each code of a topic. */
export const codesOf = (topic: 'urgency' | 'status' | 'confidence' | 'reason') =>
  Object.entries(texts()[topic]).map(([code, name]) => ({ code, name }))
