import { Fatal, isUnreadable } from '../errors.ts'
import type { RecordOf } from '../records.ts'
import { addRecords, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import { reads } from './auth.ts'
import type { CompanyRow, PlantRow, ProductPlantRow, SupplierRow } from './entities.ts'
import { COMPANY, PLANT, PRODUCT, SUPPLIER } from './services.ts'
import type { System } from './system.ts'

export const PLANTS = {
  service: PLANT,
  set: 'A_Plant',
  key: ['Plant'],
  select: ['Plant', 'PlantName'],
}

const COMPANIES = {
  service: COMPANY,
  set: 'A_CompanyCode',
  key: ['CompanyCode'],
  select: ['CompanyCode', 'Country'],
}

const PRODUCT_PLANTS = {
  service: PRODUCT,
  set: 'A_ProductPlant',
  key: ['Product', 'Plant'],
  select: ['Product', 'Plant'],
}

/** All plants; where the plant service cannot be read, the plants that have products. */
export async function* readLocations(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'locations'>> {
  try {
    yield* readPlantNames(system, signal)
  } catch (error) {
    if (!(error instanceof Fatal) || error.code !== 'not_found') throw error
    yield* readPlantsOfProducts(system, signal)
  }
}

async function* readPlantNames(system: System, signal: AbortSignal) {
  const select = [...PLANTS.select, ...(reads('countries', system.options) ? ['CompanyCode'] : [])]
  let countries: Awaited<ReturnType<typeof readCountries>> | undefined
  const found = system.pages<PlantRow>({ ...PLANTS, select }, {}, signal)
  yield* pagesOf<'locations', PlantRow>(found, async (page, rows) => {
    if (countries === undefined) countries = await readCountries(system, signal)
    const map = (row: PlantRow) => toLocation(row, countries?.get(row.CompanyCode ?? ''))
    addRecords(page, rows, map, ({ Plant }) => `A_Plant('${Plant}')`)
  })
}

/** The country of each company code, since the plant service has none; null where they may not be read. */
async function readCountries(
  system: System,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string> | null> {
  if (!reads('countries', system.options)) return null
  try {
    const rows = await system.all<CompanyRow>(COMPANIES, signal)
    return new Map(
      rows.flatMap(({ CompanyCode, Country }) =>
        Country && ISO_COUNTRY.test(Country) ? [[CompanyCode, Country]] : [],
      ),
    )
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

/** SAP's keys of countries are those of ISO 3166-1, but for a few of its own, such as XK. */
const ISO_COUNTRY = /^[A-Z]{2}$/

async function* readPlantsOfProducts(system: System, signal: AbortSignal) {
  const plants = new Set<string>()
  for await (const { rows } of system.pages<ProductPlantRow>(PRODUCT_PLANTS, {}, signal)) {
    for (const { Plant } of rows) if (Plant) plants.add(Plant)
  }
  const records = [...plants].map((Plant) => toLocation({ Plant }))
  yield { records, quarantined: [], done: plants.size, total: plants.size }
}

const toLocation = (
  row: Pick<PlantRow, 'Plant'> & Partial<PlantRow>,
  country: string | null = null,
): RecordOf<'locations'> => ({
  location: codeOf(row.Plant, 'Plant'),
  name: nameOf(row.PlantName),
  ...(country && { country }),
})

export const SUPPLIERS = {
  service: SUPPLIER,
  set: 'A_Supplier',
  key: ['Supplier'],
  select: ['Supplier', 'SupplierName'],
}

export const readSuppliers = (system: System, signal: AbortSignal) =>
  pagesOf<'suppliers', SupplierRow>(
    system.pages<SupplierRow>(SUPPLIERS, {}, signal),
    (page, rows) =>
      addRecords(page, rows, toSupplier, ({ Supplier }) => `A_Supplier('${Supplier}')`),
  )

const toSupplier = (row: SupplierRow): RecordOf<'suppliers'> => ({
  supplier: codeOf(row.Supplier, 'Supplier'),
  name: nameOf(row.SupplierName),
})
