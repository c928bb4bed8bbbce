// A POST that is repeated with the same Idempotency-Key is done once and answered twice.
import { createHash } from 'node:crypto'
import { isRefusal, Refusal } from '../../errors.ts'
import type { Reply } from './answer.ts'
import { type Answered, claim, forget, keep } from './answered.ts'

const SECRETS = ['key', 'secret']

interface Repeatable {
  /** The API key's id. */
  key: string
  url: string
  bytes: Buffer
  /** Called before the stored answer is given, be it a refusal. */
  onReplay(): void
}

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

/**
 * Does the work, or answers what it was answered before.
 * @throws Refusal idempotency_key_reused, request_in_progress, and what the work refuses
 */
export async function once(
  name: string,
  { key, url, bytes, onReplay }: Repeatable,
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
  if (stored) {
    onReplay()
    return replay(stored)
  }
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

/** Whether a refusal of this status is answered again. */
export const isStored = (status: number) => status < 500 && status !== 401 && status !== 429

function replay(stored: Answered): Reply {
  if ('refusal' in stored) {
    const { code, message, options } = stored.refusal
    throw new Refusal(code, message, options)
  }
  return stored.reply
}

function withoutSecrets(reply: Reply): Reply {
  if (!reply.body) return reply
  const members = Object.entries(reply.body).filter(([name]) => !SECRETS.includes(name))
  return { ...reply, body: Object.fromEntries(members) }
}
