import { Agent, get } from 'node:http'
import { Unreachable } from '../../../adapters/errors.ts'
import { withConnectTimeout } from '../../../adapters/http/connect-timeout.ts'
import { quickSignal } from '../../../adapters/http/quick.ts'
import { failureOf, json, startServer } from './server.ts'

const request = (url: string, agent: Agent) =>
  new Promise((resolve, reject) => get(url, { agent }, resolve).once('error', reject))

it('gives up a connection that does not come about', async () => {
  // As of a host that swallows packets: nothing is ever answered.
  const agent = withConnectTimeout(new Agent({ lookup: () => {} }), 100)
  const error = await failureOf(request('http://erp.invalid/', agent))
  expect(error).toMatchObject({ code: 'ERR_CONNECT_TIMEOUT' })
})

it('leaves a connection alone once it stands', async () => {
  const server = await startServer((_asked, response) => setTimeout(() => json(response, {}), 300))
  const agent = withConnectTimeout(new Agent(), 100)
  await expect(request(server.url, agent)).resolves.toMatchObject({ statusCode: 200 })
  await server.close()
})

it('a test that somebody waits for finds out once for all requests that there is no way', async () => {
  const server = await startServer((_asked, response) => json(response, {}))
  const client = server.client({ concurrency: 1 })
  await server.close()
  const began = performance.now()
  const signal = quickSignal(20_000)
  const url = new URL('/data/a', server.url)
  const errors = await Promise.all(
    Array.from({ length: 20 }, () => failureOf(client.get(url, signal))),
  )
  for (const error of errors) expect(error).toBeInstanceOf(Unreachable)
  expect(performance.now() - began).toBeLessThan(10_000)
})
