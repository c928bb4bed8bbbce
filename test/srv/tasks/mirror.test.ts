// A Task Center that pulls while everything changes: at the end it knows what the service knows.
import { setImmediate as breathe } from 'node:timers/promises'
import cds from '@sap/cds'
import { Proposals } from '../../../srv/base/database/entities.ts'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { numberEvents } from '../../../srv/base/database/events.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { sync, writeFiles } from '../../support/server.ts'
import { someOf } from '../../support/some-of.ts'
import { openShop, type Shop } from '../proposals/shop.ts'
import { aKey, call as callV1 } from '../v1/api.ts'
import {
  act,
  caughtUp,
  pull,
  pullAll,
  respond,
  type SpiTask,
  START,
  taskOf,
  urnOf,
} from './inbox.ts'

const { SELECT, UPDATE } = cds.ql

const SIZE = 40
const ROUNDS = someOf([...Array(600).keys()], 3).length
const SYNC_EVERY = 50
const PATIENCE_MS = 480_000

let shop: Shop
let key: string

beforeAll(async () => {
  shop = await openShop('mirror', SIZE)
  key = await aKey()
})

/** The cache of Task Center, filled by pages as the interface says. */
class Mirror {
  readonly tasks = new Map<string, SpiTask>()
  modifiedAfter = START
  lastId: string | null = null
  pages = 0

  /** @returns whether there was anything */
  async pull(top: number): Promise<boolean> {
    const last = this.lastId ? `&lastId=${encodeURIComponent(this.lastId)}` : ''
    const { status, json } = await pull(`modifiedAfter=${this.modifiedAfter}&$top=${top}${last}`)
    expect(status).toBe(200)
    for (const task of json.value) {
      const at = `${task.modifiedAt} ${task.urn}`
      // Nothing becomes visible at or before a place that was already handed out.
      if (this.lastId) expect(at > `${this.modifiedAfter} ${this.lastId}`).toBe(true)
      this.tasks.set(task.urn, task)
      this.modifiedAfter = task.modifiedAt
      this.lastId = task.urn
    }
    this.pages++
    return json.value.length > 0
  }
}

let seed = 7
const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below

/** Whatever somebody or something may do to a proposal, at some door. */
const CHANGES: ((ID: number) => Promise<unknown>)[] = [
  (ID) => respond(urnOf(ID), { code: 'approve' }),
  (ID) => respond(urnOf(ID), { code: 'reject', comment: 'no' }),
  (ID) => act(urnOf(ID), 'claim'),
  (ID) => act(urnOf(ID), 'release'),
  (ID) => callV1('POST', `/proposals/prop_${ID}/approve`, { key, body: {} }),
  (ID) => callV1('DELETE', `/proposals/prop_${ID}`, { key }),
  (ID) => proposalsAs({}, 'snooze', { ID, until: new Date(Date.now() + 60_000).toISOString() }),
  (ID) => proposalsAs({}, 'cancel', { ID, reason: 'price' }),
  (ID) => expire(ID),
  () => caughtUp(),
]

async function expire(ID: number) {
  await UPDATE.entity(Proposals)
    .set({ expiresAt: '2026-01-01T00:00:00.000Z' })
    .where({ ID, status: 'pending' })
  await proposalsAs({}, 'housekeeping', {})
}

/** Stock that moves makes proposals new, other or gone. */
async function move(round: number) {
  const rows = shop.skus.map((sku, at) => `${sku},L1,${((at * 7 + round) % 9) * 15}`)
  await writeFiles('mirror', { 'stock.csv': `sku,location,on_hand\n${rows.join('\n')}\n` })
  await sync(shop.source)
}

it('knows what was decided before the first tasks were made', async () => {
  const ID = shop.take()
  expect((await callV1('DELETE', `/proposals/prop_${ID}`, { key })).status).toBeLessThan(300)
  // Webhooks may make events readable before the tasks look at them.
  await runDetached('test', numberEvents)
  await caughtUp()
  const tasks = await pullAll({ modifiedAfter: START, lastId: null })
  expect(tasks.find(({ urn }) => urn === urnOf(ID))).toMatchObject({ status: 'COMPLETED' })
})

it(
  `ends equal to the service after ${ROUNDS} rounds`,
  async () => {
    const mirror = new Mirror()
    let ids: number[] = []
    let syncing: Promise<unknown> = Promise.resolve()
    for (let round = 0; round < ROUNDS; round++) {
      if (round % SYNC_EVERY === 0) {
        await syncing
        syncing = move(round)
      }
      if (round % 50 === 0) {
        const rows = await SELECT.from(Proposals).columns('ID').orderBy('ID')
        ids = rows.map(({ ID }: { ID: number }) => ID)
      }
      const changes = Array.from({ length: 1 + random(3) }, () =>
        CHANGES[random(CHANGES.length)]!(ids[random(ids.length)]!),
      )
      await Promise.all([mirror.pull(1 + random(40)), Promise.allSettled(changes)])
      await breathe()
    }
    await syncing
    await caughtUp()
    while (await mirror.pull(1000));
    const proposals = await SELECT.from(Proposals).columns('ID', 'status')
    expect(mirror.tasks.size).toBe(proposals.length)
    const expected: Record<string, string[]> = {
      pending: ['READY', 'RESERVED'],
      snoozed: ['FOR_RESUBMISSION'],
      approved: ['COMPLETED'],
      rejected: ['COMPLETED'],
      superseded: ['CANCELED'],
      expired: ['CANCELED'],
      cancelled: ['CANCELED'],
    }
    const seen = new Set<string>()
    for (const { ID, status } of proposals) {
      const mine = mirror.tasks.get(urnOf(ID))!
      expect(expected[status!]).toContain(mine.status)
      seen.add(status!)
    }
    // Every kind of end was met.
    expect([...seen].sort()).toEqual(Object.keys(expected).sort())
    for (const { ID } of proposals.slice(0, 60)) {
      expect(mirror.tasks.get(urnOf(ID))).toEqual((await taskOf(urnOf(ID))).json)
    }
  },
  PATIENCE_MS,
)
