import cds from '@sap/cds'
import { Proposals } from '../../../srv/store/entities.ts'
import { approve, proposalsAs } from '../../support/buyer.ts'
import { connectFiles, steadyDemand, sync } from '../../support/server.ts'

const { SELECT } = cds.ql

const SKUS = ['A', 'B', 'C']
const header = 'sku,location,lead_time_days,moq,lot_size,supplier,unit_cost,currency'

let source: number

beforeAll(async () => {
  source = await connectFiles('orders', {
    'demand.csv': steadyDemand(SKUS, { quantity: 10 }),
    'stock.csv': 'sku,location,on_hand\nA,L1,20\nB,L1,160\nC,L1,20\n',
    'planning.csv': `${header}\n${['A,L1,7,,5,S-1', 'B,L1,7,,5,S-1', 'C,L1,7,,5,S-2'].map((row) => `${row},2.00,EUR`).join('\n')}\n`,
  })
  await sync(source)
})

const refresh = () => proposalsAs({}, 'refresh', { source, sync: null })
const set = (rule: object) => proposalsAs({ id: 'admin' }, 'setPolicy', { rule })

const open = async () => {
  const rows = await SELECT.from(Proposals).where({ status: 'pending' }).orderBy('sku')
  return Promise.all(rows.map(({ ID }: { ID: number }) => proposalsAs({}, 'find', { ID })))
}

it('raises the lines of a supplier to the minimum of its order, pairs that need nothing yet included', async () => {
  const before = await open()
  expect(before.map(({ sku }) => sku)).toEqual(['A', 'C'])
  await set({ level: 'supplier', supplier: 'S-1', minimumOrderValue: '700.00' })
  await refresh()
  const after = await open()
  const ofSupplier = after.filter(({ supplier }) => supplier === 'S-1')
  const value = ofSupplier.reduce((sum, { value }) => sum + Number(value), 0)
  expect(value).toBeGreaterThanOrEqual(700)
  expect(value).toBeLessThan(700 + 10)
  for (const { quantity, calculation } of ofSupplier) {
    expect(quantity).toBe(calculation.quantity)
    if (!calculation.supplierMinimum) continue
    expect(calculation.drivers).toContain('supplier_minimum')
    expect(calculation.rules!.supplier_minimum).toBe('policy:supplier S-1')
  }
  expect(after.find(({ sku }) => sku === 'C')).toMatchObject({
    ...{ version: 1, quantity: before[1]!.quantity },
  })
})

it('proposes the same again without news, and a raised line can be approved', async () => {
  const before = await open()
  await refresh()
  const after = await open()
  expect(after.map(({ ID, version, quantity }) => [ID, version, quantity])).toEqual(
    before.map(({ ID, version, quantity }) => [ID, version, quantity]),
  )
  const raised = after.find(({ calculation }) => calculation.supplierMinimum)
  expect(await approve(raised!.ID)).toMatchObject({ status: 'approved' })
})

it('raises an order to where the freight is free, if that is cheaper', async () => {
  const valueOf = async (supplier: string) =>
    (await open())
      .filter((proposal) => proposal.supplier === supplier)
      .reduce((sum, { value }) => sum + Number(value), 0)
  const before = await valueOf('S-2')
  const freight = (freeFreightFrom: number, freightCost: string) =>
    set({
      ...{ level: 'supplier', supplier: 'S-2' },
      ...{ freeFreightFrom: `${freeFreightFrom}.00`, freightCost },
    })
  await freight(before + 100, '0.01')
  await refresh()
  expect(await valueOf('S-2')).toBe(before)
  await freight(before + 100, '50.00')
  await refresh()
  expect(await valueOf('S-2')).toBeGreaterThanOrEqual(before + 100)
})
