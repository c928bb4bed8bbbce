import type { Agent } from 'node:http'

/** Whoever waits for a test of a connection is answered within ten seconds. */
export const CONNECT_MS = 6_000

/** Ends connections that do not come about: a host that swallows packets would be waited for as long as for an answer. */
export function withConnectTimeout<A extends Agent>(agent: A, mostMs = CONNECT_MS): A {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => {
    const socket = connect(options, done)
    if (!socket) return socket
    const timer = setTimeout(() => socket.destroy(timeoutError(mostMs)), mostMs)
    const clear = () => clearTimeout(timer)
    return socket.once('connect', clear).once('close', clear)
  }
  return agent
}

const timeoutError = (mostMs: number) =>
  Object.assign(new Error(`no connection within ${mostMs / 1000} seconds`), {
    code: 'ERR_CONNECT_TIMEOUT',
  })
