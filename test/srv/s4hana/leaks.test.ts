// Each way in is used, refused and broken; then every secret is searched for, byte by byte. Another server hears nothing.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { capturedOutput } from '../sources/captured-output.ts'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import cds from '@sap/cds'
import { CLIENT, type Erp, startErp } from '../../../sandbox/index.ts'
import { temporaryFolder } from '../../support/configure.ts'
import { differencesButVanished } from '../../support/erp-truth.ts'
import { sync } from '../../support/server.ts'
import { get, post } from '../v1/api.ts'
import { codesOf, connect, consent, leave, syncWith, type Way } from './source.ts'

const { SELECT } = cds.ql
let erp: Erp
beforeEach(async () => {
  erp = await startErp({ size: 12, days: 8, consent: 'allow' })
})
afterEach(() => leave(erp))

/** All that the service stores, row by row and byte by byte. */
async function stored(): Promise<string> {
  const rows: unknown[] = []
  for (const entity of Object.values(cds.entities('restock'))) {
    if (!('query' in entity && entity.query)) rows.push(await SELECT.from(entity.name))
  }
  const files = (await readdir(temporaryFolder)).filter((file) => file.includes('sqlite'))
  const bytes = files.map((file) => readFile(path.join(temporaryFolder, file), 'latin1'))
  return [JSON.stringify(rows), ...(await Promise.all(bytes))].join('\n')
}

const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '')
const formsOf = (secret: string) => [secret, encodeURIComponent(secret), base64(secret)]

/** Syncs that end well, in the middle of which a token ends, that fail, and that are refused. */
async function everything(way: Way): Promise<{ answers: string; tickets: string[] }> {
  const { id, source, json, page } = await connect(erp, way)
  const answers = [JSON.stringify(json), page]
  const tickets: string[] = json.authorization_url ? [ticketOf(json.authorization_url)] : []
  const keep = (answer: unknown) => answers.push(JSON.stringify(answer))
  keep(await sync(source, 'full'))
  keep(await syncWith(erp, source, () => erp.control.expireTokens()))
  for (const [match, status] of [
    ['A_MatlStk', 400],
    ['A_ProductSupplyPlanning', 403],
    ['PurchaseOrderItem\\?', 500],
    // One 401 is the end of a password; it comes last.
    ...(way === 'basic' ? [] : [['A_Supplier\\?', 401] as const]),
  ] as const)
    erp.control.fault({ kind: 'status', status, match, times: 1 })
  keep(await sync(source))
  expect(erp.log.filter(({ fault }) => fault).length).toBe(way === 'basic' ? 3 : 4)
  erp.control.clearFaults()
  erp.control.set({ auth: [], refreshRefused: true })
  erp.control.expireTokens()
  keep(await sync(source))
  keep((await post(`/sources/${id}/consent`, { client_secret: `${CLIENT.secret}-of-old` })).json)
  erp.control.set({
    auth: ['basic', 'client_credentials', 'authorization_code'],
    refreshRefused: false,
  })
  const again = await post(`/sources/${id}/consent`, { client_secret: CLIENT.secret })
  keep(again.json)
  if (again.json.authorization_url) {
    tickets.push(ticketOf(again.json.authorization_url))
    answers.push(await consent(again.json.authorization_url))
  }
  keep(await sync(source))
  for (const url of ['/sources', `/sources/${id}`, `/sources/${id}/syncs`]) {
    answers.push((await get(url)).text)
  }
  return { answers: answers.join('\n'), tickets }
}

const ticketOf = (url: string) => new URL(url).searchParams.get('ticket')!

describe.each<Way>(['basic', 'client_credentials', 'authorization_code'])('by %s', (way) => {
  it('nothing but GET asks for data, and no secret is found anywhere', async () => {
    const { answers, tickets } = await everything(way)
    const verbs = new Set(erp.log.filter(({ data }) => data).map(({ method }) => method))
    expect([...verbs]).toEqual(['GET'])
    expect(erp.control.counts().writes).toBe(0)
    const posts = erp.log.filter(({ method }) => method !== 'GET').map(({ path: to }) => to)
    expect(posts.filter((to) => to !== '/sap/bc/sec/oauth2/token')).toEqual([])

    const tokens = erp.secrets()
    const least = { basic: 1, client_credentials: 4, authorization_code: 7 }
    expect(tokens.length).toBeGreaterThanOrEqual(least[way])
    const basic = `${CLIENT.id}:${CLIENT.secret}`
    const places = { database: await stored(), log: capturedOutput.join('\n'), answers }
    expect(places.database).toContain('client_secret')
    expect(places.log).toContain('succeeded')
    for (const [place, text] of Object.entries(places)) {
      // The address that a consent begins at holds its ticket, and is an answer.
      const secrets = [basic, ...tokens, ...(place === 'answers' ? [] : tickets)]
      for (const form of secrets.flatMap(formsOf)) {
        expect({ place, found: text.includes(form) }).toEqual({ place, found: false })
      }
    }
    for (const { query, path: asked } of erp.log.filter(({ data }) => data)) {
      for (const token of tokens) expect(asked + query).not.toContain(token)
    }
  })
})

it('another server hears nothing where a redirect or a next-link leads there', async () => {
  const heard: unknown[] = []
  const elsewhere = createServer(({ url = '', headers }, response) => {
    heard.push({ url, headers })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"d":{"results":[]}}')
  })
  await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done))
  const to = `http://localhost:${(elsewhere.address() as AddressInfo).port}`
  const { source } = await connect(erp)
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  for (const [kind, code] of [
    ['redirect', 'redirected'],
    ['foreign', 'foreign_link'],
  ] as const) {
    erp.control.advance(2)
    for (const match of ['A_MatlStkInAcctMod', 'PurchaseOrderItem\\?'])
      erp.control.fault({ kind, to, match, times: null })
    const result = await sync(source)
    expect(result.status).toBe('partial')
    expect(codesOf(result)).toEqual({
      ...{ stock: code, batches: code, openOrders: code, receipts: code },
    })
    erp.control.clearFaults()
    const match = 'A_MaterialDocumentHeader.*expand'
    erp.control.fault({ kind, to, match, times: null })
    const failed = await sync(source)
    expect(failed.status).toBe('failed')
    expect(codesOf(failed)).toMatchObject({ demand: code })
    erp.control.clearFaults()
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await differencesButVanished(source, erp)).toEqual([])
  }
  expect(heard).toEqual([])
  await new Promise((done) => elsewhere.close(done))
})
