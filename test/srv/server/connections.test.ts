import type { Server } from 'node:http'
import cds from '@sap/cds'
import { serverUrl } from '../../support/server.ts'
import { headOf, sendRaw } from './raw.ts'

const server = () => (cds.app as unknown as { server: Server }).server

it.each([
  ['no HTTP', 'GARBAGE\r\n\r\n', 400],
  ['a header that is none', 'GET / HTTP/1.1\r\nHost: localhost\r\n\u0001: x\r\n\r\n', 400],
  ['a long address', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
  [
    'two lengths',
    headOf('POST', '/', { 'Content-Length': 1, 'Transfer-Encoding': 'chunked' }),
    400,
  ],
])('%s gets a short answer', async (_, bytes, status) => {
  const answer = await sendRaw(bytes)
  expect(answer).toMatchObject({ status, isClosed: true })
  expect(JSON.parse(answer.text.split('\r\n\r\n')[1]!)).toMatchObject({
    error: { code: String(status) },
  })
  expect((await fetch(`${serverUrl()}/health`)).status).toBe(200)
})

it('a chunk that is none gets an answer, and the service lives on', async () => {
  const head = headOf('POST', '/odata/v4/buyer/$batch', {
    Authorization: `Basic ${Buffer.from('buyer:buyer').toString('base64')}`,
    ...{ 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
  })
  expect(await sendRaw(`${head}zz\r\n`)).toMatchObject({ isClosed: true })
  expect((await fetch(`${serverUrl()}/health`)).status).toBe(200)
})

it('who waits to be told to go on is refused before the body', async () => {
  const headers = { 'Content-Length': 2_000_000, Expect: '100-continue' }
  const answer = await sendRaw(headOf('POST', '/odata/v4/buyer/$batch', headers))
  expect(answer).toMatchObject({ status: 413, isClosed: true })
  expect(answer.text).not.toContain('100 Continue')
})

it('slow connections are cut off', async () => {
  const { headersTimeout, requestTimeout, timeout } = server()
  expect({ headersTimeout, requestTimeout, timeout }).toEqual({
    ...{ headersTimeout: 10_000, requestTimeout: 30_000, timeout: 120_000 },
  })
  Object.assign(server(), { headersTimeout: 300, requestTimeout: 600 })
  try {
    const head = await sendRaw('GET / HTTP/1.1\r\nHost: localhost\r\n', 6_000)
    expect(head).toMatchObject({ status: 408, isClosed: true })
    const call = headOf('POST', '/odata/v4/buyer/$batch', {
      Authorization: `Basic ${Buffer.from('buyer:buyer').toString('base64')}`,
      ...{ 'Content-Type': 'application/json', 'Content-Length': 100 },
    })
    expect(await sendRaw(`${call}{`, 6_000)).toMatchObject({ status: 408, isClosed: true })
  } finally {
    Object.assign(server(), { headersTimeout, requestTimeout })
  }
})
