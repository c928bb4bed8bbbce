// From an approval to the ERP's own purchase order and back, on the sandbox ERP.
import cds from '@sap/cds'
import { PairInputs, Proposals, Skus } from '../../../srv/base/database/entities.ts'
import { type Erp, startErp } from '../../../sandbox/index.ts'
import { approve } from '../../support/buyer.ts'
import { daysAgo, sync } from '../../support/server.ts'
import { connect, leave } from './source.ts'

const { SELECT } = cds.ql

let erp: Erp
afterEach(() => leave(erp))

const proposalOf = (ID: number) => SELECT.one.from(Proposals).where({ ID })

/** What a new calculation of the pair would count as supply. */
async function supplyOf(series: number) {
  const pair = await SELECT.one.from(PairInputs).where({ ID: series })
  const approved = await SELECT.from(Proposals).where({ series, status: 'approved' })
  const units = approved.reduce((sum, { quantity }) => sum + Number(quantity), 0)
  return Number(pair!.onOrder ?? 0) + units
}

it.each(['v4', 'v2'])(
  'sees the purchase order of an approval, and counts it once (%s)',
  async (version) => {
    erp = await startErp({ size: 120, days: 120 })
    const { source } = await connect(erp, 'basic', { purchase_orders: version })
    await sync(source, 'full')
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
  },
)

it('knows the product groups', async () => {
  erp = await startErp({ size: 60, days: 60 })
  const { source } = await connect(erp)
  await sync(source, 'full')
  const groups = await SELECT.from(Skus).columns('skuGroup').where({ source_ID: source })
  expect(new Set(groups.map((row) => row.skuGroup)).size).toBeGreaterThan(5)
})
