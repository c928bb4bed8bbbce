import { randomUUID } from 'node:crypto'
import cds from '@sap/cds'
import type { Skipped } from '../../adapters/errors.ts'
import type { RecordKind } from '../../adapters/records.ts'

const { DELETE, INSERT } = cds.ql

/** Keeps the rows that could not be taken over, each with its reason. */
export async function quarantine(
  source: number,
  sync: number,
  record: RecordKind,
  skipped: Skipped[],
) {
  if (!skipped.length) return
  const entries = skipped.map((row) => ({
    ID: randomUUID(),
    source_ID: source,
    sync,
    record,
    ...row,
  }))
  await INSERT.into('restock.QuarantinedRows').entries(entries)
}

/** After a whole read only its own bad rows are left. */
export async function releaseQuarantined(source: number, sync: number, record: RecordKind) {
  await DELETE.from('restock.QuarantinedRows').where({
    source_ID: source,
    record,
    sync: { '!=': sync },
  })
}
