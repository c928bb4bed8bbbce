// Faults, and the order in which pages come, change nothing about forecasts and proposals once all is read.
import { type Erp, type Fault, startErp } from '../../../sandbox/index.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { resultsOf } from '../../support/results.ts'
import { sync } from '../../support/server.ts'
import { connect } from './source.ts'

let erp: Erp
let clean: Awaited<ReturnType<typeof resultsOf>>
let source = 0

beforeAll(async () => {
  erp = await startErp({ size: 30, days: 60, maxPage: 20 })
  ;({ source } = await connect(erp))
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  clean = await resultsOf(source)
  expect(clean.forecasts.length).toBeGreaterThan(20)
  expect(clean.proposals.length).toBeGreaterThan(5)
})
afterEach(() => erp.control.clearFaults())
afterAll(() => erp.close())

const gone = (match: string, skip = 0): Fault => ({
  ...{ kind: 'status', status: 503, retryAfter: '3600', times: null, match, skip },
})

/** Reads in full with these faults, and then without. */
async function isMended(faults: Fault[], status: string) {
  for (const fault of faults) erp.control.fault(fault)
  expect(await sync(source, 'full')).toMatchObject({ status })
  erp.control.clearFaults()
  expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })
  expect(await resultsOf(source)).toEqual(clean)
}

/** The same ERP as a new source, read in pages of another size. */
it.each([
  ['demand', [gone('A_MaterialDocumentHeader.*expand', 4)], 'failed'],
  ['products', [gone('A_Product\\?', 2)], 'failed'],
  [
    'stock, planning and receipts',
    [
      gone('A_MatlStkInAcctMod', 1),
      gone('A_ProductSupplyPlanning', 1),
      gone('A_MaterialDocumentHeader.*PurchaseOrder', 1),
    ],
    'partial',
  ],
])('after 503 at %s and the next sync', async (_streams, faults, status) => {
  await removeSource(source)
  ;({ source } = await connect(erp, 'basic', { page_size: 13, document_page_size: 7 }))
  await isMended(faults, status)
})

it('after a full sync that failed, of a source that was whole', () =>
  isMended([gone('A_MaterialDocumentHeader.*expand', 2)], 'failed'))
