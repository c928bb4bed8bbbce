import express, { type Request, type Response } from 'express'
import { Refusal } from '../../errors.ts'
import { repeatedMember } from './repeated-member.ts'

export const BODY_LIMIT = 1_048_576

const readRaw = express.raw({ limit: BODY_LIMIT, type: () => true })

/**
 * The bytes of a request's body, none for none.
 * @throws Refusal payload_too_large, unsupported_media_type (encoding), invalid_request
 */
export function readBody(req: Request, res: Response): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readRaw(req, res, (error?: unknown) => {
      if (error) reject(toRefusal(error))
      else resolve(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0))
    })
  })
}

function toRefusal(error: unknown): unknown {
  const status = (error as { status?: number }).status
  if (status === 413) {
    return new Refusal('payload_too_large', `The body may have ${BODY_LIMIT} bytes at most.`)
  }
  if (status === 415) {
    return new Refusal('unsupported_media_type', 'This Content-Encoding is not supported.')
  }
  if (status === 400) return new Refusal('invalid_request', 'The body could not be read.')
  return error
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
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, body: JSON.parse(text) }
  } catch {
    throw new Refusal('invalid_request', 'The body is no valid JSON.')
  }
}

/** Whether a body comes with a call whose method has none. */
export const hasBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
