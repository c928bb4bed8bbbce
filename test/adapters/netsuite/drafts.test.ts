// What nobody has ordered yet, and lots that expire.
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import type { NetsuiteErp } from '../../../sandbox/netsuite/index.ts'
import { adapter, closeAll, connectionTo, startSmall, streamOf } from './support.ts'

let erp: NetsuiteErp
beforeAll(async () => {
  erp = await startSmall()
})
afterAll(closeAll)

async function read<K extends RecordKind>(record: K): Promise<RecordOf<K>[]> {
  const stream = streamOf(connectionTo(erp), record)
  expect(stream).toMatchObject({ isRequired: false, isOptional: true })
  const records: RecordOf<K>[] = []
  for await (const page of stream.read(null, new AbortController().signal)) {
    expect(page.quarantined).toEqual([])
    records.push(...page.records)
  }
  return records
}

it('reads requisitions and orders that nobody has approved, until something is ordered', async () => {
  const { orders } = erp.company
  const open = orders.filter(
    ({ status, lines }) => status === 'open' && lines.every(({ received }) => !received),
  )
  const [order, requisition, ordered, closed] = open.map(({ id }) => id)
  const draft = orders.filter(({ status }) => status === 'draft').map(({ id }) => id)
  await read('drafts')
  erp.execute(`UPDATE "transaction" SET status = 'A', memo = 'for prop_1042' WHERE id = ${order}`)
  erp.execute(
    `UPDATE "transaction" SET type = 'PurchReq', status = 'B' WHERE id IN (${requisition}, ${closed})`,
  )
  erp.execute(`UPDATE "transaction" SET type = 'PurchReq', status = 'F' WHERE id = ${ordered}`)
  erp.execute(`UPDATE transactionline SET isclosed = 'T' WHERE "transaction" = ${closed}`)
  const records = await read('drafts')
  const linesOf = (id: number | undefined) => {
    const { number, lines, supplier, orderedAt } = orders.find((one) => one.id === id)!
    return lines.map((line) => ({
      ...{ document: number, line: String(line.number), quantity: line.quantity, due: line.due },
      ...{ sku: line.pair.item.code, location: line.pair.location.code },
      ...{ createdOn: new Date(orderedAt).toISOString().slice(0, 10), supplier: supplier.code },
    }))
  }
  const rfq = { kind: 'rfq', reference: null }
  const expected = [
    ...draft.flatMap(linesOf).map((line) => ({ ...line, ...rfq })),
    ...linesOf(order).map((line) => ({ ...line, ...rfq, reference: 'prop_1042' })),
    ...linesOf(requisition).map((line) => ({
      ...{ ...line, document: `PurchReq(${line.document})`, kind: 'requisition' },
      ...{ reference: null, supplier: null },
    })),
  ]
  expect(records).toHaveLength(expected.length)
  expect(records).toEqual(expect.arrayContaining(expected))
})

it('reads lots that expire, at each location', async () => {
  const [pair] = erp.company.pairs
  const { item, location } = pair!
  const lot = (id: number, day: string | null, onHand: number) => {
    const date = day === null ? 'NULL' : `'${day} 00:00:00'`
    erp.execute(`INSERT INTO inventorynumber VALUES (${id}, ${item.id}, 'LOT${id}', ${date})`)
    erp.execute(`INSERT INTO inventorynumberlocation VALUES (${id}, ${location.id}, ${onHand})`)
  }
  lot(1, '2031-05-31', 7.5)
  lot(2, null, 3)
  lot(3, '2031-05-31', 0)
  expect(await read('batches')).toEqual([
    {
      ...{ sku: item.code, location: location.code, batch: 'LOT1' },
      ...{ expiresOn: '2031-05-31', quantity: 7.5 },
    },
  ])
})

it('says which right drafts take', async () => {
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  expect(checks.find(({ record }) => record === 'drafts')).toMatchObject({
    ...{ status: 'ok', rights: expect.arrayContaining(['Requisition (View)']) },
  })
})

