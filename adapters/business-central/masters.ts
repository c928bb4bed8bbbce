// Items, vendors and locations.
import { addRecords, batchOf, type SnapshotPage } from '../rows/pages.ts'
import type { Stream } from '../adapter.ts'
import { changedStream } from '../odata/changed-stream.ts'
import type { KeysetQuery } from '../odata/keyset.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import type { ItemRow, LocationRow, VendorRow } from './entities.ts'
import { ledgerQuery } from './ledger.ts'
import type { System } from './system.ts'
import { toSku } from './to-records.ts'

const OVERLAP_MS = 10 * 60_000

const ITEM_FIELDS = [
  ...[
    'id',
    'number',
    'displayName',
    'type',
    'blocked',
    'itemCategoryCode',
    'baseUnitOfMeasureCode',
  ],
  'unitCost',
]

/** A list of the standard API by number; with `from` only what was changed since. */
async function masterQuery(
  system: System,
  set: string,
  select: string[],
  from: number | null,
  signal: AbortSignal,
): Promise<KeysetQuery> {
  const { standard: service } = await system.services(signal)
  const filter = from === null ? null : `lastModifiedDateTime ge ${new Date(from).toISOString()}`
  return { service, set, key: 'number', keyType: 'text', select, filter }
}

export const itemQuery = (system: System, from: number | null, signal: AbortSignal) =>
  masterQuery(system, 'items', ITEM_FIELDS, from, signal)

export const vendorQuery = (system: System, from: number | null, signal: AbortSignal) =>
  masterQuery(system, 'vendors', ['number', 'displayName'], from, signal)

export const skuStream = (system: System): Stream<'skus'> =>
  changedStream<'skus', ItemRow>(
    'skus',
    {
      reader: system,
      overlap: OVERLAP_MS,
      queries: async (from, signal) => [await itemQuery(system, from, signal)],
      async compose(rows, signal) {
        const currency = await system.currency(signal)
        const place = ({ number }: ItemRow) => `items('${number}')`
        return batchOf<'skus', ItemRow>(rows, (row) => toSku(row, currency), place)
      },
    },
    { isRequired: true, namesSkus: true },
  )

export const supplierStream = (system: System): Stream<'suppliers'> =>
  changedStream<'suppliers', VendorRow>('suppliers', {
    reader: system,
    overlap: OVERLAP_MS,
    queries: async (from, signal) => [await vendorQuery(system, from, signal)],
    compose: (rows) =>
      batchOf<'suppliers', VendorRow>(
        rows,
        ({ number, displayName }) => ({
          supplier: codeOf(number, 'number'),
          name: nameOf(displayName),
        }),
        ({ number }) => `vendors('${number}')`,
      ),
  })

/** All locations, and one for what has none, where there is such stock. */
export async function* readLocations(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'locations'>> {
  const { standard } = await system.services(signal)
  const rows = await system.allByLink<LocationRow>(standard, 'locations', {}, signal)
  const done = rows.length
  const page: SnapshotPage<'locations'> = { records: [], quarantined: [], done, total: done }
  addRecords(
    page,
    rows,
    ({ code, displayName, country }) => ({
      location: codeOf(code, 'code'),
      name: nameOf(displayName),
      country: typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : null,
    }),
    ({ code }) => `locations('${String(code)}')`,
  )
  const query = await ledgerQuery(system, [], "open eq true and locationCode eq ''", signal)
  if (await system.first(query, signal)) {
    page.records.push({ location: system.options.blank_location, name: null, country: null })
  }
  yield page
}
