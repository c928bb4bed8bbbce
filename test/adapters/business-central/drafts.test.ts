// Quotes, requisition lines and lots, and what becomes of a source that may not read them.
import type { RecordKind, RecordOf } from '../../../adapters/records.ts'
import { startBusinessCentral } from '../../../sandbox/business-central/index.ts'
import type { BusinessCentralSandbox } from '../../../sandbox/business-central/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { adapter, connectionTo } from './support.ts'

let erp: BusinessCentralSandbox
const start = async (behaviour = {}) => {
  erp = await startBusinessCentral(makeCompany({ size: 120, days: 20 }), behaviour)
  const untouched = erp.company.orders.filter(
    ({ status, lines }) => status === 'open' && lines.every(({ received }) => !received),
  )
  for (const order of untouched.slice(0, 3)) order.status = 'draft'
  return erp.company
}
afterEach(() => erp.close())

async function read<K extends RecordKind>(record: K) {
  const stream = adapter.streams(connectionTo(erp)).find((each) => each.record === record)!
  expect(stream).toMatchObject({ isRequired: false, isOptional: true })
  const records: RecordOf<K>[] = []
  const [quarantined, notes]: [unknown[], string[]] = [[], []]
  for await (const page of stream.read(null, new AbortController().signal)) {
    records.push(...(page.records as RecordOf<K>[]))
    quarantined.push(...page.quarantined)
    notes.push(...(page.notes ?? []))
  }
  return { records, quarantined, notes }
}

it.each([true, false])(
  'reads quotes, until they are orders (encoded: %s)',
  async (encodedChoices) => {
    const company = await start({ encodedChoices })
    const drafts = company.orders.filter(({ status }) => status === 'draft')
    const [first] = drafts
    first!.number = 'HO12-1'
    const before = await read('drafts')
    expect(before.quarantined).toEqual([])
    expect(before.records).toHaveLength(drafts.flatMap(({ lines }) => lines).length)
    const { pair, quantity, due } = first!.lines[0]!
    expect(before.records).toContainEqual({
      ...{ document: 'HO12-1', line: '10000', kind: 'rfq', sku: pair.item.code, quantity },
      ...{ location: pair.location.code, due, supplier: first!.supplier.code, reference: 'ho_12' },
      createdOn: new Date(first!.orderedAt).toISOString().slice(0, 10),
    })
    first!.status = 'open'
    const after = await read('drafts')
    expect(after.records.map(({ document }) => document)).not.toContain('HO12-1')
  },
)

it('reads what somebody entered in a worksheet, not what planning wants changed', async () => {
  const company = await start()
  for (const order of company.orders) if (order.status === 'draft') order.status = 'cancelled'
  const [pair, other] = company.pairs as [(typeof company.pairs)[0], (typeof company.pairs)[0]]
  const due = '2031-02-03'
  erp.set({
    requisitions: [
      { pair, quantity: 5, due },
      { pair, quantity: 7, due: '2031-03-04' },
      { pair: other, quantity: 9, due, origin: 'Planning' },
      { pair: other, quantity: -1, due },
      { pair: other, quantity: 0, due },
    ],
  })
  const { records, quarantined } = await read('drafts')
  const [sku, location] = [pair.item.code, pair.location.code]
  const common = { document: 'REQ/DEFAULT', kind: 'requisition', sku, location, createdOn: null }
  expect(records).toEqual([
    { ...common, line: `${sku}/${location}`, quantity: 5, due },
    { ...common, line: `${sku}/${location}/2`, quantity: 7, due: '2031-03-04' },
  ])
  expect(quarantined).toMatchObject([{ target: 'quantityBase', sku: other.item.code }])
})

it('reads what remains of lots that expire', async () => {
  const company = await start()
  const { records, quarantined } = await read('batches')
  expect(quarantined).toEqual([])
  expect(records.length).toBeGreaterThan(10)
  for (const { sku, location, batch, expiresOn, quantity } of records) {
    const entry = Number(batch.slice('LOT'.length))
    const pair = company.pairs[(entry - 1) >> 1]!
    expect({ sku, location }).toEqual({ sku: pair.item.code, location: pair.location.code })
    // Each sixth entry is the second half of a pair's stock, and expires.
    expect(entry % 6).toBe(0)
    expect(expiresOn).toBe('2031-05-31')
    expect(quantity).toBe(Math.floor(pair.onHand / 2))
  }
})

const checkOf = async (record: RecordKind) => {
  const checks = await adapter.check(connectionTo(erp), new AbortController().signal)
  return checks.find((each) => each.record === record)
}

it('says that an older API does not know when lots expire', async () => {
  await start({ knowsExpiry: false })
  await expect(read('batches')).rejects.toMatchObject({
    ...{ code: 'not_found', message: expect.stringContaining('when lots expire') },
  })
})

it('reads one list where the other may not be read, and says so', async () => {
  await start({ forbidden: ['requisitionLines'] })
  const { records, notes } = await read('drafts')
  expect(records.length).toBeGreaterThan(0)
  expect(notes).toHaveLength(1)
  expect(await checkOf('drafts')).toMatchObject({
    ...{ status: 'ok', notes: [expect.stringContaining('requisitionLines')] },
  })
  erp.set({ forbidden: ['requisitionLines', 'purchaseLines'] })
  expect(await checkOf('drafts')).toMatchObject({
    ...{ status: 'forbidden', rights: expect.arrayContaining(['Read: Requisition Line']) },
  })
  await expect(read('drafts')).rejects.toMatchObject({ code: 'forbidden' })
})