describe('blanket orders', () => {
  const until = '2031-12-31'
  const agree = (quantity: number) => {
    const { company } = erp
    const pair = company.pairs[3]!
    const supplier = company.suppliers[0]!
    const agreement = company.agree(
      supplier,
      [
        { item: pair.item, location: null, quantity, unitCost: '1' },
        { item: pair.item, location: pair.location, quantity, unitCost: '1' },
      ],
      { from: '2026-01-01', until },
    )
    const order = company.order(supplier, [{ pair, quantity: 20, dueInDays: 9 }])
    order.lines[0]!.agreement = agreement.lines[0]!
    company.receive(order, order.lines[0]!, 5)
    return { agreement, order, pair, supplier }
  }
  const readAll = async <K extends RecordKind>(record: K) => {
    const records: RecordOf<K>[] = []
    const notes: string[] = []
    for await (const page of streamOf(connectionTo(erp), record).read(
      null,
      new AbortController().signal,
    )) {
      records.push(...page.records)
      notes.push(...(page.notes ?? []))
    }
    return { records, notes }
  }
  const contracts = async () =>
    (await readAll('drafts')).records.filter(({ kind }) => kind === 'contract')

  it('are contracts with what orders have called off', async () => {
    const { agreement, order, pair, supplier } = agree(100)
    const common = {
      ...{
        document: `BlankOrd(${agreement.number})`,
        kind: 'contract',
        sku: pair.item.code,
        quantity: 100,
      },
      ...{ due: until, createdOn: '2026-01-01', supplier: supplier.code },
    }
    expect(await contracts()).toEqual([
      { ...common, line: '1', location: '', ordered: 20 },
      { ...common, line: '2', location: pair.location.code, ordered: 0 },
    ])
    const named = (await readAll('openOrders')).records.filter(({ draft }) => draft)
    expect(named).toMatchObject([
      { document: order.number, draft: `BlankOrd(${agreement.number})/1`, quantity: 15 },
    ])
    // Orders that wait for approval have called off nothing yet; of closed ones what has come counts.
    erp.execute(`UPDATE "transaction" SET status = 'A' WHERE id = ${order.id}`)
    expect((await contracts())[0]).toMatchObject({ ordered: 0 })
    erp.execute(`UPDATE "transaction" SET status = 'H' WHERE id = ${order.id}`)
    expect((await contracts())[0]).toMatchObject({ ordered: 5 })
  })

  it('are told apart from a requisition and from an order that waits with the same number', async () => {
    const { agreement, order } = agree(90)
    await contracts()
    const [requisition, waiting] = erp.company.orders.filter(({ status }) => status === 'open')
    erp.execute(
      `UPDATE "transaction" SET type = 'PurchReq', status = 'B', tranid = '${agreement.number}' WHERE id = ${requisition!.id}`,
    )
    erp.execute(
      `UPDATE "transaction" SET status = 'A', tranid = '${agreement.number}' WHERE id = ${waiting!.id}`,
    )
    const { records } = await readAll('drafts')
    const keys = records.map(({ document, line }) => `${document}\n${line}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(records.map(({ document }) => document)).toEqual(
      expect.arrayContaining(
        ['', 'PurchReq', 'BlankOrd'].map((type) =>
          type ? `${type}(${agreement.number})` : agreement.number,
        ),
      ),
    )
    const own = (await readAll('openOrders')).records.find(
      ({ document }) => document === order.number,
    )
    expect(own).toMatchObject({ draft: `BlankOrd(${agreement.number})/1` })
  })

  it('add up calls of the page alone, whatever lies before it', async () => {
    const agreements = [agree(70), agree(80)].map(({ agreement }) => agreement)
    const whole = await contracts()
    const from = erp.log.length
    const options = { page_size: 1 }
    const records: RecordOf<'drafts'>[] = []
    for await (const page of streamOf(connectionTo(erp, options), 'drafts').read(
      null,
      new AbortController().signal,
    ))
      records.push(...page.records)
    expect(records.filter(({ kind }) => kind === 'contract')).toEqual(whole)
    const asked = erp.log.slice(from).flatMap(({ sql }) => sql ?? [])
    const firsts = asked.flatMap((sql) => /k\.previousdoc >= (\d+)/.exec(sql)?.[1] ?? [])
    expect([...new Set(firsts)]).toEqual(
      expect.arrayContaining(['0', ...agreements.map(({ id }) => String(500_000 + id))]),
    )
  })

  it('are left out once they have ended, are not approved, or have nothing left', async () => {
    const { agreement } = agree(20)
    const own = async () =>
      (await contracts()).filter(({ document }) => document === `BlankOrd(${agreement.number})`)
    expect(await own()).toMatchObject([{ line: '2' }])
    const row = `"transaction" SET approvalstatus = 1 WHERE tranid = '${agreement.number}'`
    erp.execute(`UPDATE ${row}`)
    expect(await own()).toEqual([])
    erp.execute(`UPDATE ${row.replace('= 1', "= 2, enddate = '2020-01-01 00:00:00'")}`)
    expect(await own()).toEqual([])
  })
})

it('names the requisition that a line of an order was made of', async () => {
  const { orders } = erp.company
  const untouched = orders.filter(
    ({ status, lines }) => status === 'open' && lines.every(({ received }) => !received),
  )
  const [requisition, order] = untouched.slice(-2)
  // The company as it is now comes before what is changed here.
  await read('drafts')
  erp.execute(
    `UPDATE "transaction" SET type = 'PurchReq', status = 'F' WHERE id = ${requisition!.id}`,
  )
  const link = `(${requisition!.id}, 2, 'PurchReq', ${order!.id}, 1, 'PurchOrd', 'OrdReq')`
  erp.execute(`INSERT INTO previoustransactionlinelink VALUES ${link}`)
  const records: RecordOf<'openOrders'>[] = []
  for await (const page of streamOf(connectionTo(erp), 'openOrders').read(
    null,
    new AbortController().signal,
  ))
    records.push(...page.records)
  const own = records.filter(({ document }) => document === order!.number)
  expect(own[0]).toMatchObject({ line: '1', draft: `PurchReq(${requisition!.number})/2` })
  expect(own.slice(1).every(({ draft }) => draft === undefined)).toBe(true)
})

it('goes on without links between documents, and says so', async () => {
  const small = await startSmall()
  small.set({ missing: ['previoustransactionlinelink'] })
  const notes: string[] = []
  for (const record of ['drafts', 'openOrders'] as const)
    for await (const page of streamOf(connectionTo(small), record).read(
      null,
      new AbortController().signal,
    )) {
      expect(page.quarantined).toEqual([])
      notes.push(...(page.notes ?? []))
    }
  expect(notes).toHaveLength(1)
  const checks = await adapter.check(connectionTo(small), new AbortController().signal)
  expect(checks.filter(({ status }) => status !== 'ok')).toEqual([])
  expect(checks.find(({ record }) => record === 'drafts')).toMatchObject({
    rights: expect.not.arrayContaining(['Blanket Purchase Order (View)']),
    notes: [expect.stringContaining('previoustransactionlinelink')],
  })
})
