import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import { type ErrorCode, isRefusal, Refusal } from '../../../base/errors.ts'
import type { Scope, VerifiedKey } from '../../../domain/keys/index.ts'
import { parseObject, readBody, type Reply, sendReply } from './body.ts'
import { hasBody } from '../../../base/http/bodies.ts'
import { runOnce } from './idempotency.ts'
import { parseQuery, validate } from '../../../base/input.ts'

/** The validated input of a handler. */
interface Call<Query, Body> {
  /** Below /v1. */
  path: string
  params: Record<string, string>
  query: Query
  body: Body
}

/** What a path names by its id. */
export interface Named<Found = unknown> {
  /** The refusal where there is none. */
  error: ErrorCode
  /** @throws Refusal */
  find(params: Record<string, string>): Promise<Found>
}

/** One method of one path. Routing, validation and the OpenAPI document are made from it. */
export interface Endpoint<Query = unknown, Body = unknown> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  summary: string
  /** One of these scopes is enough. */
  scopes: readonly Scope[]
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  /** No body counts as `{}`. */
  bodyOptional?: boolean
  /** Whether a repeated POST is harmless and needs no Idempotency-Key. */
  repeatable?: boolean
  /** Whether each part of the call is a transaction of its own, and so is the stored answer. */
  inParts?: boolean
  /** Whether the answer's Location names the created resource. */
  names?: boolean
  /** An example for the document. */
  example?: { query?: Record<string, string | number | boolean>; body?: object }
  /** The schema of each success by status; null without JSON. */
  answers: Record<number, z.ZodType | null>
  /** Refusals beyond those that every endpoint may give, and that of what the path names. */
  errors?: readonly ErrorCode[]
  /** What the path names; where it does not exist, that is said before anything about the input. */
  of?: Named
  handle(call: Call<Query, Body>): Promise<Reply>
}

/** An endpoint with one success, whose handler returns the body, or nothing. */
type JsonEndpoint<Query, Body> = Omit<Endpoint<Query, Body>, 'handle'> & {
  json(call: Call<Query, Body>): Promise<unknown>
}

/** Gives an endpoint the types of its schemas. */
export function endpoint<Query, Body>(
  definition: Endpoint<Query, Body> | JsonEndpoint<Query, Body>,
): Endpoint<Query, Body> {
  if ('handle' in definition) return definition
  const { json, ...rest } = definition
  const [[status, schema]] = Object.entries(rest.answers) as [[string, z.ZodType | null]]
  return {
    ...rest,
    async handle(call) {
      const body = await json(call)
      return { status: Number(status), ...(schema && { body: body as object }) }
    },
  }
}

const NOTHING = z.strictObject({})
const NO_BYTES = Buffer.alloc(0)

const takesBody = ({ method }: Endpoint) => ['post', 'put', 'patch'].includes(method)

/** Serves an endpoint to a caller whose key is verified: scope, existence, validation, work, in this order. */
export function serve(endpoint: Endpoint): RequestHandler {
  const isPost = endpoint.method === 'post'
  return async (req, res) => {
    assertScope(endpoint, res.locals.key)
    const bytes = takesBody(endpoint) ? await readBody(req) : NO_BYTES
    const work = () => answerCall(endpoint, req, bytes)
    const name = isPost && !endpoint.repeatable ? req.headers['idempotency-key'] : undefined
    const onReplay = () => void res.setHeader('Idempotent-Replayed', 'true')
    const { inParts = false } = endpoint
    const call = { key: res.locals.key.id, url: req.url, bytes, inParts, onReplay }
    await sendReply(res, await (name === undefined ? work() : runOnce(String(name), call, work)))
  }
}

function assertScope({ scopes }: Endpoint, key: VerifiedKey) {
  const { scopes: held, isUnconfirmed, mayNotApprove, user } = key
  if (scopes.some((scope) => held.has(scope))) return
  if (isUnconfirmed && scopes.includes('proposals:decide')) {
    throw new Refusal('key_not_confirmed', `${user.id} has not confirmed this key.`)
  }
  if (mayNotApprove && scopes.includes('proposals:decide')) {
    const why = `${user.id}, as whom this key acts, holds no role that may approve.`
    throw new Refusal('insufficient_scope', why)
  }
  throw new Refusal('insufficient_scope', `The key needs the scope ${scopes.join(' or ')}.`)
}

/** Answers 404 rather than 400 if the resource in the path does not exist. */
async function answerCall(endpoint: Endpoint, req: Request, bytes: Buffer): Promise<Reply> {
  const params = req.params as Record<string, string>
  try {
    const query = validate(endpoint.query ?? NOTHING, parseQuery(req.url))
    const body = takesBody(endpoint) ? bodyOf(endpoint, req, bytes) : noBodyOf(req)
    return await endpoint.handle({ path: req.path, params, query, body })
  } catch (error) {
    if (isRefusal(error) && [400, 415].includes(error.status)) await endpoint.of?.find(params)
    throw error
  }
}

function noBodyOf(req: Request): undefined {
  if (hasBody(req)) throw new Refusal('invalid_request', `${req.method} takes no body here.`)
}

function bodyOf({ body, bodyOptional }: Endpoint, req: Request, bytes: Buffer) {
  const mayBeNone = bodyOptional || !body
  if (!bytes.length && mayBeNone) return validate(body ?? NOTHING, {})
  return validate(body ?? NOTHING, parseObject(req.headers['content-type'], bytes))
}
