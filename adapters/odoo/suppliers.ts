import { readPages } from '../rpc/rows.ts'
import { watchedStream } from '../rpc/unchanged.ts'
import { addRecord } from '../rows/quarantine.ts'
import type { SnapshotPage } from '../rows/snapshot.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import type { SupplierInfoRow } from './entities.ts'
import type { System } from './system.ts'
import { partnerOf, SUPPLIER_INFOS, vendorFields } from './terms.ts'

/** The partners that have a vendor price list. */
export const supplierStream = (system: System) =>
  watchedStream(
    'suppliers',
    system.client,
    [{ model: SUPPLIER_INFOS, changed: ['write_date'] }],
    (signal) => readSuppliers(system, signal),
  )

async function* readSuppliers(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'suppliers'>> {
  const fields = (await vendorFields(system, signal)).filter((field) =>
    /^(partner_id|name)$/.test(field),
  )
  const query = { model: SUPPLIER_INFOS, domain: [], fields }
  const seen = new Set<number>()
  let done = 0
  for await (const { rows } of readPages<SupplierInfoRow>(system.client, query, signal)) {
    done += rows.length
    const page: SnapshotPage<'suppliers'> = { records: [], quarantined: [], done, total: null }
    const codes = await system.partners(rows.map(partnerOf), signal)
    for (const row of rows) {
      const partner = partnerOf(row)
      if (partner === null || seen.has(partner)) continue
      seen.add(partner)
      const link = row.partner_id || row.name
      addRecord(
        page,
        row,
        () => ({
          supplier: codeOf(codes.get(partner), 'ref'),
          name: link ? nameOf(link[1]) : null,
        }),
        () => `res.partner(${partner})`,
      )
    }
    yield page
  }
}
