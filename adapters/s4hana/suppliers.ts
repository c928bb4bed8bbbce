import type { SupplierRow } from './rows.ts'
import { SUPPLIER } from './services.ts'
import type { Chunk } from './snapshot.ts'
import type { System } from './system.ts'
import { take } from './take.ts'
import { toSupplier } from './to-supplier.ts'

export const SUPPLIERS = {
  service: SUPPLIER,
  set: 'A_Supplier',
  key: ['Supplier'],
  select: ['Supplier', 'SupplierName'],
}

export async function* suppliers(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<Chunk<'suppliers'>> {
  let [done, total]: [number, number | null] = [0, null]
  for await (const page of system.pages<SupplierRow>(SUPPLIERS, {}, signal)) {
    done += page.rows.length
    total ??= page.total
    const chunk: Chunk<'suppliers'> = { records: [], skipped: [], done, total }
    for (const row of page.rows) {
      take(
        chunk,
        () => `A_Supplier('${row.Supplier}')`,
        row,
        () => toSupplier(row),
      )
    }
    yield chunk
  }
}
