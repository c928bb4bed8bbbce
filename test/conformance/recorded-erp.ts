// An ERP that gives recorded answers over real HTTP, and misbehaves where the conformance suite asks.
import { createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../../adapters/adapter.ts'
import type { HttpFixture } from './adapter-http.ts'

/** JSON by path and query as the adapter asks for them, e.g. `/v1/stock?page=2`. */
export type Answers = Record<string, unknown>

export interface RecordedErp {
  http: HttpFixture
  /** A connection to an ERP that has these answers; all else is not found there. */
  connect(answers: Answers, options?: Record<string, unknown>): Promise<Connection>
}

/**
 * Ends behind a file's tests.
 * @param linkTo how an answer of this ERP names its next page
 */
export function recordedErp(linkTo: (answer: unknown, next: string) => unknown): RecordedErp {
  const servers: Server[] = []
  const requests: { method: string; path: string }[] = []
  let failure: { status: number; headers: Record<string, string> } | null = null
  let foreignLink: string | null = null
  let [refreshes, strangers] = [0, 0]

  const start = async (listener: RequestListener) => {
    const server = createServer(listener)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    return `http://localhost:${(server.address() as AddressInfo).port}`
  }
  let elsewhere: string
  beforeAll(async () => {
    elsewhere = await start((_request, response) => send(response, 200, strangers++))
  })
  afterAll(() => Promise.all(servers.map(close)))

  return {
    async connect(answers, options = {}) {
      const baseUrl = await start(({ method, url }, response) => {
        requests.push({ method: method!, path: url! })
        if (failure) {
          const { status, headers } = failure
          failure = null
          return send(response, status, {}, headers)
        }
        let answer = answers[url!]
        if (answer === undefined) return send(response, 404, {})
        if (foreignLink) answer = linkTo(answer, foreignLink)
        foreignLink = null
        return send(response, 200, answer)
      })
      const authorization = async (refused?: string) => `Basic ${refused ? ++refreshes : refreshes}`
      return {
        ...{ account: 'recorded', role: 'reader', baseUrl, options },
        credentials: { authorization },
      }
    },
    http: {
      answerOnce(status, headers = {}) {
        failure = { status, headers }
      },
      linkElsewhereOnce() {
        strangers = 0
        foreignLink = elsewhere
        return { requests: () => strangers }
      },
      refreshes: () => refreshes,
      requests: () => requests,
      readingPosts: [],
    },
  }
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

/** Connections that are kept alive would hold it open. */
function close(server: Server) {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}
