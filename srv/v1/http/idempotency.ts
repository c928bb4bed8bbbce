// A POST that is repeated with the same Idempotency-Key is done once and answered twice.
import { createHash } from 'node:crypto'
import cds from '@sap/cds'
import { type ErrorCode, type ErrorOptions, isRefusal, Refusal } from '../../errors.ts'
import type { Reply } from './answer.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const ANSWERS = 'restock.IdempotentAnswers'
const KEPT_MS = 24 * 3_600_000
/** A call that has not answered by then died with its instance. */
const LEASE_MS = 120_000
const SECRETS = ['key', 'secret']

interface Repeatable {
  /** The API key's id. */
  key: string
  url: string
  bytes: Buffer
}

interface Row {
  fingerprint: string
  startedAt: string
  leaseUntil: string
  answer: string | null
}

interface StoredRefusal {
  code: ErrorCode
  message: string
  options: ErrorOptions
}

type Stored = { reply: Reply } | { refusal: StoredRefusal }

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

const iso = (time: number) => new Date(time).toISOString()

/**
 * Does the work, or answers what it was answered before.
 * @throws Refusal idempotency_key_reused, request_in_progress, and what the work refuses
 */
export async function once(
  name: string,
  { key, url, bytes }: Repeatable,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!/^[\x21-\x7e]{1,255}$/.test(name)) {
    throw new Refusal('invalid_parameter', 'Idempotency-Key takes 1 to 255 visible characters.', {
      target: 'Idempotency-Key',
    })
  }
  const [path = '', query = ''] = url.split('?', 2)
  const ID = sha256(key, '\n', path, '\n', name)
  const stored = await claim(ID, sha256(query, '\n', bytes))
  if (stored) return replay(stored)
  try {
    const reply = await work()
    await keep(ID, { reply: withoutSecrets(reply) })
    return reply
  } catch (error) {
    if (isRefusal(error) && isStored(error.status)) {
      const { code, message, options } = error
      await keep(ID, { refusal: { code, message, options } })
    } else await forget(ID)
    throw error
  }
}

const isStored = (status: number) => status < 500 && status !== 401 && status !== 429

/** Takes the right to do the work, or returns the stored answer. */
async function claim(ID: string, fingerprint: string): Promise<Stored | undefined> {
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
  if (now - sweptAt < 3_600_000) return
  sweptAt = now
  await DELETE.from(ANSWERS).where({ startedAt: { '<': iso(now - KEPT_MS) } })
}

/** The work is done already: that its answer cannot be stored must not undo it. */
async function keep(ID: string, answer: Stored) {
  try {
    await UPDATE.entity(ANSWERS)
      .set({ answer: JSON.stringify(answer) })
      .where({ ID })
  } catch (error) {
    cds.log('v1').error('An idempotent answer could not be stored', error)
  }
}

async function forget(ID: string) {
  try {
    await DELETE.from(ANSWERS).where({ ID })
  } catch (error) {
    cds.log('v1').error('An idempotent call could not be released', error)
  }
}

function replay(stored: Stored): Reply {
  if ('refusal' in stored) {
    const { code, message, options } = stored.refusal
    throw new Refusal(code, message, options)
  }
  const { reply } = stored
  return { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } }
}

function withoutSecrets(reply: Reply): Reply {
  if (!reply.body) return reply
  const members = Object.entries(reply.body).filter(([name]) => !SECRETS.includes(name))
  return { ...reply, body: Object.fromEntries(members) }
}
