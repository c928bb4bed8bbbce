// The agent's door, through MCP's own client: over HTTP, and over stdio by `restock mcp`.
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { TOOLS } from '../../../agent/tools.ts'
import { serverUrl } from '../../support/server.ts'
import { basic } from '../tasks/inbox.ts'
import { aKey, errorOf, get, call, post } from './api.ts'
import { document } from './contract.ts'
import { pending, readDemand } from './demand.ts'

const SCOPES = ['forecasts:read', 'proposals:read', 'proposals:recommend'] as const

let key: string
let ids: string[]

beforeAll(async () => {
  await readDemand('agent')
  ids = await pending()
  key = await aKey({ name: 'an agent', scopes: SCOPES, actsAs: null })
})

const overHttp = () =>
  new StreamableHTTPClientTransport(new URL(`${serverUrl()}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  })

const overStdio = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [path.resolve(import.meta.dirname, '../../../bin/restock.js'), 'mcp'],
    env: { RESTOCK_URL: `${serverUrl()}/v1`, RESTOCK_API_KEY: key },
    stderr: 'ignore',
  })

interface Told {
  answer?: Record<string, unknown> & { data?: Record<string, unknown>[] }
  error?: { code: string; target?: string; request_id?: string }
  untrusted?: string
}

describe.each([
  { by: 'HTTP', transport: overHttp },
  { by: 'stdio', transport: overStdio },
])('over $by', ({ transport }) => {
  let agent: Client
  beforeAll(async () => {
    agent = new Client({ name: 'test', version: '1' })
    await agent.connect(transport())
  })
  afterAll(() => agent.close())

  const use = async (name: string, args: object = {}) => {
    const result = await agent.callTool({ name, arguments: args as Record<string, unknown> })
    const told = result.structuredContent as Told
    expect(JSON.parse((result.content as { text: string }[])[0]!.text)).toEqual(told)
    expect(Boolean(result.isError)).toBe('error' in told)
    return told
  }

  it('says what it is for, and offers the tools with what /v1 takes', async () => {
    expect(agent.getInstructions()).toMatch(/a person decides/)
    const { tools } = await agent.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    const list = tools.find(({ name }) => name === 'list_proposals')!
    expect(list.inputSchema.properties).toMatchObject({
      status: { type: 'array' },
      limit: { type: 'integer', maximum: 200 },
    })
    const draft = tools.find(({ name }) => name === 'draft_decision')!
    expect(draft.inputSchema.required).toEqual(['id', 'action', 'comment'])
    expect(draft.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  })

  it('lists, explains, simulates and forecasts, all of it marked as data of others', async () => {
    const { answer, untrusted } = await use('list_proposals', { status: ['pending'], limit: 2 })
    expect(answer!.data).toHaveLength(2)
    expect(untrusted).toMatch(/no instructions/)
    const { id, sku, location, quantity } = answer!.data![0] as Record<string, string | number>
    const explained = (await use('explain_proposal', { id })).answer!
    expect(explained).toMatchObject({ quantity, lines: expect.anything() })
    const risk = (await use('simulate_quantity', { id, quantity: 500 })).answer!
    expect(risk).toMatchObject({ id, asked: { quantity: 500 } })
    const forecast = await use('get_forecast', { sku, location, horizon: 14 })
    expect(forecast.answer).toMatchObject({ sku, location, horizon_days: 14 })
    expect((await use('simulate_service', { target: '0.95' })).answer).toHaveProperty('curve')
    expect((await use('list_exceptions')).answer).toHaveProperty('data')
    expect((await use('list_blocked')).answer).toHaveProperty('data')
  })

  it('drafts a decision, which a person sees and which decides nothing', async () => {
    const id = ids.pop()!
    const before = (await get(`/proposals/${id}` as '/proposals/prop_1')).json
    const { answer } = await use('draft_decision', {
      id,
      action: 'approve',
      comment: 'Sales doubled.',
    })
    const draft = {
      action: 'approve',
      quantity: before.quantity,
      by: 'an agent',
      version: before.version,
    }
    expect(answer).toMatchObject({ id, status: 'pending', recommendation: draft })
    const after = (await get(`/proposals/${id}` as '/proposals/prop_1')).json
    const { recommendation, ...rest } = after
    expect(recommendation).toMatchObject({ ...draft, comment: 'Sales doubled.', reason: null })
    expect({ ...rest, recommendation: null }).toEqual(before)
    const { data } = (await get(`/proposals/${id}/history` as '/proposals/prop_1/history')).json
    expect(data.at(-1)).toMatchObject({ event: 'recommended', by: expect.stringMatching(/^key:/) })
    // The person decides as if it were not there; it is gone with that.
    const decided = await post(`/proposals/${id}/approve` as '/proposals/prop_1/approve', {
      expected_version: before.version,
    })
    expect(decided.json).toMatchObject({ status: 'approved', recommendation: null })
    const late = await use('draft_decision', { id, action: 'reject', comment: 'Too late.' })
    expect(late.error).toMatchObject({
      code: 'proposal_already_decided',
      current_status: 'approved',
    })
  })

  it('passes on the errors of /v1 as they are', async () => {
    expect((await use('explain_proposal', { id: 'prop_999999' })).error).toMatchObject({
      code: 'proposal_not_found',
      request_id: expect.stringMatching(/./),
    })
    const errors = [
      await use('list_proposals', { colour: 'red' }),
      await use('list_proposals', { limit: 1000 }),
      await use('explain_proposal', { id: 'prop_1/approve' }),
      await use('list_proposals', { sku: { a: 1 } }),
      await use('draft_decision', { id: ids[0]!, action: 'snooze', comment: 'x' }),
    ]
    expect(errors.map(({ error }) => [error?.code, error?.target])).toEqual(
      ['colour', 'limit', 'id', 'sku', 'action'].map((target) => ['invalid_parameter', target]),
    )
    await expect(agent.callTool({ name: 'approve_proposal', arguments: {} })).rejects.toThrow(
      /no such tool/,
    )
  })
})

it('has no operation that decides, and each is one that the service documents', () => {
  const paths = document.paths as unknown as Record<string, Record<string, { description: string }>>
  const scopes = TOOLS.map(({ method, path: at }) => paths[at]![method]!.description)
  expect(new Set(scopes)).toEqual(new Set(SCOPES.map((scope) => `Scope: \`${scope}\`.`)))
})

