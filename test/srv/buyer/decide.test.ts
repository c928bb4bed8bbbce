import cds from '@sap/cds'
import { ProposalEvents, Proposals, Stock } from '../../../srv/base/database/entities.ts'
import type { ODataError } from '../../support/odata-at.ts'
import { serverUrl } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { decide, odata, read } from './odata.ts'

const { SELECT, UPDATE } = cds.ql

let shop: Shop
beforeAll(async () => {
  shop = await openShop('buyer-decides', 55)
})

const JSON_BODY = { headers: { 'content-type': 'application/json' } }

interface BatchAnswer {
  status: number
  headers?: Record<string, string>
  body?: unknown
}

/** What each request of a batch is answered. */
async function batch(
  requests: object[],
  options: { as?: string; headers?: Record<string, string> } = {},
) {
  const { json } = await odata('POST', '$batch', { body: { requests }, ...options })
  return (json as { responses: BatchAnswer[] }).responses
}

const errorOf = ({ status, error }: Awaited<ReturnType<typeof decide>>) => ({
  status,
  code: error?.code,
})

describe('a buyer decides in the app', () => {
  it('approves as proposed, through the one state machine, by the app’s door', async () => {
    const ID = shop.take()
    const { status, json } = await decide(ID, 'approve', { comment: 'as usual' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ ID, status: 'approved', decidedBy: 'buyer', canApprove: false })
    const [event] = await SELECT.from(ProposalEvents).where({
      proposal: ID,
      event: 'approved',
    })
    expect(event).toMatchObject({ actor: 'buyer', via: 'ui', comment: 'as usual' })
    expect(await shop.historyOf(ID)).toEqual(['created', 'approved'])
  })

  it('changes the quantity within the rules, and gets the nearest valid ones otherwise', async () => {
    const ID = shop.take()
    const against = await decide(ID, 'approve', { quantity: 25 })
    expect(errorOf(against)).toEqual({ status: 422, code: 'quantity_not_orderable' })
    expect(against.error?.target).toBe('quantity')
    expect(against.error?.message).toContain('20 / 30')
    expect((await decide(ID, 'approve', { quantity: -10 })).status).toBe(400)
    const within = await decide(ID, 'approve', { quantity: '30' })
    expect(within.json).toMatchObject({ status: 'approved', quantity: '30', value: '90.00' })
  })

  it('leaves the quantity of several empty, and each is approved as proposed', async () => {
    const IDs = [shop.take(), shop.take()]
    const requests = IDs.map((ID, at) => ({
      id: String(at),
      atomicityGroup: `g${at}`,
      method: 'POST',
      url: `Proposals(${ID})/BuyerService.approve`,
      headers: { 'content-type': 'application/json' },
      body: { quantity: '' },
    }))
    const responses = await batch(requests)
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const rows = await SELECT.from(Proposals).where({ ID: { in: IDs } })
    for (const row of rows) {
      expect(row.status).toBe('approved')
      expect(Number(row.quantity)).toBe(Number(row.calculation_quantity))
    }
  })

  it('of many at once, a refused one leaves the others alone', async () => {
    const [decided, open] = [shop.take(), shop.take()]
    await decide(decided, 'decline', { reason: 'price' })
    const requests = [decided, open].map((ID, at) => ({
      id: String(at),
      atomicityGroup: `g${at}`,
      method: 'POST',
      url: `Proposals(${ID})/BuyerService.approve`,
      headers: { 'content-type': 'application/json' },
      body: {},
    }))
    const prefer = { Prefer: 'odata.continue-on-error' }
    const responses = await batch(requests, { headers: prefer })
    expect(responses.map(({ status }) => status)).toEqual([409, 200])
  })

  it('approves nothing for a quantity that is none', async () => {
    const typed = ['0', '', '-5', '12.5', '1%2C000', 'x', '0x10']
    const IDs = typed.map(() => shop.take())
    const proposals = typed.map((quantity, at) => `${IDs[at]}:${quantity}`).join(',')
    const { json } = await odata('POST', 'approveMany', { body: { proposals } })
    expect(json).toMatchObject({ value: 0 })
    for (const ID of IDs) expect(await shop.historyOf(ID)).toEqual(['created'])
    const comma = await odata('POST', 'approveMany', { body: { proposals: `${IDs[0]}:1,000` } })
    expect(comma.status).toBe(400)
  })

  const messages = async (body: object, as = 'buyer') => {
    const requests = [{ id: '1', method: 'POST', url: 'approveMany', body, ...JSON_BODY }]
    const [{ status, headers, body: answer }] = (await batch(requests, { as })) as [BatchAnswer]
    return { status, answer, told: JSON.parse(headers?.['sap-messages'] ?? '[]') as ODataError[] }
  }

  it('does not call approved what waits for a second person', async () => {
    const [first, second] = [shop.take(), shop.take()]
    changeSettings({ secondApproverAbove: '70.00', approvalLimitsPer: 'line' })
    try {
      const { told } = await messages({ proposals: `${first}:20,${second}:30` })
      expect(told.map(({ message }) => message)).toEqual([
        '1 of 2 orders approved, 60.00 EUR. 1 of 2 orders waiting for a second approval, 90.00 EUR.',
      ])
    } finally {
      changeSettings({ secondApproverAbove: null, approvalLimitsPer: 'both' })
    }
  })

  it('decides many by one call, each by itself, and says what was refused and why', async () => {
    const [refused, open, other] = [shop.take(), shop.take(), shop.take()]
    await decide(refused, 'decline', { reason: 'price' })
    const proposals = `${refused},${open}:30,${other}:25,987654`
    const { answer, told } = await messages({ proposals, comment: 'all' })
    expect(answer).toMatchObject({ value: 1 })
    expect(told.map(({ code }) => code)).toEqual([
      ...['proposal_already_decided', 'quantity_not_orderable', 'proposal_not_found', 'decided'],
    ])
    expect(told[0]!.message).toMatch(/^\S+ at L1: Already decided/)
    expect(told[2]!.message).toBe('This proposal does not exist, or you may not see it.')
    expect(told.map(({ target }) => target)).toEqual([
      ...[refused, other, 987654].map((ID) => `/Proposals(${ID})`),
      undefined,
    ])
    expect(told.filter(({ message }) => /prop_/.test(message))).toEqual([])
    expect(told[3]!.message).toBe('1 of 4 orders approved, 90.00 EUR.')
    const [row] = await SELECT.from(Proposals).where({ ID: open })
    expect(row).toMatchObject({ status: 'approved', decidedBy: 'buyer' })
    expect(Number(row!.quantity)).toBe(30)
    expect(await shop.historyOf(open)).toEqual(['created', 'approved'])
    expect((await messages({ proposals: 'all of them' })).status).toBe(400)
    expect((await messages({ proposals: String(other) }, 'auditor')).status).toBe(403)
  })

  it('rejects with a reason, and only with one that there is', async () => {
    const ID = shop.take()
    expect(errorOf(await decide(ID, 'decline', { reason: 'mood' })).status).toBe(400)
    expect((await decide(ID, 'decline', { reason: 'too_early' })).json).toMatchObject({
      status: 'rejected',
      reason: 'too_early',
    })
    const again = await decide(ID, 'approve')
    expect(errorOf(again)).toEqual({ status: 409, code: 'proposal_already_decided' })
    expect(again.error?.message).toContain('Rejected')
  })

  it('keeps the comment with the reason of a rejection, of one and of many', async () => {
    const [one, two, three] = [shop.take(), shop.take(), shop.take()]
    const long = { reason: 'price', comment: 'x'.repeat(1001) }
    const refused = await decide(one, 'decline', long)
    expect(refused.error).toMatchObject({ target: 'comment' })
    expect(refused.status).toBe(400)
    await decide(one, 'decline', { reason: 'price', comment: 'ask again in May' })
    await decide(two, 'decline', { reason: 'price', comment: '' })
    const body = { proposals: `${three}`, reason: 'too_much', comment: 'the fair is off' }
    expect((await odata('POST', 'declineMany', { body })).status).toBe(200)
    const told = async (ID: number) => {
      const { json } = await read(`Proposals(${ID})/events?$filter=event eq 'rejected'`)
      return json.value[0]!.comment
    }
    expect(await told(one)).toBe('ask again in May')
    expect(await told(two)).toBe('Price')
    expect(await told(three)).toBe('the fair is off')
    expect((await read(`Proposals(${three})?$expand=toReason`)).json.toReason.name).toBe('Too much')
  })

  it('puts off until a day that is to come', async () => {
    const ID = shop.take()
    expect((await decide(ID, 'snooze', { until: '2020-01-01' })).status).toBe(400)
    const { json } = await decide(ID, 'snooze', { until: '2099-01-01' })
    expect(json).toMatchObject({ status: 'snoozed', snoozedUntil: '2099-01-01T00:00:00.000Z' })
  })

  it('takes an approval back', async () => {
    const ID = shop.take()
    await decide(ID, 'approve')
    const { json } = await decide(ID, 'cancel', { reason: 'other', comment: 'double' })
    expect(json.status).toBe('cancelled')
  })

  it('gets both numbers where they have moved, in the buyer’s language', async () => {
    const ID = shop.take()
    const row = await SELECT.one.from(Proposals).where({ ID })
    await UPDATE.entity(Stock).set({ onHand: 0 }).where({ sku: row!.sku })
    const stale = await decide(ID, 'approve', {}, { headers: { 'Accept-Language': 'de' } })
    expect(errorOf(stale)).toEqual({ status: 409, code: 'proposal_stale' })
    const { message } = stale.error!
    expect(message).toMatch(/^\S+ in L1: Die Zahlen haben sich geändert/)
    expect(message).toContain(String(Number(row!.calculation_quantity)))
    expect(message).toContain('Er wird neu berechnet')
    const after = (await read(`Proposals(${ID})?$select=quantity,version`)).json
    expect(Number(after.quantity)).toBeGreaterThan(Number(row!.quantity))
    const approved = await decide(ID, 'approve', { version: after.version })
    expect(approved.json).toMatchObject({ status: 'approved', quantity: after.quantity })
  })

  it('decides about what was shown alone: 60 seen, a sync made it more, nothing approved', async () => {
    const [one, typed, plain, rejected] = [shop.take(), shop.take(), shop.take(), shop.take()]
    const before = (await read(`Proposals(${one})?$select=ID,version,quantity`)).json
    await shop.count(0)
    const now = (await read(`Proposals(${one})?$select=ID,version,quantity`)).json
    expect(Number(now.quantity)).toBeGreaterThan(Number(before.quantity))
    const { version } = before
    const german = { headers: { 'Accept-Language': 'de' } }
    const single = await decide(one, 'approve', { version }, german)
    expect(errorOf(single)).toEqual({ status: 412, code: 'version_mismatch' })
    expect(single.error?.message).toContain(`Menge ${before.quantity}, jetzt ${now.quantity}`)
    expect((await decide(rejected, 'decline', { reason: 'price', version })).status).toBe(412)
    const proposals = `${one}@${version},${typed}@${version}:${before.quantity}`
    const requests = [
      { id: '1', method: 'POST', url: 'approveMany', body: { proposals }, ...JSON_BODY },
    ]
    const [{ headers, body }] = (await batch(requests)) as [BatchAnswer]
    expect(body).toMatchObject({ value: 0 })
    const told = JSON.parse(headers!['sap-messages']!) as ODataError[]
    expect(told.map(({ code }) => code)).toEqual([
      ...['version_mismatch', 'version_mismatch', 'decided'],
    ])
    expect(told[0]!.message).toContain(
      ` at L1: Not decided, because it has changed since you saw it: ` +
        `quantity ${before.quantity}, now ${now.quantity}, ` +
        `value ${3 * Number(before.quantity)}.00, now ${3 * Number(now.quantity)}.00. ` +
        'Check it and decide again.',
    )
    for (const ID of [one, typed, rejected]) {
      expect(await shop.historyOf(ID)).toEqual(['created', 'updated'])
    }
    const again = `${one}@${now.version},${typed}@${now.version}:${now.quantity}`
    const { json } = await odata('POST', 'approveMany', { body: { proposals: again } })
    expect(json).toMatchObject({ value: 2 })
    expect((await decide(plain, 'approve', { version: 0 })).status).toBe(200)
    for (const malformed of [`${plain}@`, `${plain}@x`, `${plain}@0`, `${plain}@1@2`]) {
      const { status } = await odata('POST', 'approveMany', { body: { proposals: malformed } })
      expect(status).toBe(400)
    }
  })

  it.each(['viewer', 'auditor', 'admin'])('%s changes nothing, and sees that', async (as) => {
    const ID = shop.take()
    const bodies = {
      approve: {},
      decline: { reason: 'price' },
      snooze: { until: '2099-01-01' },
      cancel: { reason: 'price' },
    }
    for (const [action, body] of Object.entries(bodies)) {
      expect((await decide(ID, action, body, { as })).status).toBe(403)
    }
    const { json } = await read(`Proposals(${ID})`, { as })
    expect(json).toMatchObject({ status: 'pending', canApprove: false, canReject: false })
  })
})

