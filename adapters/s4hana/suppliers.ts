import type { SupplierRow } from './entities.ts'
import { SUPPLIER } from './services.ts'
import type { SnapshotPage } from '../rows/snapshot.ts'
import type { System } from './system.ts'
import { addRecords } from '../rows/quarantine.ts'
import { toSupplier } from './to-supplier.ts'

export const SUPPLIERS = {
  service: SUPPLIER,
  set: 'A_Supplier',
  key: ['Supplier'],
  select: ['Supplier', 'SupplierName'],
}

export async function* readSuppliers(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'suppliers'>> {
  let [done, total]: [number, number | null] = [0, null]
  for await (const page of system.pages<SupplierRow>(SUPPLIERS, {}, signal)) {
    done += page.rows.length
    total ??= page.total
    const batch: SnapshotPage<'suppliers'> = { records: [], quarantined: [], done, total }
    addRecords(batch, page.rows, toSupplier, ({ Supplier }) => `A_Supplier('${Supplier}')`)
    yield batch
  }
}
