// What no order can mend: found by a run, kept as long as it holds, settled by a person.
import cds from '@sap/cds'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { visibleEvents } from '../../../srv/domain/authority/index.ts'
import { type Call, callAs as callAsUser, proposalsAs } from '../../support/buyer.ts'
import { daysAgo, steadyDemand, sync, writeFiles } from '../../support/server.ts'
import { daysAhead, lateOrder, openStore, ordersOf, stockOf } from './late-orders.ts'
import { AuditLog, Exceptions } from '../../../srv/base/database/entities.ts'

const { DELETE, INSERT, SELECT, UPDATE } = cds.ql

const storedFor = (source: number) =>
  SELECT.from(Exceptions).where({ source_ID: source }).orderBy('sku', 'kind')

describe('a run', () => {
  let source: number
  beforeAll(async () => {
    const orders = [
      lateOrder('expedite'),
      { order: 'PO-late', sku: 'overdue', quantity: 60, due: daysAgo(3) },
    ]
    source = await openStore(
      'exceptions-run',
      { expedite: 8, overdue: 60, plenty: 4000, sound: 60 },
      orders,
    )
    expect(await sync(source)).toMatchObject({ status: 'succeeded' })
  })

  it('finds orders that should come sooner, overdue ones and too much stock', async () => {
    const rows = await storedFor(source)
    expect(rows).toMatchObject([
      { sku: 'expedite', kind: 'expedite', document: 'PO-expedite/1', promisedOn: daysAhead(8) },
      { sku: 'overdue', kind: 'overdue_order', quantity: 60, promisedOn: daysAgo(3) },
      { sku: 'plenty', kind: 'overstock', document: '', promisedOn: null },
    ])
    for (const row of rows) {
      expect(row).toMatchObject({
        location: 'L1',
        supplier: 'S-1',
        currency: 'EUR',
        settledAt: null,
      })
      expect(Number(row.value)).toBe(row.quantity! * 2.5)
      expect(row.message).toMatch(/\d/)
    }
  })

  it('writes nothing where nothing has changed', async () => {
    const before = await storedFor(source)
    await proposalsAs({}, 'refresh', { source, sync: null })
    expect(await storedFor(source)).toEqual(before)
  })

  it('follows quantities and days, under the same number', async () => {
    const [before] = await storedFor(source)
    const orders = [{ ...lateOrder('expedite'), due: daysAhead(9) }]
    await writeFiles('exceptions-run', { 'open_orders.csv': ordersOf(orders, 'L1') })
    await sync(source)
    const [after, ...rest] = await storedFor(source)
    expect(after).toMatchObject({ ID: before!.ID, createdAt: before!.createdAt })
    expect(after!.promisedOn).toBe(daysAhead(9))
    expect(after!.updatedAt! > before!.updatedAt!).toBe(true)
    expect(rest.map(({ kind }) => kind)).toEqual(['slipped_order', 'overstock'])
  })

  it('removes what has been mended', async () => {
    const stock = { expedite: 60, overdue: 60, plenty: 4000, sound: 60 }
    await writeFiles('exceptions-run', { 'stock.csv': stockOf(stock, 'L1') })
    await sync(source)
    expect(await storedFor(source)).toMatchObject([{ sku: 'plenty' }])
  })

  it('removes those of pairs that the source no longer has', async () => {
    await writeFiles('exceptions-run', {
      'demand.csv': steadyDemand(['expedite', 'overdue', 'sound']),
    })
    await sync(source, 'full')
    expect(await storedFor(source)).toMatchObject([{ kind: 'no_history', sku: 'plenty' }])
  })
})