describe('the recommendation', () => {
  const put = (id: string, body: object, wish = key) =>
    call('PUT', `/proposals/${id}/recommendation` as '/proposals/{id}/recommendation', {
      key: wish,
      body,
    })

  it('is refused with what cannot be approved, with fields of the other decision, and at another version', async () => {
    const id = ids[0]!
    const comment = 'x'
    expect(
      errorOf(await put(id, { action: 'approve', quantity: 1_000_000, comment })),
    ).toMatchObject({
      code: 'quantity_not_orderable',
    })
    expect(errorOf(await put(id, { action: 'approve', reason: 'price', comment }))).toMatchObject({
      target: 'reason',
    })
    expect(errorOf(await put(id, { action: 'reject', quantity: 5, comment }))).toMatchObject({
      target: 'quantity',
    })
    expect(
      errorOf(await put(id, { action: 'reject', comment, expected_version: 99 })),
    ).toMatchObject({
      code: 'version_mismatch',
    })
    const reader = await aKey({ scopes: ['proposals:read'], actsAs: null })
    expect(errorOf(await put(id, { action: 'reject', comment }, reader))).toMatchObject({
      code: 'insufficient_scope',
    })
  })

  it('the same once more is no second event; another one replaces it', async () => {
    const id = ids[0]!
    const events = async () =>
      (await get(`/proposals/${id}/history` as '/proposals/prop_1/history')).json.data.filter(
        ({ event }) => event === 'recommended',
      )
    const reject = { action: 'reject', reason: 'too_much', comment: 'Stock lasts.' }
    await put(id, reject)
    await put(id, reject)
    expect(await events()).toHaveLength(1)
    const { json } = await put(id, { action: 'approve', comment: 'It does not.' })
    expect(json.recommendation).toMatchObject({ action: 'approve', reason: null })
    expect(await events()).toHaveLength(2)
  })

  it('stands on the page of the proposal, in the language of whoever reads it', async () => {
    const id = ids[0]!
    await put(id, { action: 'reject', reason: 'too_much', comment: 'Stock lasts.' })
    const path = `/odata/v4/buyer/Proposals(${id.slice(5)})?$select=ID,recommendation`
    const shown = async (language: string) => {
      const headers = { Authorization: basic('buyer'), 'Accept-Language': language }
      const answer = await fetch(`${serverUrl()}${path}`, { headers })
      return ((await answer.json()) as { recommendation: string }).recommendation
    }
    expect(await shown('en')).toMatch(
      /^an agent recommends rejecting, reason: .+ \(version \d\): Stock lasts\.$/,
    )
    expect(await shown('de')).toMatch(/^an agent empfiehlt abzulehnen, Grund: .+: Stock lasts\.$/)
  })
})

describe('the door', () => {
  const send = (init: RequestInit & { headers?: Record<string, string> } = {}, to = '/mcp') =>
    fetch(`${serverUrl()}${to}`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      ...init,
      headers: {
        Authorization: `Bearer ${key}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...init.headers,
      },
    })

  it('needs a key, tells its limit, and takes one message a call', async () => {
    const answer = await send()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-limit')).toBe('600')
    const other = await send({ headers: { Authorization: 'Bearer nothing' } })
    expect([other.status, await other.json()]).toMatchObject([
      401,
      { error: { code: 'invalid_api_key' } },
    ])
    expect((await send({ method: 'GET', body: undefined })).status).toBe(405)
    expect((await send({ body: '[]' })).status).toBe(400)
    expect((await send({ body: ' '.repeat(1_048_577) })).status).toBe(413)
    expect((await send({ headers: { Origin: 'https://elsewhere.example' } })).status).toBe(403)
    expect((await send({}, '/mcp/proposals')).status).toBe(404)
  })
})
