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
      ...{ ...line, kind: 'requisition', reference: null, supplier: null },
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
