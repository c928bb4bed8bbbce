// Purchase orders of the sandbox ERP: what came of them, and the way from an approval to one of them and back.
import cds from '@sap/cds'
import { LeadTimes, PairInputs, Proposals } from '../../../srv/base/database/entities.ts'
import { type Erp, startErp } from '../../../sandbox/index.ts'
import { approve } from '../../support/buyer.ts'
import { daysAgo, sync } from '../../support/server.ts'
import { connect, leave } from './source.ts'

const { SELECT } = cds.ql

let erp: Erp
let source: number

const median = (values: number[]) => {
  const [low, high] = [(values.length - 1) >> 1, values.length >> 1]
  return (values[low]! + values[high]!) / 2
}

const proposalOf = (ID: number) => SELECT.one.from(Proposals).where({ ID })

/** What a new calculation of the pair would count as supply. */
async function supplyOf(series: number) {
  const pair = await SELECT.one.from(PairInputs).where({ ID: series })
  const approved = await SELECT.from(Proposals).where({ series, status: 'approved' })
  const units = approved.reduce((sum, { quantity }) => sum + Number(quantity), 0)
  return Number(pair!.onOrder ?? 0) + units
}

describe.each(['v4', 'v2'])('a source that reads purchase orders by %s', (version) => {
  beforeAll(async () => {
    erp = await startErp({ size: 24, days: 150 })
    ;({ source } = await connect(erp, 'basic', { purchase_orders: version }))
    expect(await sync(source, 'full')).toMatchObject({ status: 'succeeded', issues: [] })
  })
  afterAll(() => leave(erp))

  it('measures the lead times of what came, late or not', async () => {
    const truth = erp.leadTimes()
    expect(truth.length).toBeGreaterThan(15)
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

  it('sees the purchase order of an approval, and counts it once', async () => {
    const { ID } = (await SELECT.one
      .from(Proposals)
      .where({ source_ID: source, status: 'pending' })
      .orderBy('ID'))!
    const { sku, location, series, quantity } = await approve(ID)
    const before = await supplyOf(series)

    // What arrives later than the next order would is no supply yet.
    const schedule = [{ due: daysAgo(-1), quantity }]
    const reference = `prop_${ID}`
    erp.control.change([{ kind: 'order', sku, location, quantity, reference, schedule }])
    expect(await sync(source)).toMatchObject({ status: 'succeeded', issues: [] })

    expect(await proposalOf(ID)).toMatchObject({ status: 'ordered', flag: null })
    expect(await supplyOf(series)).toBe(before)
    const open = await SELECT.from(Proposals).where({ series, status: 'pending' })
    expect(open).toEqual([])
    expect(erp.control.counts().writes).toBe(0)
  })
})
