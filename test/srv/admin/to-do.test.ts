import { createServer as createWebServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import cds from '@sap/cds'
import { AuditLog, Consents, Secrets, Sources } from '../../../srv/base/database/entities.ts'
import { finished, steadyDemand, writeFiles } from '../../support/server.ts'
import { CLIENT } from '../sources/oauth-server.ts'
import { act, call, errorOf, get, rows } from './admin.ts'

const { SELECT } = cds.ql

/** What a connection leaves behind. */
const traces = async () =>
  Promise.all(
    [Sources, Consents, Secrets].map(async (entity) => (await SELECT.from(entity)).length),
  )

/** A port that nobody listens at. */
async function deadAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

const dead = async (auth: string) => ({
  ...{ type: 's4hana', account: await deadAddress(), role: 'Z_READ' },
  ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret },
  options: [{ name: 'auth', value: auth }],
})

const texts = async (language?: string) =>
  (await rows('ToDos', language)).map(({ text }: { text: string }) => text)

beforeAll(() =>
  writeFiles('shop', {
    'demand.csv': steadyDemand(['A', 'B']),
    'stock.csv': 'sku,location,on_hand\nA,L1,3\nB,L1,3\n',
    'planning.csv': 'sku,location,lead_time_days\nB,L1,7\n',
  }),
)

it('says that an ERP must be connected first, with the way there', async () => {
  expect(await rows('ToDos')).toEqual([
    expect.objectContaining({
      ...{ code: 'no_source', criticality: 1, cure: 'Connect an ERP', link: '#/SourceTypes' },
    }),
  ])
})

describe('a connection that is tested before it is stored', () => {
  it('shows what can be read, and stores nothing', async () => {
    const { status, json } = await act('testConnection', { type: 'csv', account: 'shop' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ needsConsent: false, isReadable: true })
    expect(json.streams).toContainEqual(
      expect.objectContaining({ name: 'stock', status: 'ok', statusText: 'Readable' }),
    )
    expect(await rows('Sources')).toEqual([])
  })

  it.each(['basic', 'client_credentials', 'authorization_code'])(
    'says soon that the ERP is not there, and leaves nothing behind: %s',
    async (auth) => {
      for (const action of ['testConnection', 'connect'] as const) {
        const began = performance.now()
        const answer = await act(action, await dead(auth))
        expect(performance.now() - began).toBeLessThan(10_000)
        expect(errorOf(answer)).toMatchObject({ status: 424, code: 'source_unavailable' })
        expect(answer.error?.message).toMatch(/ECONNREFUSED|nothing listens/)
        expect(answer.text).not.toContain(CLIENT.secret)
      }
      expect(await traces()).toEqual([0, 0, 0])
    },
  )

  it('says which field the ERP refuses, and repeats no secret', async () => {
    const asked: string[] = []
    const server = createWebServer(({ method, headers: { authorization } }, response) => {
      asked.push(`${method} ${authorization}`)
      response.writeHead(401).end(authorization)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const account = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = await act('testConnection', { ...(await dead('basic')), account })
    server.close()
    expect(errorOf(answer)).toMatchObject({ status: 400, target: 'clientSecret' })
    const header = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')
    expect(asked).toContain(`GET Basic ${header}`)
    expect(answer.text).not.toContain(CLIENT.secret)
    expect(answer.text).not.toContain(header)
    expect(await traces()).toEqual([0, 0, 0])
    const kept = JSON.stringify(await SELECT.from(AuditLog))
    expect(kept).not.toContain(CLIENT.secret)
  })

  it('names a field that this kind of ERP does not know', async () => {
    const options = [{ name: 'sap_client', value: 'one' }]
    const answer = await act('testConnection', { type: 's4hana', account: 'https://x', options })
    expect(errorOf(answer)).toMatchObject({ status: 400, target: 'options/sap_client' })
  })

  it('is nothing for auditors', async () => {
    const answer = await act('testConnection', { type: 'csv', account: 'shop' }, 'auditor')
    expect(answer.status).toBe(403)
  })
})

it('tells what each kind of ERP is asked for, in the language of whoever asks', async () => {
  const fields = await rows('ConnectionFields', 'de')
  const auth = fields.find(
    ({ type, name }: { type: string; name: string }) => type === 's4hana' && name === 'auth',
  )
  expect(auth).toMatchObject({ label: 'Anmeldung', kind: 'choice', isMain: true })
})

describe('once an ERP is connected', () => {
  let source: number
  beforeAll(async () => {
    source = (await act('connect', { type: 'csv', account: 'shop' })).json.source
  })

  it('asks for the first sync, then for the lead time that blocks an item', async () => {
    expect(await texts()).toEqual([`shop (src_${source}) is connected and has not been read yet.`])
    const sync = await act(`Sources(${source})/syncNow`, { mode: 'full' })
    await finished(sync.json.ID)
    const tasks = await rows('ToDos')
    expect(tasks).toContainEqual(
      expect.objectContaining({
        ...{ code: 'blocked_lead_time', cure: 'Set lead time', link: '#/BlockedPairs' },
      }),
    )
    expect(tasks.map(({ code }: { code: string }) => code)).toContain('schedules_off')
    expect((await texts('de')).join()).toMatch(/1 SKU ist .* Wiederbeschaffungszeit/)
  })

  it('says what a dead ERP means on its page, and what to do in the overview', async () => {
    await writeFiles('shop', { 'demand.csv': 'sku;nothing\n' })
    const sync = await act(`Sources(${source})/syncNow`, { mode: 'full' })
    await finished(sync.json.ID)
    const { json } = await get(`Sources(${source})`)
    expect(json.status).toBe('failing')
    expect(json.problemText).toMatch(/demand\.csv/)
    const [first] = await rows('ToDos')
    expect(first).toMatchObject({ code: 'source_failing', criticality: 1 })
    expect(first!.text).toMatch(/could not be read: .*demand\.csv/)
    expect(first!.link).toBe(`#/Sources(${source})`)
  })

  it('checks without an error where a stream cannot be read', async () => {
    const answer = await act(`Sources(${source})/check`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('sap-messages')).toMatch(/streams can be read/)
  })

  it('shows the defaults in force', async () => {
    const defaults = await rows('Defaults')
    expect(defaults).toContainEqual(
      expect.objectContaining({ name: 'Review period', value: '7 days' }),
    )
    expect(defaults).toContainEqual(
      expect.objectContaining({
        name: 'Approval limit of buyers',
        value: '10,000.00 EUR per line, 10,000.00 EUR per supplier and day',
      }),
    )
    expect((await call('GET', 'Defaults', { as: 'auditor' })).status).toBe(200)
  })
})
