import { readPages } from '../rpc/rows.ts'
import { watchedStream } from '../rpc/unchanged.ts'
import { addRecord } from '../rows/quarantine.ts'
import type { SnapshotPage } from '../rows/snapshot.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import type { ProductSupplierRow } from './entities.ts'
import type { System } from './system.ts'

const LIST = {
  model: 'purchase.product_supplier',
  changed: ['create_date', 'write_date', 'party.write_date'],
}

/** The parties that supply a product. */
export const supplierStream = (system: System) =>
  watchedStream('suppliers', system.client, [LIST], (signal) => readSuppliers(system, signal))

async function* readSuppliers(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'suppliers'>> {
  const query = { model: LIST.model, domain: [], fields: ['party.code', 'party.name'] }
  const seen = new Set<unknown>()
  let done = 0
  for await (const { rows } of readPages<ProductSupplierRow>(system.client, query, signal)) {
    done += rows.length
    const page: SnapshotPage<'suppliers'> = { records: [], quarantined: [], done, total: null }
    for (const row of rows) {
      const party = row['party.']
      if (seen.has(party?.code)) continue
      seen.add(party?.code)
      addRecord(
        page,
        row,
        () => ({ supplier: codeOf(party?.code, 'party.code'), name: nameOf(party?.name) }),
        ({ id }) => `purchase.product_supplier(${id})`,
      )
    }
    yield page
  }
}
