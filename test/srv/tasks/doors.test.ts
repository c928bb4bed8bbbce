// The same decision at the same moment through every door: one winner, one event.
import cds from '@sap/cds'
import { Evidence, ProposalEvents } from '../../../srv/base/database/entities.ts'
import { serverUrl } from '../../support/server.ts'
import { openShop } from '../proposals/shop.ts'
import { aKey, call as callV1 } from '../v1/api.ts'
import { basic, caughtUp, respond, taskOf, urnOf } from './inbox.ts'

const { SELECT } = cds.ql

/** The doors are asked in each order of four, three times. */
const PROPOSALS = 12

const base = () => serverUrl()

interface Outcome {
  via: string
  status: number
  text: string
}

type Kind = 'approve' | 'reject'

async function throughTaskCenter(ID: number, kind: Kind): Promise<Outcome> {
  const body = { code: kind, comment: 'at once' }
  const { status, text } = await respond(urnOf(ID), body, 'approver')
  return { via: 'task_center', status, text }
}

async function tokenOf(user: string) {
  const response = await fetch(`${base()}/odata/v2/TASKPROCESSING/`, {
    headers: { Authorization: basic(user), 'X-CSRF-Token': 'Fetch' },
  })
  return response.headers.get('x-csrf-token')!
}

async function throughMyInbox(ID: number, kind: Kind, token: string): Promise<Outcome> {
  const key = kind === 'approve' ? '0001' : '0002'
  const query = `SAP__Origin='RESTOCK'&InstanceID='prop_${ID}'&DecisionKey='${key}'&Comments='at once'`
  const response = await fetch(`${base()}/odata/v2/TASKPROCESSING/Decision?${query}`, {
    method: 'POST',
    headers: { Authorization: basic('buyer'), 'X-CSRF-Token': token },
  })
  return { via: 'my_inbox', status: response.status, text: await response.text() }
}

async function throughApi(ID: number, kind: Kind, key: string): Promise<Outcome> {
  const path = `/proposals/prop_${ID}`
  const { status, text } =
    kind === 'approve'
      ? await callV1('POST', `${path}/approve`, { key, body: {} })
      : await callV1('DELETE', path, { key })
  return { via: 'api', status, text }
}

async function throughApp(ID: number, kind: Kind): Promise<Outcome | null> {
  if (!('BuyerService' in cds.services)) return null
  const action = kind === 'approve' ? 'approve' : 'decline'
  const response = await fetch(
    `${base()}/odata/v4/buyer/Proposals(ID=${ID})/BuyerService.${action}`,
    {
      method: 'POST',
      headers: { Authorization: basic('approver'), 'Content-Type': 'application/json' },
      body: JSON.stringify(kind === 'approve' ? {} : { reason: 'price' }),
    },
  )
  return { via: 'ui', status: response.status, text: await response.text() }
}

it.each([
  ['approve', ['approve', 'approve', 'approve', 'approve']],
  ['decide differently', ['approve', 'reject', 'reject', 'approve']],
] as const)('all doors %s at once', async (name, [first, second, third, fourth]) => {
  const shop = await openShop(`doors-${name.slice(0, 3)}`, PROPOSALS)
  await caughtUp()
  const [key, token] = [await aKey({ actsAs: 'approver' }), await tokenOf('buyer')]
  const winners: Record<string, number> = {}
  for (let round = 0; round < PROPOSALS; round++) {
    const ID = shop.take()
    const doors = [
      () => throughTaskCenter(ID, first),
      () => throughMyInbox(ID, second, token),
      () => throughApi(ID, third, key),
      () => throughApp(ID, fourth),
    ]
    const turned = [...doors.slice(round % 4), ...doors.slice(0, round % 4)]
    const outcomes = (await Promise.all(turned.map((door) => door()))).filter(
      (each) => each !== null,
    )
    expect(await shop.historyOf(ID)).toHaveLength(2)
    const event = await SELECT.one.from(ProposalEvents).where({ proposal: ID, version: 2 })
    const evidence = await SELECT.from(Evidence).where({ proposal: ID })
    expect(evidence).toHaveLength(1)
    winners[event!.via!] = (winners[event!.via!] ?? 0) + 1
    const done = outcomes.filter(({ status }) => status < 300)
    expect(done.map(({ via }) => via)).toContain(event!.via)
    for (const { via, status, text } of outcomes) {
      // At /v1 and in the app whoever asks for what is already so has what was asked for.
      const mayAgree = ['api', 'ui'].includes(via)
      if (status < 300 && (via === event!.via || mayAgree)) continue
      expect({ via, status, text }).toEqual({
        via,
        status: 409,
        text: expect.stringMatching(/decided/),
      })
    }
    expect((await taskOf(urnOf(ID))).json).toMatchObject({
      status: 'COMPLETED',
      completedBy: event!.actor,
    })
  }
  expect(Object.values(winners).reduce((a, b) => a + b, 0)).toBe(PROPOSALS)
})

it('a task decided twice at once through one door has one winner', async () => {
  const shop = await openShop('twice', 5)
  for (let round = 0; round < 5; round++) {
    const ID = shop.take()
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => throughTaskCenter(ID, 'approve')),
    )
    const statuses = outcomes.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409])
    expect(await shop.historyOf(ID)).toEqual(['created', 'approved'])
  }
})
