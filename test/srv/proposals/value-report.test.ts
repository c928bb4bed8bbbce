import cds from '@sap/cds'
import { Proposals } from '../../../srv/base/database/entities.ts'
import type { Calculation } from '../../../engine/proposal/index.ts'
import { replayDemand } from '../../../srv/domain/proposals/reports/decided.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { daysAgo } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'
import { get } from '../v1/api.ts'
import { openShop, type Shop, UNIT_COST } from './shop.ts'

const { UPDATE } = cds.ql

const calculation = (terms: Partial<Calculation>) =>
  ({ onHand: 0, onOrder: 0, openProposals: 0, leadTimeDays: 2, ...terms }) as Calculation

describe('the replay of an order', () => {
  it('uses up what is there, receives after the lead time, and loses what is short', () => {
    const demand = [4, 4, 4, 4]
    expect(replayDemand(calculation({ onHand: 6 }), 10, demand)).toEqual({
      stockoutDays: 1, // 4 of 6, then 2 of 4, then the 10 arrive: 6 left, 2 left
      unitsShort: 2,
      averageStock: (2 + 0 + 6 + 2) / 4,
    })
  })

  it('counts what is on order, and backorders', () => {
    const given = calculation({ onHand: 1, onOrder: 4, openProposals: 5, backorders: 2 })
    expect(replayDemand(given, 0, [8, 1])).toMatchObject({ stockoutDays: 1, unitsShort: 1 })
  })

  it('does not serve from batches that expire unsold', () => {
    const given = calculation({ onHand: 10, expiring: 6 })
    expect(replayDemand(given, 0, [3, 3])).toEqual({
      ...{ stockoutDays: 1, unitsShort: 2 }, // 3 of 4, then 3 of 1
      averageStock: (1 + 0) / 2,
    })
  })

  it('takes a day of net returns as one without demand', () => {
    expect(replayDemand(calculation({ onHand: 5 }), 0, [-3])).toMatchObject({ averageStock: 5 })
  })
})

describe('the report', () => {
  let shop: Shop
  const report = (from = daysAgo(60), to = daysAgo(0)) =>
    proposalsAs({}, 'valueReport', { from, to })
  /** Makes a decision one of long ago. */
  const age = async (ID: number, days: number) => {
    await UPDATE.entity(Proposals)
      .set({ decidedAt: `${daysAgo(days)}T08:00:00.000Z` })
      .where({ ID })
  }

  beforeAll(async () => {
    shop = await openShop('value', 5)
  })

  it('holds edits and rejections against demand, and says what is too recent', async () => {
    const [same, edited, rejected, recent] = [shop.take(), shop.take(), shop.take(), shop.take()]
    await approve(same)
    const { quantity } = await approve(edited, { quantity: 100 })
    await proposalsAs({}, 'decline', { ID: rejected, reason: 'too_much' })
    await proposalsAs({}, 'decline', { ID: recent, reason: 'too_much' })
    for (const ID of [same, edited, rejected]) await age(ID, 30)
    const found = await report()
    expect(found).toMatchObject({
      ...{ decided: 4, unchanged: 1, edited: 1, rejected: 2, evaluated: 2, tooRecent: 1 },
    })
    // 4 a day for 14 days from 30 on hand; the order comes after 7 days.
    const { calculation } = await proposalsAs({}, 'find', { ID: edited })
    const demand = Array<number>(calculation.horizonDays).fill(4)
    const system = replayDemand(calculation, calculation.quantity, demand)
    const more = replayDemand(calculation, quantity, demand)
    const none = replayDemand(calculation, 0, demand)
    expect(found.system.stockoutDays).toBe(2 * system.stockoutDays)
    expect(found.buyer.stockoutDays).toBe(more.stockoutDays + none.stockoutDays)
    expect(found.buyer.stockoutDays).toBeGreaterThan(0)
    expect(found.buyer.unitsShort).toBe(none.unitsShort + more.unitsShort)
    const difference = more.averageStock + none.averageStock - 2 * system.averageStock
    expect(found.workingCapital).toEqual([
      expect.objectContaining({ currency: 'EUR', difference: (difference * UNIT_COST).toFixed(2) }),
    ])
  })

  it('is of the days asked for', async () => {
    const nothing = { decided: 0, evaluated: 0, tooRecent: 0, workingCapital: [] }
    expect(await report(daysAgo(20), daysAgo(10))).toMatchObject(nothing)
    expect(await report(daysAgo(30), daysAgo(30))).toMatchObject({ decided: 3, evaluated: 2 })
  })

  it('is of the days, and the months, of the setting timeZone', async () => {
    const ID = shop.take()
    await approve(ID)
    await UPDATE.entity(Proposals)
      .set({ createdAt: '2025-11-30T11:30:00.000Z', decidedAt: '2025-11-30T20:30:00.000Z' })
      .where({ ID })
    const countedOn = async (day: string) => (await report(day, day)).decided
    const countedIn = async (month: string) =>
      (await get(`/reports/months?from=${month}&to=${month}`)).json.data[0]!.lines
    const [one, none] = [
      { proposed: 1, approved: 1 },
      { proposed: 0, approved: 0 },
    ]
    expect([await countedOn('2025-11-30'), await countedOn('2025-12-01')]).toEqual([1, 0])
    expect(await countedIn('2025-11')).toMatchObject(one)
    changeSettings({ timeZone: 'Pacific/Auckland' })
    try {
      expect([await countedOn('2025-11-30'), await countedOn('2025-12-01')]).toEqual([0, 1])
      expect(await countedIn('2025-11')).toMatchObject(none)
      expect(await countedIn('2025-12')).toMatchObject(one)
      expect((await get('/reports/value?from=0001-01-01&to=0001-01-01')).status).toBe(200)
    } finally {
      changeSettings({ timeZone: 'UTC' })
    }
  })
})
