// A repeated POST with the same Idempotency-Key is executed once; the second call gets the stored answer.
import { createHash, randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import { runDetached } from '../../../base/cap/context.ts'
import { IdempotentAnswers, readAs } from '../../../base/database/entities.ts'
import { openText, sealText } from '../../../base/database/secrets/vault.ts'
import { type ErrorCode, type ErrorOptions, isRefusal, Refusal } from '../../../base/errors.ts'
import { iso } from '../../../base/time/days.ts'
import type { Reply } from './body.ts'

/** Members that a stored answer does not have. */
const SECRETS = ['key', 'secret']
/** Holds the `state` of a consent: it is stored encrypted. */
const SEALED = 'authorization_url'

interface Repeatable {
  /** The API key's id. */
  key: string
  url: string
  bytes: Buffer
  /** Whether the work consists of several transactions. */
  inParts: boolean
  /** Called before a stored answer or refusal is returned. */
  onReplay(): void
}

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

/**
 * Does the work and stores its answer in one transaction, or returns the stored answer of an earlier call.
 * @throws Refusal idempotency_key_reused, request_in_progress, and what the work refuses
 */
export async function runOnce(
  name: string,
  { key, url, bytes, inParts, onReplay }: Repeatable,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!/^[\x21-\x7e]{1,255}$/.test(name)) {
    throw new Refusal('invalid_parameter', 'Idempotency-Key takes 1 to 255 visible characters.', {
      target: 'Idempotency-Key',
    })
  }
  const [path = '', query = ''] = url.split('?', 2)
  const ID = sha256(key, '\n', path, '\n', name)
  const found = await acquireCall(ID, sha256(query, '\n', bytes))
  if (!isClaim(found)) {
    onReplay()
    return repeatAnswer(found, ID)
  }
  try {
    const answer = async () => {
      const reply = await work()
      await storeAnswer(found, { reply: toStored(reply, ID) })
      return reply
    }
    return await (inParts ? answer() : cds.tx(answer))
  } catch (error) {
    await settle(found, error).catch((fault) =>
      cds.log('v1').error('A call with an Idempotency-Key could not be released', fault),
    )
    throw error
  } finally {
    endCall(found)
  }
}

/** The work was undone: a refusal is stored, and after any other error the next call starts over. */
async function settle(claim: Claim, error: unknown) {
  if (!isRefusal(error) || !isStoredStatus(error.status)) return releaseCall(claim)
  const { code, message, options } = error
  if (code !== 'request_in_progress')
    await storeAnswer(claim, { refusal: { code, message, options } })
}

/** Whether a refusal with this status is stored and repeated. */
export const isStoredStatus = (status: number) => status < 500 && status !== 401 && status !== 429

function repeatAnswer(stored: StoredAnswer, ID: string): Reply {
  if ('refusal' in stored) {
    const { code, message, options } = stored.refusal
    throw new Refusal(code, message, options)
  }
  return withSealed(stored.reply, (text) => openText(ID, text))
}

function toStored(reply: Reply, ID: string): Reply {
  if (!reply.body) return reply
  const members = Object.entries(reply.body).filter(([name]) => !SECRETS.includes(name))
  const body = Object.fromEntries(members)
  return withSealed({ ...reply, body }, (text) => sealText(ID, text))
}

function withSealed(reply: Reply, change: (text: string) => string | null): Reply {
  const { [SEALED]: text } = (reply.body ?? {}) as { [SEALED]?: string | null }
  return text ? { ...reply, body: { ...reply.body, [SEALED]: change(text) } } : reply
}

// The answers to calls with an Idempotency-Key, shared by all instances through the database. While a call runs its
// instance renews its lease; once that has ended the instance has died, and whoever repeats the call does its work.

const HOUR_MS = 3_600_000
const KEPT_MS = 24 * HOUR_MS
/** If an instance dies, its calls can be repeated after this time. */
const LEASE_MS = 8_000
const RENEWAL_MS = 2_000
/** How soon a call may be repeated that is about to end, or has lost the database. */
const SOON_S = 1

interface AnswerRow {
  fingerprint: string
  /** Null in rows of a former version. */
  owner: string | null
  startedAt: string
  leaseUntil: string
  answer: string | null
}

type StoredAnswer =
  { reply: Reply } | { refusal: { code: ErrorCode; message: string; options: ErrorOptions } }

/** The right to do the work of a call, until another call takes it over. */
interface Claim {
  ID: string
  owner: string
}

