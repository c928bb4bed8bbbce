// An ERP that gives recorded answers over real HTTP, and misbehaves where the conformance suite asks.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../../adapters/adapter.ts'
import type { HttpFixture } from './adapter-http.ts'

/** JSON by path and query as the adapter asks for them, e.g. `/v1/stock?page=2`. */
export type Answers = Record<string, unknown>

export interface RecordedErp {
  http: HttpFixture
  /** A connection to an account that has these answers; all else is not found there. */
  connect(answers: Answers, options?: Record<string, unknown>): Connection
}

/**
 * Starts before a file's tests and ends behind them.
 * @param linkTo how an answer of this ERP names its next page
 */
export function recordedErp(linkTo: (answer: unknown, next: string) => unknown): RecordedErp {
  const accounts: Answers[] = []
  const requests: { method: string; path: string }[] = []
  let failure: { status: number; headers: Record<string, string> } | null = null
  let foreignLink: string | null = null
  let [refreshes, strangers] = [0, 0]

  const erp = createServer((request, response) => {
    const { account, path } = placeOf(request)
    requests.push({ method: request.method!, path })
    if (failure) {
      const { status, headers } = failure
      failure = null
      return send(response, status, {}, headers)
    }
    let answer = accounts[account]?.[path]
    if (answer === undefined) return send(response, 404, {})
    if (foreignLink) answer = linkTo(answer, foreignLink)
    foreignLink = null
    return send(response, 200, answer)
  })
  const elsewhere = createServer((_request, response) => {
    strangers++
    response.end()
  })
  beforeAll(() => Promise.all([erp, elsewhere].map(listen)))
  afterAll(() => Promise.all([erp, elsewhere].map(close)))

  return {
    connect(answers, options = {}) {
      const baseUrl = `${urlOf(erp)}/${accounts.push(answers) - 1}`
      const authorization = async (refused?: string) => `Basic ${refused ? ++refreshes : refreshes}`
      const credentials = { authorization }
      return { account: 'recorded', role: 'reader', baseUrl, options, credentials }
    },
    http: {
      answerOnce(status, headers = {}) {
        failure = { status, headers }
      },
      linkElsewhereOnce() {
        strangers = 0
        foreignLink = urlOf(elsewhere)
        return { requests: () => strangers }
      },
      refreshes: () => refreshes,
      requests: () => requests,
      readingPosts: [],
    },
  }
}

/** An account's paths lie below its number. */
function placeOf({ url }: IncomingMessage) {
  const [, account = '', path = ''] = /^\/(\d+)(\/.*)$/.exec(url!) ?? []
  return { account: Number(account), path }
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

const urlOf = (server: Server) => `http://localhost:${(server.address() as AddressInfo).port}`
const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
const close = (server: Server) => new Promise((resolve) => server.close(resolve))
