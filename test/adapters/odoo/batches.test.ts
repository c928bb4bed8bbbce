// Lots that expire.
import type { RecordOf } from '../../../adapters/records.ts'
import type { SandboxOdoo } from '../../../sandbox/odoo/index.ts'
import { adapter, connectionTo, startCompany } from './support.ts'

async function readBatches(odoo: SandboxOdoo) {
  const stream = adapter.streams(connectionTo(odoo)).find(({ record }) => record === 'batches')!
  expect(stream).toMatchObject({ isRequired: false, isOptional: true })
  const records: RecordOf<'batches'>[] = []
  for await (const page of stream.read(null, new AbortController().signal)) {
    expect(page.quarantined).toEqual([])
    records.push(...(page.records as typeof records))
  }
  return records
}

it.each([19, 16])('Odoo %i: reads what there is of lots that expire', async (version) => {
  const { company, odoo } = await startCompany({ size: 60 }, { version })
  // On a shelf lie 20.5 of whatever there is more than 50 of; lots of an even number never expire.
  const onShelves = company.pairs.filter(({ onHand }) => onHand > 50)
  const expiring = onShelves
    .map(({ item, location }) => ({ item, location, id: item.id * 100 + location.id }))
    .filter(({ id }) => id % 2)
  expect(expiring.length).toBeGreaterThan(3)
  const records = await readBatches(odoo)
  expect(records).toHaveLength(expiring.length)
  for (const { item, location, id } of expiring)
    expect(records).toContainEqual({
      ...{ sku: item.code, location: location.code, batch: `LOT${id}` },
      ...{ expiresOn: '2031-05-31', quantity: 20.5 },
    })
})

it('says that lots have no date where the module is missing, and what may not be read', async () => {
  const { odoo } = await startCompany({ size: 20 }, { knowsExpiry: false })
  await expect(readBatches(odoo)).rejects.toMatchObject({
    ...{ code: 'not_found', message: expect.stringContaining('expiration date') },
  })
  odoo.set({ knowsExpiry: true, forbidden: ['stock.lot'] })
  await expect(readBatches(odoo)).rejects.toMatchObject({ code: 'forbidden' })
  const checks = await adapter.check(connectionTo(odoo), new AbortController().signal)
  expect(checks.find(({ record }) => record === 'batches')).toMatchObject({
    ...{ status: 'forbidden', rights: ['Read stock.lot'] },
  })
})