const isClaim = (found: StoredAnswer | Claim): found is Claim => 'owner' in found

/**
 * Claims the work of a call, until `endCall`; returns its stored answer where it is done already.
 * @param ID of API key, path and Idempotency-Key
 * @param fingerprint of query and body
 * @throws Refusal idempotency_key_reused, request_in_progress
 */
async function acquireCall(ID: string, fingerprint: string): Promise<StoredAnswer | Claim> {
  const [now, owner] = [Date.now(), randomUUID()]
  const startedAt = iso(now)
  const fresh = { fingerprint, owner, startedAt, leaseUntil: iso(now + LEASE_MS), answer: null }
  const row = (await findRow(ID)) ?? (await insertRow(ID, fresh))
  if (!row) return begin({ ID, owner })
  const isOld = row.startedAt < iso(now - KEPT_MS)
  if (isOld || isAbandoned(row)) {
    if (!(await takeOver(ID, row, fresh))) throw stillRuns(SOON_S)
    return begin({ ID, owner })
  }
  if (row.fingerprint !== fingerprint) {
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body before.',
      { target: 'Idempotency-Key' },
    )
  }
  if (row.answer === null) throw stillRuns((Date.parse(row.leaseUntil) - now) / 1000)
  return JSON.parse(row.answer) as StoredAnswer
}

/** This instance knows which of its own calls run, even if no lease could be renewed. */
const isAbandoned = ({ answer, owner, leaseUntil }: AnswerRow) =>
  answer === null && leaseUntil < iso(Date.now()) && !(owner && running.has(owner))

/**
 * Replaces an expired or abandoned call by this one. A locked row is skipped: it is being answered, or the database has not
 * noticed yet that its instance died.
 */
const takeOver = (
  ID: string,
  { owner, startedAt, leaseUntil, answer }: AnswerRow,
  fresh: AnswerRow,
) =>
  cds.tx(async () => {
    const same = { ID, owner, startedAt, leaseUntil }
    const free = SELECT.one.from(IdempotentAnswers).columns('ID', 'answer').where(same)
    const found = await readAs<Pick<AnswerRow, 'answer'>>(
      free.forUpdate({ ignoreLocked: true } as never),
    )
    if (!found || (found.answer === null) !== (answer === null)) return false
    const taken: unknown = await UPDATE.entity(IdempotentAnswers).set(fresh).where(same)
    return taken === 1
  })

/** Calls of this instance, by their owner. */
const running = new Map<string, Claim>()
let timer: NodeJS.Timeout | undefined

function begin(claim: Claim): Claim {
  running.set(claim.owner, claim)
  timer ??= setInterval(() => void renewAll(), RENEWAL_MS).unref()
  return claim
}

/** Called after the answer is stored or the claim is released. */
function endCall({ owner }: Claim) {
  running.delete(owner)
  if (running.size) return
  clearInterval(timer)
  timer = undefined
}

/** While the database is away nobody can take a call over either. */
const renewAll = () =>
  runDetached('idempotency', async () => {
    const claims = [...running.values()]
    await UPDATE.entity(IdempotentAnswers)
      .set({ leaseUntil: iso(Date.now() + LEASE_MS) })
      .where({
        ID: { in: claims.map(({ ID }) => ID) },
        owner: { in: claims.map(({ owner }) => owner) },
        answer: null,
      })
  }).catch((error: unknown) => cds.log('v1').warn('calls could not be renewed:', error))

const findRow = (ID: string) => readAs<AnswerRow>(SELECT.one.from(IdempotentAnswers).where({ ID }))

/** @returns undefined if it was inserted, or the row of another call that was faster */
async function insertRow(ID: string, row: AnswerRow): Promise<AnswerRow | undefined> {
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
async function storeAnswer(claim: Claim, answer: StoredAnswer) {
  const stored: unknown = await UPDATE.entity(IdempotentAnswers)
    .set({ answer: JSON.stringify(answer) })
    .where({ ...claim, answer: null })
  if (stored !== 1) throw stillRuns(SOON_S)
}

/** Releases a call that changed nothing: the next one with its Idempotency-Key starts over. */
async function releaseCall(claim: Claim) {
  await DELETE.from(IdempotentAnswers).where({ ...claim, answer: null })
}

const stillRuns = (retryAfter: number) =>
  new Refusal('request_in_progress', 'The first call with this Idempotency-Key still runs.', {
    retryAfter,
  })
