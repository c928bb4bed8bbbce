// The answers to calls with an Idempotency-Key, shared by all instances through the database.
import { type ErrorCode, type ErrorOptions, Refusal } from '../../errors.ts'
import { IdempotentAnswers, readAs } from '../../store/entities.ts'
import type { Reply } from './answer.ts'

const HOUR_MS = 3_600_000
const KEPT_MS = 24 * HOUR_MS
/** A call that takes longer than this has ended with its instance. */
const LEASE_MS = 120_000

interface Row {
  fingerprint: string
  startedAt: string
  leaseUntil: string
  answer: string | null
}

export type StoredAnswer =
  { reply: Reply } | { refusal: { code: ErrorCode; message: string; options: ErrorOptions } }

/** The right to do the work of a call, until another call takes it over. */
export interface Claim {
  ID: string
  startedAt: string
  leaseUntil: string
}

export const isClaim = (found: StoredAnswer | Claim): found is Claim => 'leaseUntil' in found

const iso = (time: number) => new Date(time).toISOString()

/**
 * Claims the work of a call for a time; returns its stored answer where it is done already.
 * @param ID of API key, path and Idempotency-Key
 * @param fingerprint of query and body
 * @throws Refusal idempotency_key_reused, request_in_progress
 */
export async function acquireCall(ID: string, fingerprint: string): Promise<StoredAnswer | Claim> {
  const now = Date.now()
  const lease = { startedAt: iso(now), leaseUntil: iso(now + LEASE_MS) }
  const fresh = { fingerprint, ...lease, answer: null }
  const claim = { ID, ...lease }
  const row = (await findRow(ID)) ?? (await insertRow(ID, fresh))
  if (!row) return claim
  const isRunning = row.answer === null
  const isOver = row.startedAt < iso(now - KEPT_MS) || (isRunning && row.leaseUntil < iso(now))
  if (isOver) {
    const { startedAt, leaseUntil } = row
    const taken: unknown = await UPDATE.entity(IdempotentAnswers)
      .set(fresh)
      .where({ ID, startedAt, leaseUntil })
    if (taken === 1) return claim
  }
  if (row.fingerprint !== fingerprint) {
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body before.',
      { target: 'Idempotency-Key' },
    )
  }
  if (row.answer === null || isOver) {
    throw stillRuns()
  }
  return JSON.parse(row.answer) as StoredAnswer
}

const findRow = (ID: string) => readAs<Row>(SELECT.one.from(IdempotentAnswers).where({ ID }))

/** Undefined when inserted; the row of the other call when that was quicker. */
async function insertRow(ID: string, row: Row): Promise<Row | undefined> {
  await removeOldRows()
  try {
    await INSERT.into(IdempotentAnswers).entries({ ID, ...row })
    return undefined
  } catch (error) {
    const other = await findRow(ID)
    if (other) return other
    throw error
  }
}

let lastRemovalAt = 0

/** Removes expired answers, at most once an hour on each instance. */
async function removeOldRows() {
  const now = Date.now()
  if (now - lastRemovalAt < HOUR_MS) return
  lastRemovalAt = now
  await DELETE.from(IdempotentAnswers).where({ startedAt: { '<': iso(now - KEPT_MS) } })
}

/**
 * Stores the answer in the transaction of the work: either both are there, or neither.
 * @throws Refusal request_in_progress where another call has taken the work over
 */
export async function storeAnswer(claim: Claim, answer: StoredAnswer) {
  const stored: unknown = await UPDATE.entity(IdempotentAnswers)
    .set({ answer: JSON.stringify(answer) })
    .where({ ...claim, answer: null })
  if (stored !== 1) throw stillRuns()
}

/** After a call that did nothing: the next one with its Idempotency-Key starts over. */
export async function releaseCall(claim: Claim) {
  await DELETE.from(IdempotentAnswers).where({ ...claim, answer: null })
}

const stillRuns = () =>
  new Refusal('request_in_progress', 'The first call with this Idempotency-Key still runs.')
