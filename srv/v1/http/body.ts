import type { Request } from 'express'
import { type BodyFault, isBodyFault, parseJson as parse, readBytes, textOf } from '../../bodies.ts'
import { type ErrorCode, Refusal } from '../../errors.ts'
import { repeatedMember } from './repeated-member.ts'

export const BODY_LIMIT = 1_048_576

const CODE: Record<BodyFault['status'], ErrorCode> = {
  400: 'invalid_request',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
}

const toRefusal = (error: unknown) =>
  isBodyFault(error) ? new Refusal(CODE[error.status], error.message) : error

/**
 * The bytes of a request's body, none for none.
 * @throws Refusal payload_too_large, unsupported_media_type (encoding), invalid_request
 */
export async function readBody(req: Request): Promise<Buffer> {
  try {
    return await readBytes(req, BODY_LIMIT)
  } catch (error) {
    throw toRefusal(error)
  }
}

const JSON_TYPE =
  /^application\/(json|[\w.-]+\+json)\s*(;\s*charset="?utf-8"?\s*|;(?!\s*charset)[^;]*)*$/i

/**
 * A body as the object it must be.
 * @throws Refusal unsupported_media_type, invalid_request, invalid_parameter where a field is given twice
 */
export function parseObject(contentType: string | undefined, bytes: Buffer): object {
  if (bytes.length && !JSON_TYPE.test(contentType ?? '')) {
    throw new Refusal('unsupported_media_type', 'The body must be application/json in UTF-8.')
  }
  const { text, body } = parseJson(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('invalid_request', 'The body must be a JSON object.')
  }
  const target = repeatedMember(text)
  if (target === null) return body
  throw new Refusal('invalid_parameter', `${target}: is given twice`, { target })
}

function parseJson(bytes: Buffer): { text: string; body: unknown } {
  try {
    const text = textOf(bytes)
    return { text, body: parse(text) }
  } catch (error) {
    throw toRefusal(error)
  }
}
