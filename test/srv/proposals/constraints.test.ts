// What flows.cds says, and which roles there are, holds for whoever decides, without any door's own check.
import cds from '@sap/cds'
import '../../support/server.ts'
import { callAs, proposalsAs } from '../../support/buyer.ts'
import { openShop, type Shop } from './shop.ts'
import { entityNamed } from '../../support/rows.ts'

let shop: Shop
let ID: number

beforeAll(async () => {
  shop = await openShop('constraints', 1)
  ID = shop.take()
})
afterEach(async () => {
  expect(await shop.historyOf(ID)).toEqual(['created'])
})

it.each([
  ['approve', { quantity: 0 }, 'quantity'],
  ['approve', { quantity: -20 }, 'quantity'],
  ['approve', { quantity: 20.5 }, 'quantity'],
  ['approve', { quantity: 1e15 }, 'quantity'],
  ['approve', { comment: 'x'.repeat(1001) }, 'comment'],
  ['approve', { expectedVersion: 0 }, 'expectedVersion'],
  ['decline', { reason: 'because' }, 'reason'],
  ['decline', { reason: 'price', comment: 'x'.repeat(1001) }, 'comment'],
  ['snooze', {}, 'until'],
  ['snooze', { until: null }, 'until'],
  ['snooze', { until: 'tomorrow' }, 'until'],
  ['snooze', { until: '2020-01-01T00:00:00.000Z' }, 'until'],
  ['cancel', {}, 'reason'],
  ['cancel', { reason: '' }, 'reason'],
  ['cancel', { reason: 'because' }, 'reason'],
] as const)('%s refuses %j', async (event, data, target) => {
  await expect(proposalsAs({}, event, { ID, ...data })).rejects.toMatchObject({
    ...{ name: 'Refusal', code: 'invalid_parameter', status: 400 },
    ...{ options: { target }, message: expect.stringMatching(new RegExp(`^${target}: .*[.a-z]`)) },
  })
})

it('says what is wrong in a sentence', async () => {
  await expect(proposalsAs({}, 'cancel', { ID, reason: 'because' })).rejects.toMatchObject({
    message: 'reason: Choose one of the reasons.',
  })
})

describe('somebody without a role of ours', () => {
  const nobody = { id: 'somebody', roles: [], attr: {} }

  it.each([
    ['list', { ID: undefined, limit: 1 }],
    ['find', {}],
    ['history', {}],
    ['blocked', { ID: undefined, limit: 1 }],
    ['evidence', {}],
    ['risk', {}],
    ['outlook', {}],
    ['cleaning', {}],
    ['bridge', {}],
    ['budget', { units: 5, ID: undefined }],
    ['valueReport', { from: '2026-01-01', to: '2026-01-02', ID: undefined }],
    ['approve', {}],
  ] as const)('is refused %s', async (event, data) => {
    const user = new cds.User(nobody)
    await expect(callAs(user, event, { ID, ...data })).rejects.toMatchObject({
      code: 'insufficient_scope',
      status: 403,
    })
  })
})

it('the codes of reasons are those of the code list', async () => {
  const rows = await cds.ql.SELECT.from(entityNamed('restock.RejectionReasons')).columns('code')
  const { enum: codes } = cds.model!.definitions['ProposalsService.Reason'] as object as {
    enum: object
  }
  expect(Object.keys(codes).sort()).toEqual(rows.map(({ code }) => code).sort())
})
