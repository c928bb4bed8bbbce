import cds from '@sap/cds'
import { ProposalEvents, Proposals, Series, Stock } from '../../../srv/base/database/entities.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { connectFiles, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { changeSettings } from '../../support/settings.ts'

const { SELECT, UPDATE } = cds.ql

const SKUS = [
  'A',
  'B',
  'C',
  'D',
  'E',
  'F',
  'G',
  'H',
  'I',
  'J',
  'K',
  'M',
  'N',
  'O',
  'P',
  'Q',
  'R',
  'S',
]
const stock = (onHand = 0) =>
  `sku,location,on_hand\n${SKUS.map((sku) => `${sku},L1,${onHand}`).join('\n')}\n`
const planning = SKUS.map((sku) => `${sku},L1,7,20,10,S-1,3.00,EUR`).join('\n')
const header = 'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency'

let source: number
let proposals: Map<string, number>

beforeAll(async () => {
  source = await connectFiles('shop', {
    'demand.csv': steadyDemand(SKUS),
    'stock.csv': stock(),
    'planning.csv': `${header}\n${planning}\n`,
  })
  await sync(source)
  const rows = await SELECT.from(Proposals).columns('ID', 'sku')
  proposals = new Map(rows.map(({ ID, sku }) => [sku!, ID]))
})

/** A proposal of its own for each test. */
const take = () => {
  const [[sku, ID]] = proposals as unknown as [[string, number]]
  proposals.delete(sku)
  return ID
}

const historyOf = async (ID: number) =>
  (await SELECT.from(ProposalEvents).where({ proposal: ID }).orderBy('version')).map(
    ({ event }) => event,
  )

describe('approving', () => {
  it('decides once, with who, when and through which door', async () => {
    const ID = take()
    const proposal = await approve(ID, { comment: 'go' })
    expect(proposal).toMatchObject({ status: 'approved', decidedBy: 'approver', version: 2 })
    const [, event] = await SELECT.from(ProposalEvents).where({ proposal: ID }).orderBy('version')
    expect(event).toMatchObject({ event: 'approved', actor: 'approver', via: 'api', comment: 'go' })
    await approve(ID)
    expect(await historyOf(ID)).toEqual(['created', 'approved'])
  })

  it('has exactly one winner among many at once', async () => {
    const ID = take()
    const quantities = [20, 30, 40, 50]
    const results = await Promise.allSettled(
      quantities.flatMap((quantity) => [approve(ID, { quantity }), approve(ID, { quantity })]),
    )
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(await historyOf(ID)).toEqual(['created', 'approved'])
    const refused = results.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as { code: string }).code] : [],
    )
    expect(new Set(refused)).toEqual(new Set(['proposal_already_decided']))
  })

  it('takes a buyer’s quantity and leaves the calculation', async () => {
    const ID = take()
    const before = await proposalsAs({}, 'find', { ID })
    const after = await approve(ID, { quantity: before.quantity + 10 })
    expect(after).toMatchObject({
      quantity: before.quantity + 10,
      calculation: before.calculation,
      value: (3 * (before.quantity + 10)).toFixed(2),
    })
  })

  it.each([
    [15, [20]],
    [25, [20, 30]],
    [1_000_000, []],
  ])('refuses %d, which cannot be ordered, and names what can', async (quantity, near) => {
    const ID = take()
    await expect(approve(ID, { quantity })).rejects.toMatchObject({
      code: 'quantity_not_orderable',
      options: {
        details: expect.arrayContaining(
          near.map((n) => expect.objectContaining({ message: String(n) })),
        ),
      },
    })
    expect(await historyOf(ID)).toEqual(['created'])
  })

  it('refuses another version than the caller saw', async () => {
    await expect(approve(take(), { expectedVersion: 7 })).rejects.toMatchObject({
      code: 'version_mismatch',
    })
  })

  it('keeps to the limit of the key, and takes an unknown value as over it', async () => {
    const ID = take()
    await expect(approve(ID, {}, { maxOrderValue: '1.00' })).rejects.toMatchObject({
      code: 'approval_limit_exceeded',
    })
    await UPDATE.entity(Proposals).set({ unitCost: null }).where({ ID })
    await expect(approve(ID, {}, { maxOrderValue: '1000000.00' })).rejects.toMatchObject({
      code: 'approval_limit_exceeded',
    })
  })

  it('needs another person for the second approval', async () => {
    const ID = take()
    changeSettings({ secondApproverAbove: '1.00' })
    try {
      expect(await approve(ID, {}, { id: 'buyer' })).toMatchObject({
        status: 'awaiting_second_approval',
      })
      await expect(approve(ID, {}, { id: 'buyer' })).rejects.toMatchObject({
        code: 'four_eyes_required',
      })
      expect(await approve(ID)).toMatchObject({ status: 'approved', decidedBy: 'approver' })
    } finally {
      changeSettings({ secondApproverAbove: null })
    }
  })
})