describe('a call that does not say what its body is', () => {
  it.each(['/odata/v4/buyer', '/odata/v2/buyer', '/odata/v2/odata/v4/buyer'])(
    'approves the quantity that it asks for, or nothing: %s',
    async (root) => {
      const call = (ID: number, asked: number): [string, object | null][] => [
        [`Proposals_approve?ID=${ID}&quantity=${asked}L`, null],
        [`approve?ID=${ID}&quantity=${asked}`, null],
        [`Proposals(${ID})/BuyerService.approve?quantity=${asked}`, null],
        [`Proposals(${ID})/BuyerService.approve`, { quantity: asked }],
        ['approveMany', { proposals: `${ID}:${asked}` }],
      ]
      for (const at of call(0, 0).keys()) {
        const ID = shop.take()
        const asked = Number((await SELECT.one.from(Proposals).where({ ID }))!.quantity) + 10
        const [path, body] = call(ID, asked)[at]!
        const answer = await fetch(`${serverUrl()}${root}/${path}`, {
          method: 'POST',
          headers: { Authorization: `Basic ${btoa('buyer:buyer')}` },
          body: body && new TextEncoder().encode(JSON.stringify(body)),
        })
        await answer.text()
        const row = (await SELECT.one.from(Proposals).where({ ID }))!
        if (row.status === 'pending') expect(answer.status).toBeGreaterThanOrEqual(400)
        else expect({ path, quantity: Number(row.quantity) }).toEqual({ path, quantity: asked })
      }
    },
  )
})

describe('a page of another site', () => {
  it.each([
    ['Origin', 'https://evil.example'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('changes nothing with a buyer’s sign-in: %s %s', async (header, value) => {
    const answer = await decide(1, 'approve', {}, { headers: { [header]: value } })
    expect(errorOf(answer)).toEqual({ status: 403, code: 'cross_site' })
  })
})
