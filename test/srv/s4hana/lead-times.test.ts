// Lead times from the goods receipts of the sandbox ERP, against what its world says.
import cds from '@sap/cds'
import { LeadTimes } from '../../../srv/base/database/entities.ts'
import { type Erp, startErp } from '../../../sandbox/index.ts'
import { sync } from '../../support/server.ts'
import { connect, leave } from './source.ts'

const { SELECT } = cds.ql

let erp: Erp
afterEach(() => leave(erp))

const median = (values: number[]) => {
  const [low, high] = [(values.length - 1) >> 1, values.length >> 1]
  return (values[low]! + values[high]!) / 2
}

it.each(['v4', 'v2'])('measures what came, late or not (%s)', async (version) => {
  erp = await startErp({ size: 60, days: 300 })
  const { source } = await connect(erp, 'basic', { purchase_orders: version })
  expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  const truth = erp.leadTimes()
  expect(truth.length).toBeGreaterThan(40)
  expect(truth.some(({ late }) => late > 0)).toBe(true)
  const rows = await SELECT.from(LeadTimes).where({ source_ID: source, sku: { '!=': '' } })
  const shown = rows.map((row) => ({
    ...{ supplier: row.supplier, sku: row.sku, receipts: row.receipts, days: row.days },
    late: Math.round(Number(row.shareLate) * Number(row.receipts)),
  }))
  const expected = truth.map(({ supplier, sku, days, late }) => ({
    ...{ supplier, sku, receipts: days.length, days: median(days), late },
  }))
  const byKey = (a: { sku: unknown }, b: { sku: unknown }) =>
    String(a.sku) < String(b.sku) ? -1 : 1
  expect(shown.sort(byKey)).toEqual(expected.sort(byKey))
})
