// Answers whose rows, lists below rows or values are something else than they ought to be: no read ends in an error that would
// end the whole sync.
import { startBusinessOne } from '../../../sandbox/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import { someOf } from '../../support/some-of.ts'
import { adapter, connectionTo } from './support.ts'

const RUBBISH = [null, undefined, 'x', -1, 1e300, true, {}, [null], 'a'.repeat(500), '2031-02-30']

let erp: BusinessOneSandbox
beforeAll(async () => {
  erp = await startBusinessOne(makeCompany({ size: 20, days: 5 }))
})
afterAll(() => erp.close())

type Row = Record<string, unknown>

const LINE: Row = {
  ...{ LineNum: 0, ItemCode: 'A', WarehouseCode: '01', LineStatus: 'bost_Open' },
  ...{ InventoryQuantity: 5, RemainingOpenInventoryQuantity: 3, Quantity: 1, Price: 3 },
  ...{ Currency: 'EUR', ShipDate: '2031-01-01', RequiredDate: '2031-01-01', LineVendor: 'V' },
  ...{ BaseType: 5, BaseEntry: 3, BaseLine: 2, AgreementNo: 12, AgreementRowNumber: 1 },
}
const DOCUMENT: Row = {
  ...{ DocEntry: 5, DocNum: 5, DocDate: '2031-01-01', CardCode: 'V', NumAtCard: 'x' },
  DocumentLines: [LINE],
}
const AGREEMENT_LINE: Row = {
  ...{ AgreementRowNumber: 1, ItemNo: 'A', PlannedQuantity: 5, CumulativeQuantity: 1 },
  ...{ UnitPrice: 3, PriceCurrency: 'EUR', LineDiscount: 0, UnitsOfMeasurement: 2 },
  ...{ PlannedAmountLC: 5, PlannedAmountFC: 0, CumulativeAmountLC: 1, CumulativeAmountFC: 0 },
}
const agreement = (AgreementMethod: string): Row => ({
  ...{ AgreementNo: 12, BPCode: erp.company.suppliers[0]!.code, StartDate: '2026-01-01' },
  ...{ EndDate: '2031-01-01', TerminateDate: null, Status: 'asApproved', AgreementMethod },
  ...{ IgnorePricesInAgreement: 'tNO', BlanketAgreements_ItemsLines: [AGREEMENT_LINE] },
})
const BATCH: Row = {
  ...{ ItemCode: 'A', WhsCode: '01', DistNumber: 'B', Quantity: 4, ExpDate: '20310101' },
}

/** Rows with rubbish in one field, in one field of the list below, or in the place of either. */
function* spoilt(row: Row, list?: string): Generator<unknown> {
  for (const rubbish of RUBBISH) {
    yield rubbish
    for (const field of Object.keys(row)) yield { ...row, [field]: rubbish }
    if (!list) continue
    const [line] = row[list] as [Row]
    yield { ...row, [list]: [rubbish] }
    for (const field of Object.keys(line)) yield { ...row, [list]: [{ ...line, [field]: rubbish }] }
  }
}

it.each([
  ['drafts', 'PurchaseQuotations', () => spoilt(DOCUMENT, 'DocumentLines')],
  ['openOrders', 'PurchaseOrders', () => spoilt(DOCUMENT, 'DocumentLines')],
  ['openOrders', 'PurchaseInvoices', () => spoilt(DOCUMENT, 'DocumentLines')],
  ...['amItem', 'amMonetary'].map((method) => [
    ...['drafts', 'BlanketAgreements'],
    () => spoilt(agreement(method), 'BlanketAgreements_ItemsLines'),
  ]),
  ['batches', 'SQLQueries', () => spoilt(BATCH)],
] as [string, string, () => Generator<unknown>][])('%s of %s', async (record, set, rows) => {
  const ends = new Map<string, number>()
  for (const row of someOf([...rows()], 7)) {
    erp.clearFaults()
    erp.fault({ match: new RegExp(set), status: 200, body: { value: [row] }, times: 2 })
    const end = await tryRead(record)
    ends.set(end, (ends.get(end) ?? 0) + 1)
  }
  expect([...ends.keys()].filter((end) => !/^(read|Fatal|Retriable)$/.test(end))).toEqual([])
  expect(ends.get('read')).toBeGreaterThan(ends.get('Fatal') ?? 0)
})

async function tryRead(record: string): Promise<string> {
  const connection = connectionTo(erp, { batches_query: 'restock_batches' })
  const stream = adapter.streams(connection).find((each) => each.record === record)!
  try {
    for await (const page of stream.read(null, new AbortController().signal)) page.records.at(0)
    return 'read'
  } catch (error) {
    const { name, message } = error as Error
    return ['Fatal', 'Retriable'].includes(name) ? name : message
  }
}
