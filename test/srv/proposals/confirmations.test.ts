// What suppliers confirm of orders: the day and the quantity that count, and what is told where they differ.
import cds from '@sap/cds'
import { Exceptions, OrderPromises } from '../../../srv/base/database/entities.ts'
import { movementsOfProposal } from '../../../srv/domain/proposals/index.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { proposalsAs } from '../../support/buyer.ts'
import { daysAgo, sync, writeFiles } from '../../support/server.ts'
import { daysAhead, openStore } from './late-orders.ts'

const { SELECT } = cds.ql
const KINDS = ['slipped_order', 'short_confirmation', 'unconfirmed_order']

interface Order {
  sku: string
  due?: string
  orderedOn?: string
  confirmedOn?: string
  confirmed?: number
  quantity?: number
}

const account = 'confirmations'
const buyer = new cds.User({ id: 'buyer', roles: ['Viewer', 'Buyer'], attr: {} })
const openOrdersOf = async (ID: number) => {
  const found = await cds.tx({ user: buyer } as never, () => movementsOfProposal(ID))
  return found.filter(({ kind }) => kind === 'open_order')
}

const write = (orders: Order[]) =>
  writeFiles(account, {
    'open_orders.csv': [
      'order,line,sku,location,quantity,due,ordered_on,confirmed_on,confirmed_quantity',
      ...orders.map(
        ({ sku, due = daysAhead(5), orderedOn, confirmedOn, confirmed, quantity = 100 }) =>
          [`PO-${sku}`, 1, sku, 'L1', quantity, due, orderedOn, confirmedOn, confirmed].join(','),
      ),
      '',
    ].join('\n'),
  })

describe('what suppliers confirm', () => {
  let source: number
  const told = () =>
    SELECT.from(Exceptions)
      .where({ source_ID: source, kind: { in: KINDS } })
      .orderBy('sku', 'kind')
  const proposalOf = async (sku: string) =>
    (await SELECT.one
      .from('restock.Proposals')
      .where({ source_ID: source, sku, status: 'pending' })) as {
      ID: number
      calculation_onOrder: number
    }

  beforeAll(async () => {
    source = await openStore(account, { moved: 20, short: 20, silent: 20, slip: 20, well: 20 }, [])
    await write([
      { sku: 'moved' },
      { sku: 'short' },
      { sku: 'silent', orderedOn: daysAgo(8) },
      { sku: 'slip' },
      { sku: 'well' },
    ])
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  })

  it('are no matter where a source says nothing of them', async () => {
    expect(await told()).toEqual([])
  })

  it('becomes exceptions with the money at risk at the next sync', async () => {
    await write([
      { sku: 'moved', due: daysAhead(16) },
      { sku: 'short', confirmed: 5 },
      { sku: 'silent', orderedOn: daysAgo(8), quantity: 90 },
      { sku: 'slip', confirmedOn: daysAhead(20) },
      { sku: 'well', confirmedOn: daysAhead(4), confirmed: 100 },
    ])
    await sync(source)
    const rows = await told()
    expect(rows).toMatchObject([
      {
        ...{ sku: 'moved', kind: 'slipped_order', quantity: 100 },
        ...{ promisedOn: daysAhead(16), wantedOn: daysAhead(5) },
      },
      {
        ...{ sku: 'short', kind: 'short_confirmation', quantity: 95 },
        message: 'Order PO-short/1 is confirmed for 5: 95 are not, and are not counted as coming.',
      },
      { sku: 'silent', kind: 'unconfirmed_order', quantity: 90, wantedOn: daysAgo(8) },
      {
        ...{ sku: 'slip', kind: 'slipped_order', document: 'PO-slip/1' },
        ...{ promisedOn: daysAhead(20), wantedOn: daysAhead(5) },
      },
    ])
    // 20 on hand last 5 days at 4 a day. A unit short costs 0.4 of 2.50, so one: 44 until day 16, 60 until day 20, and of
    // 25 that come 15 until day 10, on which an order of today arrives.
    const risks = rows.map(({ valueAtRisk }) => Number(valueAtRisk))
    for (const [at, risk] of [44, 15, 20, 60].entries()) expect(risks[at]).toBeCloseTo(risk, 0)
  })

  it('counts as supply by the confirmed day and quantity', async () => {
    const { ID, calculation_onOrder: onOrder } = await proposalOf('short')
    expect(Number(onOrder)).toBe(5)
    expect(await openOrdersOf(ID)).toMatchObject([
      { quantity: 5, promise: { unconfirmed: 95, isConfirmed: true } },
    ])
    expect(await openOrdersOf((await proposalOf('slip')).ID)).toMatchObject([
      { date: daysAhead(20), due: daysAhead(5), quantity: 100 },
    ])
  })

  it('is told anew after it was settled where the order slips again', async () => {
    const slip = (await told()).find(({ sku }) => sku === 'slip')!
    await proposalsAs({}, 'settleException', { ID: slip.ID, comment: 'Agreed' })
    await sync(source)
    const settledAt = async () => (await told()).find(({ sku }) => sku === 'slip')!.settledAt
    expect(await settledAt()).not.toBeNull()
    await write([{ sku: 'slip', confirmedOn: daysAhead(27) }])
    await sync(source)
    expect(await settledAt()).toBeNull()
    expect(await told()).toHaveLength(1)
  })

  it('is forgotten with the order, and with the source', async () => {
    const remembered = () => SELECT.from(OrderPromises).where({ source_ID: source })
    expect(await remembered()).toHaveLength(1)
    await write([{ sku: 'slip', confirmedOn: daysAhead(5) }])
    await sync(source)
    expect(await told()).toEqual([])
    await removeSource(source)
    expect(await remembered()).toEqual([])
  })
})
