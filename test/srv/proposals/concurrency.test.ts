import cds from '@sap/cds'
import { verifyNow } from '../../../srv/domain/audit/index.ts'
import { Evidence, ProposalEvents } from '../../../srv/base/database/entities.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { aKey, call } from '../v1/api.ts'
import { openShop, type Shop } from './shop.ts'

const { SELECT } = cds.ql

const PROPOSALS = 20
const DECISIONS = 80

let shop: Shop
let ids: number[]

beforeAll(async () => {
  shop = await openShop('crowd', PROPOSALS)
  ids = Array.from({ length: PROPOSALS }, () => shop.take())
})

/** What a decision came to: `won`, `same` for one that changes nothing, or the refusal's code. */
type Outcome = { ID: number; event: string; result: string; status?: number }

const KINDS = ['approve', 'decline', 'snooze', 'approve'] as const
const until = new Date(Date.now() + 86_400_000).toISOString()

async function overHttp(ID: number, event: (typeof KINDS)[number], key: string): Promise<Outcome> {
  const path = `/proposals/prop_${ID}`
  const answer = {
    approve: () => call('POST', `${path}/approve`, { key, body: {} }),
    decline: () => call('DELETE', path, { key }),
    snooze: () => call('POST', `${path}/snooze`, { key, body: { until } }),
  }[event]
  const { status, error } = await answer()
  return { ID, event, status, result: error?.code ?? 'done' }
}

async function inside(ID: number, event: (typeof KINDS)[number], id: string): Promise<Outcome> {
  const data = event === 'snooze' ? { ID, until } : { ID }
  try {
    await proposalsAs({ id, via: 'ui' }, event, data)
    return { ID, event, result: 'done' }
  } catch (error) {
    return { ID, event, result: (error as { code: string }).code ?? String(error) }
  }
}

it('80 decisions at once about 20 proposals have one winner each', async () => {
  const keys = [
    await aKey({ actsAs: 'buyer' }),
    await aKey({ actsAs: 'approver' }),
    await aKey({ actsAs: 'approver', maxOrderValue: '900000.00' }),
  ]
  const outcomes = await Promise.all(
    Array.from({ length: DECISIONS }, (_, at) => {
      const [ID, event] = [ids[at % PROPOSALS]!, KINDS[Math.floor(at / PROPOSALS)]!]
      if (at % 2) return inside(ID, event, at % 3 ? 'buyer' : 'approver')
      return overHttp(ID, event, keys[at % keys.length]!)
    }),
  )
  const refused = outcomes.filter(({ result }) => result !== 'done')
  expect(new Set(refused.map(({ result }) => result))).toEqual(
    new Set(['proposal_already_decided']),
  )
  const events = await SELECT.from(ProposalEvents)
    .where({ proposal: { in: ids } })
    .orderBy('proposal', 'version')
  for (const ID of ids) {
    const history = events.filter(({ proposal }) => proposal === ID)
    const versions = history.map(({ version }) => version)
    expect(versions).toEqual(versions.map((_, at) => at + 1))
    const names = history.map(({ event }) => event)
    expect([
      ['created', 'approved'],
      ['created', 'rejected'],
      ['created', 'snoozed'],
      ['created', 'snoozed', 'rejected'],
    ]).toContainEqual(names)
  }
  const evidence = await SELECT.from(Evidence).where({ proposal: { in: ids } })
  expect(evidence).toHaveLength(events.length - PROPOSALS)
  expect(await verifyNow()).toMatchObject({ valid: true, late: 0 })
})

it('the same approval many times at once is one event', async () => {
  const { take, historyOf } = await openShop('double', 1)
  const ID = take()
  const key = await aKey({ actsAs: 'approver' })
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      at % 2 ? inside(ID, 'approve', 'approver') : overHttp(ID, 'approve', key),
    ),
  )
  expect(outcomes.map(({ result }) => result)).toEqual(Array(12).fill('done'))
  expect(await historyOf(ID)).toEqual(['created', 'approved'])
})

it('approvals and cancellations at once leave one history in order', async () => {
  const { take, historyOf } = await openShop('undone', 1)
  const ID = take()
  await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      at % 2
        ? proposalsAs({}, 'approve', { ID })
        : proposalsAs({}, 'cancel', { ID, reason: 'price' }),
    ),
  )
  expect([
    ['created', 'approved'],
    ['created', 'approved', 'cancelled'],
  ]).toContainEqual(await historyOf(ID))
})