describe('settling', () => {
  let source: number
  let ID: number
  const now = async () => (await storedFor(source))[0]!
  const settle = (data: object = {}, who: object = {}) =>
    proposalsAs(who, 'settleException', { ID, ...data })
  const auditOf = async () =>
    await SELECT.from(AuditLog).where({ action: 'exception.settled', object: `exc_${ID}` })
  const setOrder = (order: Partial<ReturnType<typeof lateOrder>>) =>
    writeFiles('exceptions-settle', {
      'open_orders.csv': ordersOf([{ ...lateOrder('item'), ...order }], 'L1'),
    })

  beforeAll(async () => {
    source = await openStore('exceptions-settle', { item: 60 }, [])
    await setOrder({ quantity: 10, due: daysAgo(3) })
    await sync(source)
    ID = (await now()).ID
  })

  it('needs an approving role', async () => {
    for (const roles of [['Viewer'], ['Admin'], ['Auditor']]) {
      await expect(settle({}, { id: 'viewer', roles })).rejects.toMatchObject({
        code: 'insufficient_scope',
      })
    }
    expect((await now()).settledAt).toBeNull()
  })

  it('is said with who and when, and audited once', async () => {
    const done = await settle({ comment: 'On its way' }, { id: 'buyer' })
    expect(done).toMatchObject({ ID, settledBy: 'buyer', comment: 'On its way' })
    expect(await settle({ comment: 'Again' }, { id: 'approver' })).toEqual(done)
    const entries = await auditOf()
    expect(entries).toMatchObject([{ actor: 'buyer', via: 'api' }])
    expect(entries[0]!.detail).toBe('overdue_order item at L1 PO-item/1: On its way')
  })

  it('holds at the next runs, also where the quantity grows by half or less', async () => {
    await proposalsAs({}, 'refresh', { source, sync: null })
    await setOrder({ quantity: 15, due: daysAgo(3) })
    await sync(source)
    expect(await now()).toMatchObject({ ID, quantity: 15, settledBy: 'buyer' })
  })

  it('ends where the quantity has grown by more than half', async () => {
    await setOrder({ quantity: 16, due: daysAgo(3) })
    await sync(source)
    expect(await now()).toMatchObject({ ID, quantity: 16, settledAt: null, settledBy: null })
    expect((await now()).comment).toBeNull()
  })

  it('is gone with what was settled', async () => {
    await settle()
    await setOrder({ quantity: 16, due: daysAhead(3) })
    await sync(source)
    expect(await storedFor(source)).toMatchObject([{ kind: 'slipped_order' }])
    await setOrder({ quantity: 16, due: daysAgo(3) })
    await sync(source)
    expect((await now()).ID).not.toBe(ID)
    expect((await now()).settledAt).toBeNull()
    await expect(settle()).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('an incremental run', () => {
  it('touches only the pairs that it computes', async () => {
    const source = await openStore('exceptions-due', { a: 60, b: 60 }, [
      { order: 'PO-a', sku: 'a', quantity: 10, due: daysAgo(3) },
      { order: 'PO-b', sku: 'b', quantity: 10, due: daysAgo(3) },
    ])
    await sync(source)
    const [a, b] = await storedFor(source)
    await UPDATE.entity('restock.Exceptions')
      .set({ message: 'as it was' })
      .where({ source_ID: source })
    await writeFiles('exceptions-due', { 'stock.csv': stockOf({ a: 60, b: 61 }, 'L1') })
    await sync(source)
    expect(await storedFor(source)).toMatchObject([
      { ID: a!.ID, message: 'as it was' },
      { ID: b!.ID, message: b!.message },
    ])
  })
})

describe('the list', () => {
  const LATE = { quantity: 10, due: daysAgo(3) }
  const list = (filter: object = {}, attr: object = {}, after: string | null = null, limit = 50) =>
    listAs(attr, { filter, after, limit })
  let sources: number[]

  beforeAll(async () => {
    const orders = (skus: string[]) => skus.map((sku) => ({ ...LATE, order: `PO-${sku}`, sku }))
    sources = [
      await openStore('exceptions-e1', { p: 60, q: 4000 }, orders(['p', 'q']), 'E1'),
      await openStore('exceptions-e2', { p: 60 }, orders(['p']), 'E2'),
    ]
    for (const source of sources) await sync(source)
  })

  it('filters', async () => {
    const found = async (filter: object) =>
      (await list(filter)).data
        .filter(({ location }) => location.startsWith('E'))
        .map(({ sku, location, kind }) => `${kind} ${sku} ${location}`)
        .sort()
    const [p1, p2] = ['overdue_order p E1', 'overdue_order p E2']
    expect(await found({ location: 'E1' })).toEqual(
      ['overdue_order q E1', 'overstock q E1', p1].sort(),
    )
    expect(await found({ sku: 'p' })).toEqual([p1, p2])
    expect(await found({ kind: ['overstock'] })).toEqual(['overstock q E1'])
    expect(await found({ kind: ['overstock', 'overdue_order'], sku: 'p' })).toEqual([p1, p2])
    expect(await found({ supplier: 'S-2' })).toEqual([])
    expect(await found({ supplier: 'S-1', location: 'E2' })).toEqual([p2])
  })

  it('is paged from the newest on', async () => {
    const seen: number[] = []
    for (let after: string | null = null; ;) {
      const page = await list({}, {}, after, 2)
      seen.push(...page.data.map(({ ID }) => ID))
      after = page.next
      if (after === null) break
    }
    expect(seen).toEqual((await list()).data.map(({ ID }) => ID))
    expect(seen).toEqual(seen.toSorted((a, b) => b - a))
  })

  it('has only rows that the user sees, and these alone are settled', async () => {
    const attr = { locations: ['E1'] }
    const own = (await list({}, attr)).data
    expect(own).toHaveLength(3)
    expect(own.every(({ location }) => location === 'E1')).toBe(true)
    const [other] = (await list({ location: 'E2' })).data
    await expect(callAs(attr, 'settleException', { ID: other!.ID })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(callAs(attr, 'findException', { ID: other!.ID })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('is in the audit trail only for who sees the row', async () => {
    const [[own], [other]] = [
      (await list({ location: 'E1' })).data,
      (await list({ location: 'E2' })).data,
    ]
    const entries = [own, other].map((row) => ({ object: `exc_${row!.ID}` }))
    const bound = userOf({ locations: ['E1'] })
    expect(await visibleEvents(bound, entries)).toEqual([entries[0]])
    expect(await visibleEvents(userOf({}), entries)).toEqual(entries)
  })

  it('is settled by a deputy in the absent person’s name, and only at locations that a limit names', async () => {
    const [row] = (await list({ kind: ['overstock'], location: 'E1' })).data
    await INSERT.into('restock.UserLimits').entries({ user: 'bound', locations: '["E2"]' })
    await expect(callAs({}, 'settleException', { ID: row!.ID })).rejects.toMatchObject({
      code: 'approval_limit_exceeded',
    })
    const delegation = { ID: cds.utils.uuid(), fromUser: 'approver', toUser: 'bound' }
    await INSERT.into('restock.Delegations').entries({
      ...delegation,
      validFrom: new Date(Date.now() - 60_000).toISOString(),
      validTo: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await callAs({}, 'settleException', { ID: row!.ID })
    const [entry] = await SELECT.from(AuditLog).where({ object: `exc_${row!.ID}` })
    expect(entry).toMatchObject({
      actor: 'bound',
      detail: 'overstock q at E1 for approver',
    })
    await DELETE.from('restock.UserLimits').where({ user: 'bound' })
    await DELETE.from('restock.Delegations').where({ ID: delegation.ID })
  })

  it('has settled ones only where they are asked for', async () => {
    const [row] = (await list({ location: 'E2' })).data
    await proposalsAs({}, 'settleException', { ID: row!.ID })
    expect((await list({ location: 'E2' })).data).toEqual([])
    expect((await list({ location: 'E2', settled: true })).data).toMatchObject([{ ID: row!.ID }])
  })

  it('loses those of a source that is removed', async () => {
    await removeSource(sources[1]!)
    expect(await storedFor(sources[1]!)).toEqual([])
  })
})

const userOf = (attr: object) =>
  new cds.User({ id: 'bound', roles: ['Viewer', 'Buyer'], attr } as never)

const callAs = <const E extends Call>(attr: object, event: E, data: Record<string, unknown>) =>
  callAsUser(userOf(attr), event, data)

const listAs = (attr: object, data: Record<string, unknown>) => callAs(attr, 'exceptions', data)
