// Texts of an ERP that are longer than they can be stored, or that databases refuse.
import cds from '@sap/cds'
import { type Change, type Erp, startErp } from '../../../sandbox/index.ts'
import { Skus, Suppliers } from '../../../srv/base/database/entities.ts'
import { sync } from '../../support/server.ts'
import { connect } from './source.ts'

const { SELECT } = cds.ql
let erp: Erp
beforeAll(async () => {
  erp = await startErp({ size: 20, days: 8 })
})
afterAll(() => erp.close())

it('set their rows aside by name, or are cut where they are names; all else is stored', async () => {
  const pairs = [...erp.truth({ demand: false })]
  const bought = pairs.find(({ supplier }) => supplier)!
  const skus = [...new Set(pairs.map(({ sku }) => sku))].filter((each) => each !== bought.sku)
  const [group, unit, named] = skus as [string, string, string]
  const planned = pairs.find(({ sku }) => sku === skus[3])!
  const { sku, location } = bought
  const [made] = erp.control.change([{ kind: 'order', sku, location, quantity: 9 }])
  const PurchaseOrder = made!.document!
  const row = (set: string, key: object, values: object) =>
    ({ kind: 'row', set, key, values }) as Change
  erp.control.change([
    row('A_Product', { Product: group }, { ProductGroup: 'G'.repeat(101) }),
    row('A_Product', { Product: unit }, { BaseUnit: 'U'.repeat(21) }),
    { kind: 'rename', sku: named, name: `NUL \0 half \ud83d 😀 ${'N'.repeat(300)}` },
    row('A_Supplier', { Supplier: bought.supplier! }, { SupplierName: `${'S'.repeat(199)}😀` }),
    row(
      'A_ProductSupplyPlanning',
      { Product: planned.sku, Plant: planned.location },
      {
        FollowUpProduct: 'F'.repeat(101),
      },
    ),
    row('PurchaseOrder', { PurchaseOrder }, { CorrespncExternalReference: 'R'.repeat(101) }),
  ])
  const { source } = await connect(erp)
  const { status, issues } = await sync(source, 'full')
  expect(status).toBe('partial')
  const told = issues.map(({ stream, message }) => `${stream}: ${message}`)
  for (const each of [
    'skus: ProductGroup must have at most 100 characters.',
    'skus: BaseUnit must have at most 20 characters.',
    'planning: FollowUpProduct must have at most 100 characters.',
    'openOrders: CorrespncExternalReference must have at most 100 characters.',
  ])
    expect(told).toContain(each)
  expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['invalid_value']))
  const stored = await SELECT.from(Skus).columns('sku', 'name').where({ source_ID: source })
  expect(stored.map(({ sku }) => sku).sort()).toEqual(
    skus
      .concat(bought.sku)
      .filter((sku) => sku !== group && sku !== unit)
      .sort(),
  )
  expect(stored.find(({ sku }) => sku === named)!.name).toBe(
    `NUL \ufffd half \ufffd 😀 ${'N'.repeat(184)}`,
  )
  const supplier = { source_ID: source, supplier: bought.supplier! }
  expect((await SELECT.one.from(Suppliers).where(supplier))!.name).toBe('S'.repeat(199))
})