describe('the other decisions', () => {
  it('reject, once and again, but nothing after that', async () => {
    const ID = take()
    expect(await proposalsAs({}, 'decline', { ID, reason: 'price' })).toMatchObject({
      ...{ status: 'rejected', reason: 'price' },
    })
    await proposalsAs({}, 'decline', { ID })
    expect(await historyOf(ID)).toEqual(['created', 'rejected'])
    await expect(approve(ID)).rejects.toMatchObject({
      code: 'proposal_already_decided',
      options: { members: { current_status: 'rejected' } },
    })
  })

  it('snooze, and wake when the time has come', async () => {
    const ID = take()
    await proposalsAs({}, 'snooze', { ID, until: '2099-01-01T00:00:00Z' })
    await expect(approve(ID)).rejects.toMatchObject({ code: 'proposal_already_decided' })
    await UPDATE.entity(Proposals)
      .set({ snoozedUntil: '2020-01-01T00:00:00.000Z', expiresAt: '2019-12-31T00:00:00.000Z' })
      .where({ ID })
    await proposalsAs({}, 'housekeeping', {})
    await proposalsAs({}, 'housekeeping', {})
    expect(await proposalsAs({}, 'find', { ID })).toMatchObject({ status: 'pending' })
    expect(await approve(ID)).toMatchObject({ status: 'approved' })
  })

  it('cancel an approval', async () => {
    const ID = take()
    await expect(proposalsAs({}, 'cancel', { ID, reason: 'price' })).rejects.toMatchObject({
      code: 'proposal_already_decided',
    })
    await approve(ID)
    expect(await proposalsAs({}, 'cancel', { ID, reason: 'price' })).toMatchObject({
      status: 'cancelled',
    })
  })

  it('expire by themselves', async () => {
    const ID = take()
    await UPDATE.entity(Proposals).set({ expiresAt: '2020-01-01T00:00:00.000Z' }).where({ ID })
    await expect(approve(ID)).rejects.toMatchObject({
      options: { members: { current_status: 'expired' } },
    })
    await proposalsAs({}, 'housekeeping', {})
    expect(await historyOf(ID)).toEqual(['created', 'expired'])
  })

  it('know no such proposal', async () => {
    await expect(approve(999_999)).rejects.toMatchObject({ code: 'proposal_not_found' })
  })
})

describe('after the next sync', () => {
  it('proposes nothing new without news', async () => {
    const before = await SELECT.from(Proposals).columns('ID', 'status', 'version').orderBy('ID')
    await sync(source, 'full')
    const after = await SELECT.from(Proposals).columns('ID', 'status', 'version').orderBy('ID')
    const stillOpen = (rows: { status: string | null }[]) =>
      rows.filter(({ status }) => status === 'pending').length
    expect(stillOpen(after)).toBeGreaterThanOrEqual(stillOpen(before))
    await sync(source, 'full')
    expect(await SELECT.from(Proposals).columns('ID', 'status', 'version').orderBy('ID')).toEqual(
      after,
    )
  })

  it('brings a rejected proposal back only after its inputs moved materially', async () => {
    const rejected = await SELECT.one.from(Proposals).where({ status: 'rejected' })
    const openOf = (series: number) => SELECT.from(Proposals).where({ series, status: 'pending' })
    expect(await openOf(rejected!.series!)).toEqual([])
    await writeFiles('shop', { 'demand.csv': steadyDemand(SKUS, { quantity: 40 }) })
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
    expect(await openOf(rejected!.series!)).toHaveLength(1)
  })

  it('counts an approved quantity as supply', async () => {
    const approved = await SELECT.from(Proposals).where({ status: 'approved' })
    expect(approved.length).toBeGreaterThan(2)
    for (const { series, quantity } of approved) {
      const [open, ...more] = await SELECT.from(Proposals).where({
        ...{ series, status: 'pending' },
      })
      expect(more).toEqual([])
      expect(open!.calculation_openProposals).toBe(Number(quantity))
      const { calculation_targetStock: target, calculation_netRequirement: net } = open!
      expect(net).toBe(Number(target) - Number(quantity))
    }
  })

  it('refuses a decision about numbers that have moved since, and says which', async () => {
    const { ID } = (await SELECT.from(Proposals).where({ status: 'pending' }))[0]!
    const { series } = (await SELECT.from(Proposals).where({ ID }))[0]!
    const { sku } = (await SELECT.one.from(Series).where({ ID: series }))!
    await UPDATE.entity(Stock).set({ onHand: 150 }).where({ sku })
    await expect(approve(ID)).rejects.toMatchObject({
      code: 'proposal_stale',
      options: {
        details: expect.arrayContaining([expect.objectContaining({ target: 'on_hand' })]),
        members: { fresh: { calculation: expect.objectContaining({ on_hand: 150 }) } },
      },
    })
  })
})
