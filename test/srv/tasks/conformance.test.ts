// SAP Task Center's service provider interface, version 2, as a provider has to answer it.
import cds from '@sap/cds'
import {
  ProposalEvents,
  Proposals,
  Stock,
  TaskComments,
  Tasks,
} from '../../../srv/base/database/entities.ts'
import type { definition } from '../../../srv/doors/tasks/task-center/to-spi-task.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import {
  act,
  type Answer,
  call,
  caughtUp,
  DEFINITION,
  PREFIX,
  pull,
  pullAll,
  respond,
  START,
  type SpiTask,
  taskOf,
  urnOf,
} from './inbox.ts'

const { SELECT, UPDATE } = cds.ql

type Definition = Awaited<ReturnType<typeof definition>>
type List<Each> = { value: Each[] }

let shop: Shop

beforeAll(async () => {
  shop = await openShop('inbox', 40)
  await caughtUp()
})

const errorOf = ({ status, error }: Answer) => {
  const { code, message } = error!
  expect(code).toMatch(/\S/)
  expect(message).toMatch(/\S/)
  return { status, code }
}

describe('who may ask', () => {
  it('nobody without credentials', async () => {
    for (const options of [{ user: null }, { user: 'nobody' }]) {
      const answer = await call('GET', '/capabilities', options)
      expect(errorOf(answer).status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toMatch(/Basic/)
    }
  })

  it.each(['/capabilities', '/taskDefinitions?languages=en', '/tasks?languages=en'])(
    'a person does not pull %s',
    async (path) => {
      expect((await call('GET', path, { user: 'approver' })).status).toBe(403)
    },
  )

  it('the technical user does not work on tasks', async () => {
    const urn = urnOf(shop.take())
    const path = `/tasks/${encodeURIComponent(urn)}`
    expect((await call('GET', `${path}/description`)).status).toBe(403)
    expect((await respond(urn, { code: 'approve' }, 'taskcenter')).status).toBe(403)
    expect((await act(urn, 'claim', 'taskcenter')).status).toBe(403)
  })

  it.each(['viewer', 'admin', 'auditor'])('%s is no recipient', async (user) => {
    const urn = urnOf(shop.take())
    expect((await respond(urn, { code: 'approve' }, user)).status).toBe(403)
    expect((await act(urn, 'claim', user)).status).toBe(403)
    const path = `/tasks/${encodeURIComponent(urn)}/description`
    expect((await call('GET', path, { user })).status).toBe(403)
    expect((await taskOf(urn)).json.status).toBe('READY')
  })
})

describe('definitions', () => {
  it('names what is offered in strings', async () => {
    const { json } = await call<List<object>>('GET', '/capabilities')
    expect(json.value).toContainEqual({ name: 'tasks.pull', value: 'true' })
    expect(json.value).toContainEqual({ name: 'tasks.push', value: 'false' })
  })

  it.each(['/task-provider/v2', '/api/task-provider/v2'])('are the same below %s', async (root) => {
    const path = '/taskDefinitions?languages=en-US,de-DE'
    const { json } = await call<List<Definition>>('GET', path, { root })
    expect(json.value).toHaveLength(1)
    const [definition] = json.value as [Definition]
    expect(definition.urn).toBe(DEFINITION)
    expect(definition.name).toEqual([
      { languageCode: 'en-US', text: 'Approve order proposal', isDefault: true },
      { languageCode: 'de-DE', text: 'Bestellvorschlag freigeben', isDefault: false },
    ])
    expect(definition.possibleResponses).toMatchObject([
      { code: 'approve', nature: 'POSITIVE', commentRequired: 'OPTIONAL' },
      { code: 'reject', nature: 'NEGATIVE', commentRequired: 'REQUIRED' },
    ])
    expect(definition.possibleResponses[1]).toMatchObject({
      possibleReasons: expect.arrayContaining([expect.objectContaining({ code: 'not_needed' })]),
    })
    expect(definition.possibleActions).toMatchObject([{ code: 'claim' }, { code: 'release' }])
    expect(definition.customAttributes).toMatchObject([
      { code: 'supplier', type: 'STRING' },
      { code: 'location', type: 'STRING' },
      { code: 'quantity', type: 'INTEGER' },
      { code: 'value', type: 'STRING', format: 'CURRENCY' },
      { code: 'neededBy', type: 'DATE' },
      { code: 'daysOfSupply', type: 'INTEGER' },
    ])
  })

  it('end with an empty page, and one is found by its encoded URN', async () => {
    const next = await call<List<Definition>>('GET', '/taskDefinitions?languages=en&$skip=1')
    expect(next.json.value).toEqual([])
    const path = `/taskDefinitions/${encodeURIComponent(DEFINITION)}?languages=de`
    expect((await call<Definition>('GET', path)).json.name[0]).toMatchObject({ languageCode: 'de' })
    const unknown = await call('GET', `/taskDefinitions/${DEFINITION}x?languages=en`)
    expect(errorOf(unknown).status).toBe(404)
  })
})

describe('bad parameters', () => {
  it.each([
    '/tasks?modifiedAfter=2026-01-01T00:00:00.000Z',
    '/tasks?languages=en',
    '/tasks?languages=&modifiedAfter=2026-01-01T00:00:00.000Z',
    '/tasks?languages=en&modifiedAfter=2026-01-01T00:00:00Z',
    '/tasks?languages=en&modifiedAfter=2026-01-01T00:00:00.0000Z',
    '/tasks?languages=en&modifiedAfter=2026-02-30T00:00:00.000Z',
    '/tasks?languages=en&modifiedAfter=2026-01-01T00:00:00.000%2B00:00',
    '/tasks?languages=en&modifiedAfter=2026-01-01T00:00:00.000Z&$top=1001',
    '/tasks?languages=en&modifiedAfter=2026-01-01T00:00:00.000Z&$top=-1',
    '/tasks?languages=en&modifiedAfter=2026-01-01T00:00:00.000Z&$top=x',
    '/tasks?languages=en&modifiedAfter=2026-01-01T00:00:00.000Z&$top=1&$top=2',
    '/tasks?languages=en&languages=de&modifiedAfter=2026-01-01T00:00:00.000Z',
    '/taskDefinitions',
    '/taskDefinitions?languages=en&$top=0',
    '/taskDefinitions?languages=en&$skip=-1',
    "/tasks?languages=en'--&modifiedAfter=2026-01-01T00:00:00.000Z",
  ])('%s is 400', async (path) => {
    expect(errorOf(await call('GET', path)).status).toBe(400)
  })

  it('a body that is none is 400', async () => {
    const urn = urnOf(shop.take())
    for (const body of [[], {}, { code: 'pay' }, { code: 1 }, { code: 'reject' }]) {
      expect(errorOf(await respond(urn, body)).status).toBe(400)
    }
    const reason = { code: 'reject', comment: 'x', reasonCode: 'bored' }
    expect((await respond(urn, reason)).status).toBe(400)
    expect((await act(urn, 'forward')).status).toBe(400)
  })

  it('what is not offered is 501', async () => {
    const path = `/tasks/${urnOf(shop.take())}`
    expect((await call('GET', `${path}/details?path=x`, { user: 'approver' })).status).toBe(501)
    expect((await call('POST', '/bulkOperation', { user: 'approver', body: {} })).status).toBe(501)
  })
})

describe('tasks', () => {
  it('show what the proposal says', async () => {
    const ID = shop.take()
    const row = await SELECT.one.from(Proposals).where({ ID })
    const path = `/tasks/${encodeURIComponent(urnOf(ID))}?languages=en-US,de-DE`
    const { json } = await call<SpiTask>('GET', path)
    expect(json).toMatchObject({
      ...{ urn: urnOf(ID), localId: `prop_${ID}`, definitionId: DEFINITION, status: 'READY' },
      ...{ applicationId: 'restock', processor: null, createdAt: row!.createdAt },
      dueAt: `${row!.orderBy}T23:59:59.999Z`,
      recipientGroups: ['ApproverHigh', 'Buyer'],
      validResponseCodes: ['approve', 'reject'],
    })
    expect(json.modifiedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(json.subject).toMatchObject([
      { languageCode: 'en-US', isDefault: true },
      { languageCode: 'de-DE', isDefault: false },
    ])
    expect(json.subject[1]!.text).toMatch(/bestellen/)
    const attributes = Object.fromEntries(
      json.customAttributes.map(({ code, value }) => [code, value]),
    )
    expect(attributes).toMatchObject({
      ...{ supplier: 'S-1', location: 'L1', quantity: String(row!.quantity), daysOfSupply: '7' },
      value: `EUR ${Number(row!.value).toFixed(2)}`,
    })
    expect(json.uiLink).toContain(`Proposals(${ID})`)
  })

  it('are found by plain and by encoded URN, and unknown ones are 404', async () => {
    const urn = urnOf(shop.take())
    expect((await call('GET', `/tasks/${urn}?languages=en`)).status).toBe(200)
    expect((await taskOf(urn)).json.urn).toBe(urn)
    for (const unknown of [`${PREFIX}prop_999999999`, `${PREFIX}x`, 'urn:x', '%E0%A4%A']) {
      const answer = await call('GET', `/tasks/${unknown}?languages=en`)
      expect(errorOf(answer)).toMatchObject({ status: 404 })
    }
  })

  it('a language without texts is answered in English', async () => {
    const path = `/tasks/${urnOf(shop.take())}?languages=fr-FR`
    const { json } = await call<SpiTask>('GET', path)
    expect(json.subject).toMatchObject([{ languageCode: 'en-US', isDefault: true }])
  })

  it('have a description in the language of the person', async () => {
    const path = `/tasks/${urnOf(shop.take())}/description`
    const inEnglish = await call('GET', path, { user: 'buyer' })
    expect(inEnglish.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(inEnglish.headers.get('content-language')).toBe('en')
    const headers = { 'Accept-Language': 'fr, de-AT;q=0.8, en;q=0.2' }
    const inGerman = await call('GET', path, { user: 'buyer', headers })
    expect(inGerman.headers.get('content-language')).toBe('de')
    expect(inGerman.text).toMatch(/auf Lager/)
  })

  it('no page is asked for by $top=0', async () => {
    expect((await pull(`modifiedAfter=${START}&$top=0`)).json.value).toEqual([])
  })
})

describe('decisions', () => {
  it('approving answers the whole task, and again is 409', async () => {
    const urn = urnOf(shop.take())
    const before = (await taskOf(urn)).json
    const answer = await respond(urn, { code: 'approve', comment: 'go', reasonCode: null })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ urn, status: 'COMPLETED', completedBy: 'approver' })
    expect(answer.json.completedAt).not.toBeNull()
    expect(answer.json.modifiedAt > before.modifiedAt).toBe(true)
    expect(answer.json.validResponseCodes).toEqual([])
    for (const user of ['approver', 'buyer']) {
      const again = await respond(urn, { code: 'approve' }, user)
      expect(errorOf(again)).toEqual({ status: 409, code: 'proposal_already_decided' })
    }
    const late = await respond(urn, { code: 'reject', comment: 'no' })
    expect(late.status).toBe(409)
  })

  it('rejecting keeps the reason and the comment, and the history says through which door', async () => {
    const ID = shop.take()
    const body = { code: 'reject', comment: 'we have enough', reasonCode: 'too_much' }
    expect((await respond(urnOf(ID), body, 'buyer')).json).toMatchObject({ status: 'COMPLETED' })
    const row = await SELECT.one.from(Proposals).where({ ID })
    expect(row).toMatchObject({ status: 'rejected', reason: 'too_much', decidedBy: 'buyer' })
    const events = await SELECT.from(ProposalEvents).where({ proposal: ID, version: 2 })
    expect(events).toMatchObject([
      { via: 'task_center', actor: 'buyer', event: 'rejected', comment: 'we have enough' },
    ])
    const comments = await SELECT.from(TaskComments).where({ task: `prop_${ID}` })
    expect(comments).toMatchObject([{ text: 'we have enough', author: 'buyer' }])
  })

  it('what is decided elsewhere is 409 here, in words and in German too', async () => {
    const ID = shop.take()
    await approve(ID)
    const path = `/tasks/${urnOf(ID)}/response?languages=de-DE`
    const answer = await call('POST', path, { user: 'approver', body: { code: 'approve' } })
    expect(answer.status).toBe(409)
    expect(answer.error?.message).toMatch(/schon entschieden/)
  })

  it('a stale one says so, and stays open', async () => {
    const ID = shop.take()
    const { sku, location } = (await SELECT.one.from(Proposals).where({ ID }))!
    await UPDATE.entity(Stock).set({ onHand: 90 }).where({ sku, location })
    const answer = await respond(urnOf(ID), { code: 'approve' })
    expect(errorOf(answer)).toEqual({ status: 409, code: 'proposal_stale' })
    expect(answer.error?.message).toMatch(/has changed/)
    expect(answer.error?.details!.length).toBeGreaterThan(0)
    expect((await taskOf(urnOf(ID))).json.status).toBe('READY')
  })
})

describe('claims', () => {
  it('reserve a task against others until it is released', async () => {
    const urn = urnOf(shop.take())
    const claimed = await act(urn, 'claim', 'buyer')
    expect(claimed.json).toMatchObject({ status: 'RESERVED', processor: 'buyer' })
    expect(claimed.json.recipientUsers).toContain('buyer')
    expect((await act(urn, 'claim', 'buyer')).status).toBe(200)
    for (const refused of [
      await act(urn, 'claim', 'approver'),
      await act(urn, 'release', 'approver'),
      await respond(urn, { code: 'approve' }, 'approver'),
    ]) {
      expect(errorOf(refused)).toEqual({ status: 409, code: 'task_claimed' })
    }
    expect((await act(urn, 'release', 'buyer')).json).toMatchObject({
      status: 'READY',
      processor: null,
    })
    expect((await respond(urn, { code: 'approve' }, 'approver')).status).toBe(200)
    expect((await act(urn, 'claim', 'buyer')).status).toBe(409)
  })
})

describe('the feed', () => {
  it('says every change once, with a later time than the one before', async () => {
    const urn = urnOf(shop.take())
    const times = [(await taskOf(urn)).json.modifiedAt]
    for (const code of ['claim', 'release', 'claim', 'release', 'claim']) {
      times.push((await act(urn, code)).json.modifiedAt)
    }
    times.push((await respond(urn, { code: 'approve' })).json.modifiedAt)
    expect(times).toEqual([...new Set(times)].sort())
  })

  it('pages 2,500 tasks of one moment by 1,000, each once and in order', async () => {
    const seen = await pullAll({ modifiedAfter: START, lastId: null })
    const stamp = Date.parse(seen.at(-1)!.modifiedAt) + 3_600_000
    const model = await SELECT.one.from(Tasks)
    const ids = Array.from({ length: 2500 }, (_, at) => `prop_${80_000 + at * 3}`)
    await cds.ql.INSERT.into(Tasks).entries(
      ids.map((localId) => ({
        ...{ ...model, localId, place: Buffer.from(localId).toString('hex'), stamp },
        ...{ fingerprint: 'x', openKey: null },
      })),
    )
    const modifiedAfter = new Date(stamp).toISOString()
    const found = await pullAll({ modifiedAfter, lastId: null })
    expect(found.map(({ localId }) => localId)).toEqual(ids.sort())
    const odd = await pullAll({ modifiedAfter: START, lastId: null }, 7 * 11)
    const order = odd.map(({ modifiedAt, urn }) => `${modifiedAt} ${urn}`)
    expect(order).toEqual([...new Set(order)].sort())
    await cds.ql.DELETE.from(Tasks).where({ stamp })
  })

  it('a lastId of other tasks stands where its bytes do', async () => {
    const { json } = await pull(`modifiedAfter=${START}&$top=1`)
    const { modifiedAt } = json.value[0] as SpiTask
    const first = await pull(`modifiedAfter=${modifiedAt}&lastId=urn:a&$top=1`)
    expect(first.json.value[0]).toMatchObject({ modifiedAt })
    const later = await pull(`modifiedAfter=${modifiedAt}&lastId=urn:z&$top=1`)
    expect(later.json.value.every((task: SpiTask) => task.modifiedAt > modifiedAt)).toBe(true)
  })

  it('keeps what is over as a tombstone', async () => {
    const [done, gone] = [shop.take(), shop.take()]
    const [newest] = (await pullAll({ modifiedAfter: START, lastId: null })).slice(-1)
    await approve(done)
    await UPDATE.entity(Proposals)
      .set({ expiresAt: '2026-01-01T00:00:00.000Z' })
      .where({ ID: gone })
    await proposalsAs({}, 'housekeeping', {})
    await caughtUp()
    const changed = await pullAll({ modifiedAfter: newest!.modifiedAt, lastId: newest!.urn })
    const statuses = Object.fromEntries(changed.map(({ urn, status }) => [urn, status]))
    expect(statuses).toMatchObject({ [urnOf(done)]: 'COMPLETED', [urnOf(gone)]: 'CANCELED' })
  })
})

it('a move between locations says so', async () => {
  const ID = shop.take()
  await UPDATE.entity(Proposals)
    .set({ kind: 'transfer', fromLocation: 'L9', supplier: null, quantity: 7 })
    .where({ ID })
  const { json } = await call<SpiTask>('GET', `/tasks/${urnOf(ID)}?languages=en,de`)
  expect(json.subject[0]!.text).toMatch(/^Transfer 7 of .* from L9 to L1$/)
  expect(json.subject[1]!.text).toMatch(/umlagern$/)
})
