// Who calls in production: tokens of XSUAA and of the identity service, verified with their keys.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import cds from '@sap/cds'
import express from 'express'
import { Proposals } from '../../../srv/base/database/entities.ts'
import { taskCenterRouter } from '../../../srv/doors/tasks/task-center/index.ts'
import { changeSettings } from '../../support/settings.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { caughtUp, urnOf, type SpiTask } from './inbox.ts'
import { APP, CLIENT, type KeyServer, startKeyServer } from './key-server.ts'

type Json = { value: SpiTask[]; error: { code: string } }

const { SELECT } = cds.ql

const keys: KeyServer | null = await startKeyServer()
// No openssl here: there is no certificate for the key server.
const whereKeys = keys ? describe : describe.skip

let shop: Shop
const before = cds.env.requires.auth

beforeAll(async () => {
  shop = await openShop('tokens', 10)
  await caughtUp()
  cds.env.profiles.push('production')
})

afterAll(() => {
  cds.env.profiles.splice(cds.env.profiles.indexOf('production'), 1)
  cds.env.requires.auth = before
  keys?.close()
})

/** The provider behind this kind of authentication. */
async function provider(auth: object) {
  cds.env.requires.auth = auth as never
  const app = express().use('/task-provider/v2', taskCenterRouter())
  const server: Server = await new Promise((resolve) => {
    const started: Server = app.listen(0, () => resolve(started))
  })
  const { port } = server.address() as AddressInfo
  const call = async (token: string | null, path: string, body?: object) => {
    const response = await fetch(`http://localhost:${port}/task-provider/v2${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token && { Authorization: token.includes(' ') ? token : `Bearer ${token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, json: (text.startsWith('{') ? JSON.parse(text) : {}) as Json }
  }
  // The first call makes the authentication: with this configuration, not the next one.
  await call('x', '/capabilities')
  return { call, close: () => server.close() }
}

const PULL = '/tasks?languages=en&modifiedAfter=2020-01-01T00:00:00.000Z'
const deciding = (ID: number) => `/tasks/${encodeURIComponent(urnOf(ID))}/response?languages=en`

whereKeys('tokens of XSUAA', () => {
  let at: Awaited<ReturnType<typeof provider>>
  const credentials = () => ({
    ...{ clientid: CLIENT, clientsecret: 's', xsappname: APP, url: keys!.url },
    uaadomain: keys!.host,
  })
  const technical = (scope: string[]) => ({
    ...{
      iss: `${keys!.url}/oauth/token`,
      aud: [CLIENT, APP],
      cid: CLIENT,
      azp: CLIENT,
      sub: CLIENT,
    },
    ...{ grant_type: 'client_credentials', scope, zid: 'z1' },
  })
  const named = (user: string, roles: string[], user_uuid?: string) => ({
    ...{ iss: `${keys!.url}/oauth/token`, aud: [CLIENT, APP], cid: CLIENT, azp: CLIENT, sub: user },
    ...{ grant_type: 'urn:ietf:params:oauth:grant-type:saml2-bearer', zid: 'z1', user_uuid },
    ...{ user_name: user, email: user, scope: roles.map((role) => `${APP}.${role}`) },
  })

  beforeAll(async () => {
    at = await provider({ kind: 'xsuaa', credentials: credentials() })
  })
  afterAll(() => at.close())

  it('let the technical user pull, with its scope', async () => {
    const token = await keys!.sign(technical([`${APP}.TaskCenter`]))
    const { status, json } = await at.call(token, PULL)
    expect(status).toBe(200)
    expect(json.value.length).toBeGreaterThan(0)
    const without = await keys!.sign(technical([]))
    expect((await at.call(without, PULL)).status).toBe(403)
  })

  it('are refused when forged, expired, of another application, or none', async () => {
    const claims = technical([`${APP}.TaskCenter`])
    const tokens = [
      await keys!.sign(claims, { foreign: true }),
      await keys!.sign(claims, { expires: '-1h' }),
      await keys!.sign({
        ...claims,
        aud: ['other!t2'],
        cid: 'other!t2',
        azp: 'other!t2',
        scope: [],
      }),
      'Basic dGFza2NlbnRlcjp0YXNrY2VudGVy',
      'x.y.z',
      null,
    ]
    for (const token of tokens) {
      const { status, json } = await at.call(token, '/capabilities')
      expect(status).toBe(401)
      expect(json.error.code).toBe('unauthorized')
    }
  })

  it('let a person decide, and learn the Global User ID', async () => {
    const ID = shop.take()
    const person = named('ann@example.com', ['Viewer', 'Buyer'], 'f0000000-global-ann')
    const token = await keys!.sign(person)
    expect((await at.call(token, PULL)).status).toBe(403)
    const { status, json } = await at.call(token, deciding(ID), { code: 'approve' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ status: 'COMPLETED', completedBy: 'f0000000-global-ann' })
    const row = await SELECT.one.from(Proposals).where({ ID })
    expect(row).toMatchObject({ status: 'approved', decidedBy: 'ann@example.com' })
  })

  it('a person without a role is no recipient, one without a Global User ID is not named', async () => {
    const viewer = await keys!.sign(named('vic@example.com', ['Viewer']))
    const ID = shop.take()
    expect((await at.call(viewer, deciding(ID), { code: 'approve' })).status).toBe(403)
    const buyer = await keys!.sign(named('bob@example.com', ['Buyer']))
    const { json } = await at.call(buyer, deciding(ID), { code: 'approve' })
    expect(json).toMatchObject({ status: 'COMPLETED', completedBy: null })
  })
})

whereKeys('tokens of the identity service', () => {
  let at: Awaited<ReturnType<typeof provider>>
  const CLIENT_ID = 'c0ffee00-client'
  const claims = (rest: object) => ({ iss: keys!.url, aud: CLIENT_ID, azp: CLIENT_ID, ...rest })

  beforeAll(async () => {
    const credentials = { clientid: CLIENT_ID, url: keys!.url, domains: [keys!.host] }
    at = await provider({ kind: 'ias', credentials })
  })
  afterAll(() => at.close())

  it('let the technical user pull', async () => {
    const technical = claims({ sub: CLIENT_ID, ias_apis: ['TaskCenter'] })
    expect((await at.call(await keys!.sign(technical), PULL)).status).toBe(200)
    const without = claims({ sub: CLIENT_ID })
    expect((await at.call(await keys!.sign(without), PULL)).status).toBe(403)
  })

  it('make no role of a group that is not configured', async () => {
    const ID = shop.take()
    const groups = ['Buyer', 'ApproverHigh', 'Admin', 'PURCHASING']
    const person = await keys!.sign(claims({ sub: 'P0002', user_uuid: 'global-p2', groups }))
    expect((await at.call(person, deciding(ID), { code: 'approve' })).status).toBe(403)
    expect(await shop.historyOf(ID)).toEqual(['created'])
  })

  it('make roles of groups that are configured, and are refused from another issuer', async () => {
    changeSettings({ tasks: { groups: { Buyer: 'PURCHASING' } } })
    await caughtUp()
    const ID = shop.take()
    const buyer = claims({ sub: 'P0001', user_uuid: 'global-p1', groups: ['PURCHASING'] })
    const { status, json } = await at.call(await keys!.sign(buyer), deciding(ID), {
      code: 'reject',
      comment: 'no',
    })
    expect(status).toBe(200)
    expect(json).toMatchObject({ status: 'COMPLETED', completedBy: 'global-p1' })
    const foreign = await keys!.sign({ ...buyer, iss: 'https://evil.example' })
    expect((await at.call(foreign, '/capabilities')).status).toBe(401)
    const forged = await keys!.sign(buyer, { foreign: true })
    expect((await at.call(forged, '/capabilities')).status).toBe(401)
  })
})
