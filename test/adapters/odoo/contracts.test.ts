// Blanket orders of Odoo's module of purchase agreements.
import type { RecordOf } from '../../../adapters/records.ts'
import type { Agreement } from '../../../sandbox/odoo/behaviour.ts'
import type { SandboxOdoo } from '../../../sandbox/odoo/index.ts'
import { adapter, connectionTo, startCompany } from './support.ts'

async function read(odoo: SandboxOdoo) {
  const stream = adapter.streams(connectionTo(odoo)).find(({ record }) => record === 'drafts')!
  const [records, notes]: [RecordOf<'drafts'>[], string[]] = [[], []]
  for await (const page of stream.read(null, new AbortController().signal)) {
    expect(page.quarantined).toEqual([])
    records.push(...(page.records as typeof records))
    notes.push(...(page.notes ?? []))
  }
  return { contracts: records.filter(({ kind }) => kind === 'contract'), records, notes }
}

const start = async (version = 19) => {
  const { company, odoo } = await startCompany({ size: 60 }, { version })
  company.orders.find(({ status }) => status === 'open')!.status = 'draft'
  const item = company.items.find(({ isActive }) => isActive)!
  const agreement = (id: number, more: Partial<Agreement> = {}): Agreement => ({
    ...{ id, type: 'blanket_order', state: 'confirmed', item, quantity: 10, ordered: 4 },
    ...{ price: 30, from: '2026-01-01', until: '2026-12-31', ...more },
  })
  odoo.set({
    agreements: [
      agreement(1),
      agreement(2, { type: 'purchase_template' }),
      agreement(3, { state: 'draft' }),
      agreement(4, { state: 'done' }),
      agreement(5, { ordered: 10 }),
      agreement(6, { ordered: 0, from: false, until: false }),
    ],
  })
  return { item, odoo }
}

it.each([19, 18])('Odoo %i: reads blanket orders with what was called off', async (version) => {
  const { item, odoo } = await start(version)
  const { contracts, notes } = await read(odoo)
  const common = { kind: 'contract', sku: item.code, location: '', quantity: 120 }
  const price = { supplier: item.supplier.code, unitCost: '2.5000', currency: 'EUR' }
  expect(contracts).toEqual([
    {
      ...{ document: 'BO00001', line: '1', ...common, ordered: 48, ...price },
      ...{ createdOn: '2026-01-01', due: '2026-12-31' },
    },
    {
      ...{ document: 'BO00006', line: '6', ...common, ordered: 0, ...price },
      ...{ createdOn: null, due: null },
    },
  ])
  expect(notes).toEqual([])
})

it('reads requests alone where the module is missing or older', async () => {
  for (const version of [19, 18, 16]) {
    const { odoo } = await start(version)
    if (version > 16) odoo.set({ agreements: null })
    const { contracts, records, notes } = await read(odoo)
    expect([contracts, notes]).toEqual([[], []])
    expect(records.length).toBeGreaterThan(0)
    const checks = await adapter.check(connectionTo(odoo), new AbortController().signal)
    expect(checks.find(({ record }) => record === 'drafts')).toMatchObject({ status: 'ok' })
  }
})

it('says where they may not be read', async () => {
  const { odoo } = await start()
  odoo.set({ forbidden: ['purchase.requisition', 'purchase.requisition.line'] })
  const { contracts, records, notes } = await read(odoo)
  expect(contracts).toEqual([])
  expect(records.length).toBeGreaterThan(0)
  expect(notes).toEqual([expect.stringContaining('purchase.requisition')])
  const checks = await adapter.check(connectionTo(odoo), new AbortController().signal)
  expect(checks.find(({ record }) => record === 'drafts')).toMatchObject({
    ...{ status: 'forbidden', rights: ['Read purchase.requisition'] },
  })
})
