import type { AddressInfo } from 'node:net'
import express from 'express'
import { notePassedProxy } from '../../../srv/base/http/guards.ts'

async function warningsOf(
  trustProxy: number,
  calls: [path: string, headers: Record<string, string>][],
) {
  const told: string[] = []
  const app = express().set('trust proxy', trustProxy)
  app.use(notePassedProxy((message) => told.push(message)))
  app.use((_req, res) => void res.end())
  const server = app.listen(0)
  const { port } = server.address() as AddressInfo
  for (const [path, headers] of calls) await fetch(`http://localhost:${port}${path}`, { headers })
  server.close()
  return told
}

const PROXIED = { 'X-Forwarded-For': '192.0.2.1' }

it('a call that came past the proxy is told once', async () => {
  const told = await warningsOf(1, [
    ['/v1/proposals', PROXIED],
    ['/v1/proposals', {}],
    ['/', {}],
  ])
  expect(told).toEqual([expect.stringContaining('past the proxy')])
})

it('not so probes, calls by the proxy, and calls where there is none', async () => {
  expect(
    await warningsOf(1, [
      ['/health/live', {}],
      ['/', PROXIED],
    ]),
  ).toEqual([])
  expect(await warningsOf(0, [['/', {}]])).toEqual([])
})
