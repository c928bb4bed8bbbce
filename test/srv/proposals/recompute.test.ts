import { jest } from '@jest/globals'
import cds from '@sap/cds'
import { Planning, ProposalEvents, Proposals, Stock } from '../../../srv/base/database/entities.ts'
import { explainItems } from '../../../srv/domain/proposals/explain/items.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { someOf } from '../../support/some-of.ts'
import { connectFiles, daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'

const { SELECT, UPDATE } = cds.ql

const SKUS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J']
/** All but the date go on by themselves. */
const TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const
const DAY_MS = 86_400_000
const header = 'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency'
const planning = (lot: number) =>
  `${header}\n${SKUS.map((sku) => `${sku},L1,7,,${lot},S-1,3.00,EUR`).join('\n')}\n`
const stock = (onHand: number) =>
  `sku,location,on_hand\n${SKUS.map((sku) => `${sku},L1,${onHand}`).join('\n')}\n`

let source: number

beforeAll(async () => {
  source = await connectFiles('again', {
    'demand.csv': steadyDemand(SKUS, { quantity: 40 }),
    'stock.csv': stock(100),
    'planning.csv': planning(10),
  })
  await sync(source)
})

const refresh = () => proposalsAs({}, 'refresh', { source, sync: null })

const openOf = async (sku: string) =>
  (await SELECT.from(Proposals).where({ source_ID: source, sku }).orderBy('ID')).filter(
    ({ status }) => status === 'pending' || status === 'snoozed',
  )

/** Everything about the proposals that a caller could notice, but for the day until which they stand. */
const state = async () => ({
  proposals: (await SELECT.from(Proposals).orderBy('ID')).map(({ expiresAt: _, ...rest }) => rest),
  events: (await SELECT.from(ProposalEvents)).length,
})

const setStock = async (sku: string, onHand: number) => {
  await UPDATE.entity(Stock).set({ onHand }).where({ source_ID: source, sku })
}

const setSupplier = async (sku: string, supplier: string) => {
  await UPDATE.entity(Planning).set({ supplier }).where({ source_ID: source, sku })
}

describe('a run without news', () => {
  it('changes nothing: no proposal, no version, no event', async () => {
    const before = await state()
    expect(before.proposals.length).toBe(SKUS.length)
    await refresh()
    await refresh()
    expect(await state()).toEqual(before)
  })

  it('changes nothing either when two run at once', async () => {
    const before = await state()
    await Promise.all([refresh(), refresh(), refresh()])
    expect(await state()).toEqual(before)
  })
})

describe('what a person has touched', () => {
  it('stays as it is, with the newer calculation shown until both agree', async () => {
    const { ID } = (await openOf('A'))[0]!
    await proposalsAs({}, 'snooze', { ID, until: '2099-01-01T00:00:00Z' })
    const mine = await proposalsAs({}, 'find', { ID })
    await setStock('A', 10)
    await refresh()
    const noted = await proposalsAs({}, 'find', { ID })
    expect(noted).toMatchObject({
      ...{ status: 'snoozed', quantity: mine.quantity, version: mine.version },
      calculation: mine.calculation,
      newer: { quantity: mine.quantity + 90, calculation: { onHand: 10 } },
    })
    await refresh()
    expect((await proposalsAs({}, 'find', { ID })).newer).toEqual(noted.newer)
    await setStock('A', 100)
    await refresh()
    expect(await proposalsAs({}, 'find', { ID })).toMatchObject({
      ...{ newer: null, version: mine.version, quantity: mine.quantity },
    })
  })

  it('says so when nothing is needed any more', async () => {
    const { ID } = (await openOf('A'))[0]!
    await setStock('A', 100_000)
    await refresh()
    expect(await proposalsAs({}, 'find', { ID })).toMatchObject({
      ...{ status: 'snoozed', newer: { quantity: 0 } },
    })
    await setStock('A', 100)
    await refresh()
  })
})

describe('a rejected proposal', () => {
  const rejected = async (sku: string) => {
    const { ID } = (await openOf(sku))[0]!
    await proposalsAs({}, 'decline', { ID, reason: 'not_needed' })
    return proposalsAs({}, 'find', { ID })
  }

  it('does not come back in runs of thirty days with the same data', async () => {
    await rejected('B')
    const now = Date.now()
    try {
      const days = Array.from({ length: 30 }, (_, at) => at + 1)
      for (const day of someOf(days, 5)) {
        jest.useFakeTimers({ doNotFake: [...TIMERS], now: now + day * DAY_MS })
        await refresh()
        expect(await openOf('B')).toEqual([])
      }
    } finally {
      jest.useRealTimers()
      await refresh()
    }
  })

  it('does not come back for one lot that is less than a fifth', async () => {
    const { calculation } = await rejected('C')
    await setStock('C', 90)
    await refresh()
    expect(calculation.lotSize).toBe(10)
    expect(await openOf('C')).toEqual([])
  })

  it('comes back when its urgency gets worse, though the quantity hardly moved', async () => {
    const before = await rejected('D')
    expect(before.urgency).toBe('stockout_before_arrival')
    await setStock('D', 0)
    await refresh()
    expect(await openOf('D')).toMatchObject([{ urgency: 'stocked_out' }])
  })

  it('comes back when more than a fifth more is needed', async () => {
    await rejected('E')
    await writeFiles('again', { 'demand.csv': steadyDemand(SKUS, { quantity: 60 }) })
    await sync(source)
    expect(await openOf('E')).toHaveLength(1)
    expect(await openOf('C')).toHaveLength(1)
  })
})

describe('an approval that is cancelled', () => {
  const cancelled = async (reason: string) => {
    const { ID } = (await openOf('I'))[0]!
    await approve(ID)
    await proposalsAs({}, 'cancel', { ID, reason })
    await refresh()
    return ID
  }

  it('comes back where the need stands, and not where the order is not wanted', async () => {
    await cancelled('price')
    expect(await openOf('I')).toHaveLength(1)
    const ID = await cancelled('not_needed')
    expect(await openOf('I')).toEqual([])
    const [item] = await explainItems([(await proposalsAs({}, 'find', { ID })).series])
    expect(item).toMatchObject({
      ...{ state: 'rejected', proposal: ID },
      why: { text: 'item_cancelled', id: `prop_${ID}` },
    })
  })

  it('comes back once more is needed, and does not keep back what comes later', async () => {
    await setStock('I', 0)
    await refresh()
    const [back] = await openOf('I')
    expect(back).toMatchObject({ urgency: 'stocked_out' })
    await setStock('I', 100_000)
    await refresh()
    await setStock('I', 100)
    await refresh()
    expect(await openOf('I')).toHaveLength(1)
  })
})

describe('a rejection of what has gone since', () => {
  const rejectOne = async () => {
    const { ID } = (await openOf('G'))[0]!
    await proposalsAs({}, 'decline', { ID, reason: 'wrong_supplier' })
  }

  it('does not keep back the same need when it is there again', async () => {
    const { quantity } = (await openOf('G'))[0]!
    await rejectOne()
    await refresh()
    expect(await openOf('G')).toEqual([])
    await setStock('G', 100_000)
    await refresh()
    await setStock('G', 100)
    await refresh()
    expect(await openOf('G')).toMatchObject([{ quantity }])
  })

  it('does not keep back an order to another supplier', async () => {
    await rejectOne()
    await setSupplier('G', 'S-2')
    await refresh()
    expect(await openOf('G')).toMatchObject([{ supplier: 'S-2' }])
    await rejectOne()
    await refresh()
    expect(await openOf('G')).toEqual([])
  })
})

describe('where the supplier changes', () => {
  it('nothing is proposed in addition to a snoozed proposal', async () => {
    const { ID, quantity } = (await openOf('H'))[0]!
    await proposalsAs({}, 'snooze', { ID, until: '2099-01-01T00:00:00Z' })
    await setSupplier('H', 'S-2')
    await refresh()
    expect(await openOf('H')).toMatchObject([{ ID, status: 'snoozed', supplier: 'S-1' }])
    await setStock('H', 0)
    await refresh()
    expect(await openOf('H')).toMatchObject([
      { ID, status: 'pending', supplier: 'S-2', quantity: String(Number(quantity) + 100) },
    ])
  })
})

describe('what was proposed at another price, or from somebody else', () => {
  it.each([
    ['supplier', { supplier: 'S-3' }, { supplier: 'S-1' }],
    ['currency', { currency: 'USD' }, { currency: 'EUR' }],
    ['unit_cost', { unitCost: '3.61' }, { unitCost: '3.60' }],
  ])('is stale: %s', async (target, moved, within) => {
    const { ID } = (await openOf('J'))[0]!
    const set = (values: object) =>
      UPDATE.entity(Planning).set(values).where({ source_ID: source, sku: 'J' })
    await set(moved)
    const refusal = { code: 'proposal_stale', options: { details: [{ target }] } }
    await expect(approve(ID)).rejects.toMatchObject(refusal)
    await set(within)
    expect(await openOf('J')).toMatchObject([{ ID, status: 'pending' }])
  })

  it('is approved within the tolerance', async () => {
    const { ID } = (await openOf('J'))[0]!
    expect(await approve(ID)).toMatchObject({ status: 'approved', unitCost: '3.00' })
  })
})

it('in another currency it is proposed anew', async () => {
  const before = (await openOf('D'))[0]!
  for (const currency of ['USD', 'EUR']) {
    await UPDATE.entity(Planning).set({ currency }).where({ source_ID: source, sku: 'D' })
    await refresh()
    expect(await openOf('D')).toMatchObject([{ ID: before.ID, currency, value: before.value }])
  }
})

describe('a value', () => {
  const priceOf = async (unitCost: string) => {
    await UPDATE.entity(Planning)
      .set({ unitCost: unitCost as never })
      .where({ source_ID: source, sku: 'I' })
    await refresh()
    const { ID } = (await openOf('I'))[0]!
    return proposalsAs({}, 'find', { ID })
  }

  it('is exact, and not known where it is larger than any order', async () => {
    const { quantity, value } = await priceOf('12345678901.2345')
    expect(value).toBe((12345678901.2345 * quantity).toFixed(2))
    expect(await priceOf('999999999999999.9999')).toMatchObject({ value: null, quantity })
    expect(await priceOf('3.00')).toMatchObject({ value: (3 * quantity).toFixed(2) })
  })
})

describe('what is on order', () => {
  it('counts where it arrives in time, and is named where it does not', async () => {
    const orders = [1, 80].map((days, line) => `P1,${line},F,L1,50,${daysAgo(-days)}`)
    await writeFiles('again', {
      'open_orders.csv': `order,line,sku,location,quantity,due\n${orders.join('\n')}\n`,
    })
    await sync(source)
    const { ID } = (await openOf('F'))[0]!
    const { calculation } = await proposalsAs({}, 'find', { ID })
    expect(calculation).toMatchObject({ onOrder: 50, onOrderLater: 50 })
  })

  it('holds approved quantities until the ERP has their order', async () => {
    const { ID, quantity } = (await openOf('F'))[0]!
    await approve(ID)
    await refresh()
    const supply = (await openOf('F'))[0]?.calculation_openProposals ?? Number(quantity)
    expect(supply).toBe(Number(quantity))
  })
})
