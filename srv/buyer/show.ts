// What a stored row is called and allows, in the language and with the rights of the one who asks.
import cds from '@sap/cds'
import type { ProposalStatus } from '#cds-models/restock'
import { APPROVING_ROLES } from '../authority/index.ts'
import { allowsStep, type Step } from '../store/proposal-flow.ts'
import { fill, nameOf, namesOf, texts } from './texts/index.ts'

type Row = Record<string, unknown>

/** What the app asks of a row, and the step of the state machine that answers it. */
const STEPS: Record<string, Step> = {
  ...{ canApprove: 'approve', canReject: 'decline', canSnooze: 'snooze', canCancel: 'cancel' },
}

export const mayDecide = () => APPROVING_ROLES.some((role) => cds.context?.user?.is(role))

/** Which text tells what a stored code is called; a row has the codes that were asked for. */
const TEXTS = {
  urgency: (row: Row) => (row.urgencyText = nameOf('urgency', row.urgency)),
  status: (row: Row) => (row.statusText = nameOf('status', row.status)),
  confidence: (row: Row) => (row.confidenceText = nameOf('confidence', row.confidence)),
  exceptions: (row: Row) => (row.exceptionsText = namesOf('exception', row.exceptions)),
  drivers: (row: Row) => (row.driversText = namesOf('driver', row.drivers)),
  reason: (row: Row) => (row.reasonText = nameOf('reason', row.reason)),
  newer: showNewer,
  p50: showForecast,
  rationale: showRationale,
  ID: (row: Row) => (row.number = `prop_${row.ID}`),
}

/** The stored element that each shown one is made from. */
const MADE_FROM: Record<string, string> = {
  ...{ urgencyText: 'urgency', statusText: 'status', confidenceText: 'confidence' },
  ...{ exceptionsText: 'exceptions', driversText: 'drivers', reasonText: 'reason', number: 'ID' },
  ...{ newerText: 'newer', newerQuantity: 'newer', eventText: 'event', viaText: 'via' },
  missingText: 'missing',
  ...{ canApprove: 'status', canReject: 'status', canSnooze: 'status', canCancel: 'status' },
  forecastText: 'p50,p10,p90',
  rationaleText:
    'rationale,p50,horizonDays,onHand,onOrder,targetStock,netRequirement,leadTimeDays,moq,lotSize,calculatedQuantity',
  ...{ skuName: 'sku,source', unit: 'sku,source', skuGroup: 'sku,source', dataAsOf: 'source' },
  ...{ locationName: 'location,source', supplierName: 'supplier,source' },
  supplierOrder: 'supplier,source',
}

interface Column {
  ref?: string[]
}

/** Who asks for a text alone is given its code too, for the text is made from it. */
export function withCodes(columns: Column[] | undefined, elements: object) {
  if (!columns) return
  const asked = new Set(columns.map(({ ref }) => ref?.at(-1)))
  for (const name of asked) {
    for (const code of MADE_FROM[name ?? '']?.split(',') ?? []) {
      if (!asked.has(code) && code in elements) columns.push({ ref: [code] })
      asked.add(code)
    }
  }
}

export function showProposal(row: Row) {
  for (const [code, show] of Object.entries(TEXTS)) if (code in row) show(row)
  if (!('status' in row)) return
  const isDecider = mayDecide()
  for (const [name, step] of Object.entries(STEPS)) {
    row[name] = isDecider && allowsStep(row.status as ProposalStatus, step)
  }
}

/** The stored sentence is English; in another language the same is said from the numbers. */
function showRationale(row: Row) {
  const { sum } = texts().why
  const values = Object.entries(row).map(([name, value]) => [name, numeric(value)])
  row.rationaleText = sum === null ? row.rationale : fill(sum, Object.fromEntries(values))
}

const numeric = (value: unknown) =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value

function showForecast(row: Row) {
  const [p50, p10, p90] = [row.p50, row.p10, row.p90].map(Number)
  if ('p10' in row) row.forecastText = fill('{p50} ({p10}–{p90})', { p50, p10, p90 })
}

function showNewer(row: Row) {
  const newer = row.newer ? (JSON.parse(String(row.newer)) as { quantity: number }) : null
  row.newerQuantity = newer?.quantity ?? null
  row.newerText =
    newer && fill(newer.quantity ? texts().newer.order : texts().newer.none, { ...newer })
}

export function showDecision(row: Row) {
  for (const code of ['ID', 'status', 'reason'] as const) if (code in row) TEXTS[code](row)
}

export function showEvent(row: Row) {
  if ('event' in row) row.eventText = nameOf('event', row.event)
  if ('via' in row) row.viaText = nameOf('via', row.via)
  if (row.event === 'rejected') row.comment = nameOf('reason', row.comment)
}

export function showBlocked(row: Row) {
  if ('missing' in row) row.missingText = nameOf('missing', row.missing)
}

/** Code and name of each code of a topic. */
export const codesOf = (topic: 'urgency' | 'status' | 'confidence' | 'reason') =>
  Object.entries(texts()[topic]).map(([code, name]) => ({ code, name }))
