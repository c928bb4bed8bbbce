// The answers to calls with an Idempotency-Key, shared by all instances through the database.
import cds from '@sap/cds'
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

const iso = (time: number) => new Date(time).toISOString()

/**
 * Acquires the lease to do the work of a call; returns its stored answer where it is done already.
 * @param ID of API key, path and Idempotency-Key
 * @param fingerprint of query and body
 * @throws Refusal idempotency_key_reused, request_in_progress
 */
export async function acquireCall(
  ID: string,
  fingerprint: string,
): Promise<StoredAnswer | undefined> {
  const now = Date.now()
  const fresh = { fingerprint, startedAt: iso(now), leaseUntil: iso(now + LEASE_MS), answer: null }
  const row = (await findRow(ID)) ?? (await insertRow(ID, fresh))
  if (!row) return undefined
  const isRunning = row.answer === null
  const isOver = row.startedAt < iso(now - KEPT_MS) || (isRunning && row.leaseUntil < iso(now))
  if (isOver) {
    const { startedAt, leaseUntil } = row
    const taken: unknown = await UPDATE.entity(IdempotentAnswers)
      .set(fresh)
      .where({ ID, startedAt, leaseUntil })
    if (taken === 1) return undefined
  }
  if (row.fingerprint !== fingerprint) {
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body before.',
      { target: 'Idempotency-Key' },
    )
  }
  if (row.answer === null || isOver) {
    throw new Refusal('request_in_progress', 'The first call with this Idempotency-Key still runs.')
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

/** Failing to store the answer does not undo the work. */
export async function storeAnswer(ID: string, answer: StoredAnswer) {
  try {
    await UPDATE.entity(IdempotentAnswers)
      .set({ answer: JSON.stringify(answer) })
      .where({ ID })
  } catch (error) {
    cds.log('v1').error('An idempotent answer could not be stored', error)
  }
}

/** After a call that did nothing: the next one with its Idempotency-Key starts over. */
export async function releaseCall(ID: string) {
  try {
    await DELETE.from(IdempotentAnswers).where({ ID })
  } catch (error) {
    cds.log('v1').error('An idempotent call could not be released', error)
  }
}
