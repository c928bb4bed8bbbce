// Names of what rows refer to: looked up by key for the rows of one answer.
import cds from '@sap/cds'
import { type AnyEntity, Locations, Skus, Suppliers } from '../store/entities.ts'
import type { Row } from './show.ts'

const { SELECT } = cds.ql

interface Lookup {
  entity: AnyEntity
  /** The element that names it, in the proposal and in the master data. */
  key: 'sku' | 'location' | 'supplier'
  /** Its columns by the proposal's elements. */
  columns: Record<string, string>
}

const LOOKUPS: Lookup[] = [
  {
    entity: Skus,
    key: 'sku',
    columns: { skuName: 'name', unit: 'unit', skuGroup: 'skuGroup' },
  },
  { entity: Locations, key: 'location', columns: { locationName: 'name' } },
  { entity: Suppliers, key: 'supplier', columns: { supplierName: 'name' } },
]

/** @param asked the elements that the caller wants; undefined for all */
export async function addNames(rows: Row[], asked: Set<string> | undefined) {
  const wants = (name: string) => asked?.has(name) ?? true
  for (const lookup of LOOKUPS) {
    if (Object.keys(lookup.columns).some(wants)) await addFrom(lookup, rows, wants)
  }
}

async function addFrom(
  { entity, key, columns }: Lookup,
  rows: Row[],
  wants: (name: string) => boolean,
) {
  const named = rows.filter((row) => row[key] !== undefined && row.source !== undefined)
  const keys = [...new Set(named.map((row) => row[key]))].filter((value) => value !== null)
  const found = keys.length
    ? await SELECT.from(entity)
        .columns('source_ID', key, ...new Set(Object.values(columns)))
        .where({ source_ID: { in: sourcesOf(named) }, [key]: { in: keys } })
    : []
  const placeOf = (source: unknown, value: unknown) => `${source} ${value}`
  const byPlace = new Map(found.map((row) => [placeOf(row.source_ID, row[key]), row]))
  for (const row of named) {
    const master = byPlace.get(placeOf(row.source, row[key]))
    for (const [name, column] of Object.entries(columns)) {
      if (wants(name)) Object.assign(row, { [name]: master?.[column] ?? null })
    }
  }
}

const sourcesOf = (rows: Row[]) => [...new Set(rows.map(({ source }) => Number(source)))]
