// What was approved for a supplier today: limits of a day are held against all of it together.
import { settings } from '../../base/settings/config.ts'
import { ApprovalLocks, ApprovedValues, Proposals, readAs } from '../../base/database/entities.ts'
import { insertRows } from '../../base/database/native/insert.ts'
import { DAY_MS, today } from '../../base/time/days.ts'
import type { Decider } from './rights.ts'

/** The sum of today's approvals that have all this in common. */
export interface ApprovedSum {
  approver: string
  /** Whose right was used: the approver's own, or an absent person's. */
  holder: string
  /** The key that they came by; null for none. */
  apiKey: string | null
  /** No second person had to agree. */
  alone: boolean
  currency: string
  /** In hundredths of the currency. */
  cents: number | string
}

interface Line {
  kind: string
  source: number
  supplier: string | null
}

interface Order {
  source: number
  /** Empty where it is not known. */
  supplier: string
}

/** The order that a line belongs to; null for a transfer, which no supplier delivers. */
const orderOf = ({ kind, source, supplier }: Line): Order | null =>
  kind === 'transfer' ? null : { source, supplier: supplier ?? '' }

/**
 * Makes every other approval for the supplier of this line wait until the transaction ends. Whoever also locks
 * proposals does this first, so that no two wait for each other.
 */
export async function lockApprovals(line: Line) {
  const order = orderOf(line)
  const lockedAt = new Date().toISOString()
  // An upsert also locks a row that is not there yet.
  if (order) await UPSERT.into(ApprovalLocks).entries({ ...order, lockedAt })
}

/** The same for the supplier of a proposal. */
export async function lockApprovalsOf(ID: number) {
  const row = await readAs<Omit<Line, 'source'> & { source_ID: number }>(
    SELECT.one.from(Proposals).columns('kind', 'source_ID', 'supplier').where({ ID }),
  )
  if (row) await lockApprovals({ ...row, source: row.source_ID })
}

/** Today's approvals for the supplier of a line. Under the lock they stay as they are. */
export async function readApprovedSums(line: Line): Promise<ApprovedSum[]> {
  const order = orderOf(line)
  if (!order) return []
  const alike = ['approver', 'holder', 'apiKey', 'alone', 'currency'] as const
  return readAs<ApprovedSum>(
    SELECT.from(ApprovedValues)
      .columns(...alike, 'sum(cents) as cents')
      .where({ ...order, day: today() })
      .groupBy(...alike),
  )
}

/** An approval that nobody else must agree to, as it was decided. */
interface Approval {
  decider: Decider
  proposal: Line & { ID: number; currency: string | null }
  /** Decimal string with two places; null where it is not known. */
  value: string | null
  inNameOf: string | null
  approval: 'only' | 'first' | 'second' | null
}

/** In the transaction of the approval. */
export async function recordApproval(counted: Approval) {
  const { proposal } = counted
  const [order, sum] = [orderOf(proposal), sumOf(counted)]
  if (!order || !sum) return
  await insertRows('restock.ApprovedValues', [
    { proposal: proposal.ID, ...order, day: today(), ...sum },
  ])
}

/** To sums of today's approvals for its supplier, as if it had been recorded. */
export function addApproval(sums: ApprovedSum[], counted: Approval) {
  const added = orderOf(counted.proposal) && sumOf(counted)
  if (!added) return
  const isAlike = (sum: ApprovedSum) =>
    (['approver', 'holder', 'apiKey', 'currency'] as const).every(
      (name) => sum[name] === added[name],
    ) && Boolean(sum.alone) === added.alone
  const alike = sums.find(isAlike)
  if (alike) alike.cents = Number(alike.cents) + added.cents
  else sums.push(added)
}

/** Null where the value is not known. */
function sumOf({ decider, proposal, value, inNameOf, approval }: Approval) {
  if (value === null) return null
  return {
    ...{ approver: decider.id, holder: inNameOf ?? decider.id, apiKey: decider.key },
    alone: approval === 'only',
    currency: proposal.currency ?? settings().currency,
    cents: Math.min(Number(value.replace('.', '')), MOST_CENTS),
  }
}

/** More than any limit that an administrator can set. */
const MOST_CENTS = Number.MAX_SAFE_INTEGER

/** What was cancelled counts no longer. */
export const removeApproval = (ID: number) => DELETE.from(ApprovedValues).where({ proposal: ID })

const KEPT_MS = 7 * DAY_MS

/** Nothing is held against the approvals of former days. */
export const removeFormerApprovals = () =>
  DELETE.from(ApprovedValues).where({
    day: { '<': new Date(Date.now() - KEPT_MS).toISOString().slice(0, 10) },
  })
