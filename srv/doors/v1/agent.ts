// POST /mcp: MCP's streamable HTTP, without sessions. The tools ask /v1 of this very instance by HTTP, with the caller's key: scopes,
// rows, limits and the audit trail are those of any other call.
import type { Request, RequestHandler } from 'express'
import type { AgentOptions } from '../../../agent/index.ts'
import { addressOf, isSameOrigin } from '../../base/http/addresses.ts'
import { parseObject, readBody } from './http/body.ts'
import { openApiText } from './openapi.ts'

/** Refuses the pages of other sites, though none of them has a key. */
export const refuseOtherSites: RequestHandler = (req, res, next) => {
  if (isSameOrigin(req.headers)) return next()
  const message = 'Pages of other sites are not answered here.'
  res.status(403).json({ error: { code: 'cross_site', message } })
}

/** Answers one message of a caller whose key is verified. */
export const serveAgent: RequestHandler = async (req, res) => {
  const message = parseObject(req.headers['content-type'], await readBody(req))
  const { agentServer, answerOnce } = await loaded()
  const server = agentServer(optionsOf(req, res.locals.requestId))
  const { method, headers } = req
  const request = new Request('http://localhost/mcp', { method, headers: flat(headers) })
  const answer = await answerOnce(server, request, message)
  res.statusCode = answer.status
  for (const [name, value] of answer.headers) res.setHeader(name, value)
  res.end(Buffer.from(await answer.arrayBuffer()))
}

/** The library takes a sixth of a second to load: it waits for the first agent. */
const loaded = () => import('../../../agent/index.ts')

let document: AgentOptions['document'] | undefined

function optionsOf(req: Request, requestId: string): AgentOptions {
  document ??= JSON.parse(openApiText()) as AgentOptions['document']
  const { localAddress = '', localPort } = req.socket
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  const further = { 'x-forwarded-for': addressOf(req), 'x-request-id': requestId }
  return {
    url: `http://${host}:${localPort}/v1`,
    key: (req.headers.authorization ?? '').replace(/^bearer +/i, ''),
    document,
    fetch: (address, init) =>
      fetch(address, { ...init, headers: { ...(init?.headers as object), ...further } }),
  }
}

const flat = (headers: Request['headers']) =>
  Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  )
