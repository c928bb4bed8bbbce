// What calls with an Idempotency-Key were answered: shared by all instances through the database.
import cds from '@sap/cds'
import { type ErrorCode, type ErrorOptions, Refusal } from '../../errors.ts'
import type { Reply } from './answer.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const ANSWERS = 'restock.IdempotentAnswers'
const HOUR_MS = 3_600_000
const KEPT_MS = 24 * HOUR_MS
/** A call that has not answered by then died with its instance. */
const LEASE_MS = 120_000

interface Row {
  fingerprint: string
  startedAt: string
  leaseUntil: string
  answer: string | null
}

export type Answered =
  { reply: Reply } | { refusal: { code: ErrorCode; message: string; options: ErrorOptions } }

const iso = (time: number) => new Date(time).toISOString()

/**
 * Takes the right to do the work, or returns what it was answered.
 * @param ID of API key, path and Idempotency-Key
 * @param fingerprint of query and body
 * @throws Refusal idempotency_key_reused, request_in_progress
 */
export async function claim(ID: string, fingerprint: string): Promise<Answered | undefined> {
  const now = Date.now()
  const fresh = { fingerprint, startedAt: iso(now), leaseUntil: iso(now + LEASE_MS), answer: null }
  const row = (await find(ID)) ?? (await insert(ID, fresh))
  if (!row) return undefined
  const isRunning = row.answer === null
  const isOver = row.startedAt < iso(now - KEPT_MS) || (isRunning && row.leaseUntil < iso(now))
  if (isOver) {
    const { startedAt, leaseUntil } = row
    const taken = await UPDATE.entity(ANSWERS).set(fresh).where({ ID, startedAt, leaseUntil })
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
  return JSON.parse(row.answer)
}

const find = async (ID: string): Promise<Row | undefined> => SELECT.one.from(ANSWERS).where({ ID })

/** Undefined when inserted; the other's row when another call was quicker. */
async function insert(ID: string, row: Row): Promise<Row | undefined> {
  await sweep()
  try {
    await INSERT.into(ANSWERS).entries({ ID, ...row })
    return undefined
  } catch (error) {
    const other = await find(ID)
    if (other) return other
    throw error
  }
}

let sweptAt = 0

/** Once an hour and instance: removes what is older than it is kept. */
async function sweep() {
  const now = Date.now()
  if (now - sweptAt < HOUR_MS) return
  sweptAt = now
  await DELETE.from(ANSWERS).where({ startedAt: { '<': iso(now - KEPT_MS) } })
}

/** The work is done already: that its answer cannot be stored must not undo it. */
export async function keep(ID: string, answer: Answered) {
  try {
    await UPDATE.entity(ANSWERS)
      .set({ answer: JSON.stringify(answer) })
      .where({ ID })
  } catch (error) {
    cds.log('v1').error('An idempotent answer could not be stored', error)
  }
}

/** Nothing was done: the next call starts over. */
export async function forget(ID: string) {
  try {
    await DELETE.from(ANSWERS).where({ ID })
  } catch (error) {
    cds.log('v1').error('An idempotent call could not be released', error)
  }
}
