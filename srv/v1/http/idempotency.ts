// A POST that is repeated with the same Idempotency-Key is done once and answered twice.
import { createHash } from 'node:crypto'
import cds from '@sap/cds'
import { isRefusal, Refusal } from '../../errors.ts'
import { openText, sealText } from '../../store/secrets/vault.ts'
import type { Reply } from './answer.ts'
import {
  acquireCall,
  type Claim,
  endCall,
  isClaim,
  releaseCall,
  storeAnswer,
  type StoredAnswer,
} from './stored-answers.ts'

/** Members that a stored answer does not have. */
const SECRETS = ['key', 'secret']
/** Holds the `state` of a consent: it is stored encrypted. */
const SEALED = 'authorization_url'

interface Repeatable {
  /** The API key's id. */
  key: string
  url: string
  bytes: Buffer
  /** The work is no single transaction. */
  inParts: boolean
  /** Called before the stored answer is given, be it a refusal. */
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

/** The work was undone: its refusal is stored, after another error the next call starts over. */
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
