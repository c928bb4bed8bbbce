// What we rely on, or mend, where CAP and its OData V2 adapter take requests.
import express from 'express'
import type { AddressInfo } from 'node:net'
import cds from '@sap/cds'
import { signInOr } from '../../../srv/base/cap/authentication.ts'
import { Skus } from '../../../srv/base/database/entities.ts'
import { serverUrl } from '../../support/server.ts'

const { INSERT } = cds.ql

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const AS_BUYER = { Authorization: basic('buyer:buyer') }

describe('a caller', () => {
  const app = express()
  app.use(signInOr(() => new Error('refused')))
  app.get('/', (_req, res) => void res.json({ user: cds.context!.user.id }))
  app.use(((error: Error, _req, res, _next) => {
    res.status(418).json({ message: error.message })
  }) satisfies express.ErrorRequestHandler)
  const listening = app.listen(0)
  afterAll(() => listening.close())

  async function ask(authorization?: string) {
    const { port } = listening.address() as AddressInfo
    const headers: Record<string, string> = authorization ? { authorization } : {}
    const answer = await fetch(`http://localhost:${port}/`, { headers })
    return { status: answer.status, ...((await answer.json()) as object) }
  }

  it('whom CAP knows is signed in', async () => {
    expect(await ask(basic('buyer:buyer'))).toEqual({ status: 200, user: 'buyer' })
  })

  it.each([basic('buyer:wrong'), basic('nobody:nobody')])(
    'whom it does not know is refused in our own words: %s',
    async (authorization) => {
      expect(await ask(authorization)).toEqual({ status: 418, message: 'refused' })
    },
  )
})

describe('a batch', () => {
  const BATCH = ['', 'Proposals?$top=x', '', 'Proposals?$top=1', '']
    .map((url) => url && `content-type: application/http\r\n\r\nGET ${url} HTTP/1.1\r\n\r\n\r\n`)
    .filter(Boolean)
    .map((part) => `--b\r\n${part}`)
    .join('')
    .concat('--b--\r\n')

  const send = (contentType: string, body: string, more: Record<string, string> = {}) =>
    fetch(`${serverUrl()}/odata/v4/buyer/$batch`, {
      method: 'POST',
      headers: { ...AS_BUYER, 'Content-Type': contentType, ...more },
      body,
    })

  async function statuses(more?: Record<string, string>) {
    const answer = await send('multipart/mixed; boundary=b', BATCH, more)
    return [...(await answer.text()).matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => status)
  }

  it('goes on after a refusal', async () => {
    expect(await statuses()).toEqual(['400', '200'])
  })

  it('still needs to ask CAP for that', async () => {
    expect(await statuses({ prefer: 'odata.continue-on-error=false' })).toEqual(['400'])
  })

  it('reads so many rows and no more, each batch for itself', async () => {
    const [rows, parts] = [1_000, 4]
    const entries = Array.from({ length: rows }, (_, i) => ({ source_ID: 1, sku: `S-${i}` }))
    await INSERT.into(Skus).entries(entries)
    const requests = Array.from({ length: parts }, (_, id) => ({
      ...{ id: String(id), method: 'GET', url: `Skus?$top=${rows}` },
    }))
    const statusesOfParts = async () => {
      const answer = await send('application/json', JSON.stringify({ requests }))
      const { responses } = (await answer.json()) as { responses: { status: number }[] }
      return responses.map(({ status }) => status)
    }
    const expected = [200, 200, 400, 400]
    expect(await statusesOfParts()).toEqual(expected)
    expect(await statusesOfParts()).toEqual(expected)
  })
})

describe('by OData V2', () => {
  const urlOf = (path: string) => `${serverUrl()}/odata/v2/TASKPROCESSING${path}`

  async function csrfToken() {
    const answer = await fetch(urlOf('/'), { headers: { ...AS_BUYER, 'X-CSRF-Token': 'Fetch' } })
    return answer.headers.get('X-CSRF-Token')!
  }

  it('a function is called by POST with nothing in the body', async () => {
    const answer = await fetch(urlOf("/Claim?SAP__Origin='RESTOCK'&InstanceID='prop_0'"), {
      method: 'POST',
      headers: { ...AS_BUYER, Accept: 'application/json', 'X-CSRF-Token': await csrfToken() },
    })
    expect([400, 404]).toContain(answer.status)
    expect(await answer.json()).toHaveProperty('error.message.value')
  })

  it('a batch that cannot be read is refused, and the service lives on', async () => {
    const answer = await fetch(urlOf('/$batch'), {
      method: 'POST',
      headers: {
        ...AS_BUYER,
        'X-CSRF-Token': await csrfToken(),
        'Content-Type': 'multipart/mixed; boundary=b',
      },
      body: '--b\r\nContent-Type: application/http\r\n\r\nGET\r\n\r\n--b--\r\n',
    })
    await answer.text()
    expect(answer.status).toBeGreaterThanOrEqual(200)
    expect(await csrfToken()).toBeTruthy()
  })

  it("the adapter's switches are set", () => {
    expect(cds.env.cov2ap).toMatchObject({ jsonDateOffset: false })
    expect(cds.env.log.levels).toMatchObject({ 'cov2ap/hpm': 'warn' })
  })
})
