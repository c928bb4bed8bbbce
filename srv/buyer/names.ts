// Names of SKUs, locations and suppliers, and how old a source's data are: looked up by key for the rows of one answer.
import { type AnyEntity, Locations, Skus, Sources, Suppliers } from '../store/entities.ts'

type Row = Partial<Record<Lookup['key'] | 'source' | 'dataAsOf', unknown>>

interface Lookup {
  entity: AnyEntity
  /** The key element, named alike in proposals and master data. */
  key: 'sku' | 'location' | 'supplier'
  /** Columns of the master data by the element of the proposal that shows them. */
  columns: Record<string, string>
}

const NAME_LOOKUPS: Lookup[] = [
  {
    entity: Skus,
    key: 'sku',
    columns: { skuName: 'name', unit: 'unit', skuGroup: 'skuGroup' },
  },
  { entity: Locations, key: 'location', columns: { locationName: 'name' } },
  { entity: Suppliers, key: 'supplier', columns: { supplierName: 'name' } },
]

/** @param requested the elements that the query selects; undefined for all */
export async function addNames(rows: Row[], requested: Set<string> | undefined) {
  // The text of a SKU contains its name.
  const isRequested = (name: string) =>
    !requested || requested.has(name) || (name === 'skuName' && requested.has('skuText'))
  for (const lookup of NAME_LOOKUPS) {
    if (Object.keys(lookup.columns).some(isRequested)) {
      await addNamesFrom(lookup, rows, isRequested)
    }
  }
}

/** Up to which day the data of a row's source reach. */
export async function addDataAsOf(rows: Row[], requested: Set<string> | undefined) {
  if (!rows.length || (requested && !requested.has('dataAsOf'))) return
  const sources = await SELECT.from(Sources)
    .columns('ID', 'dataAsOf')
    .where({ ID: { in: sourcesOf(rows) } })
  const dayOf = new Map(sources.map(({ ID, dataAsOf }) => [ID, dataAsOf]))
  for (const row of rows) row.dataAsOf = dayOf.get(Number(row.source)) ?? null
}

async function addNamesFrom(
  { entity, key, columns }: Lookup,
  rows: Row[],
  isRequested: (name: string) => boolean,
) {
  const named = rows.filter((row) => row[key] !== undefined && row.source !== undefined)
  const keys = [...new Set(named.map((row) => row[key]))].filter((value) => value !== null)
  const found = keys.length
    ? await SELECT.from(entity)
        .columns('source_ID', key, ...new Set(Object.values(columns)))
        .where({ source_ID: { in: sourcesOf(named) }, [key]: { in: keys } })
    : []
  const keyOf = (source: unknown, value: unknown) => `${source} ${value}`
  const masterByKey = new Map(found.map((row) => [keyOf(row.source_ID, row[key]), row]))
  for (const row of named) {
    const master = masterByKey.get(keyOf(row.source, row[key]))
    for (const [name, column] of Object.entries(columns)) {
      if (isRequested(name)) Object.assign(row, { [name]: master?.[column] ?? null })
    }
  }
}

const sourcesOf = (rows: Row[]) => [...new Set(rows.map(({ source }) => Number(source)))]
