// Stock by lot, with the day on which the lot expires.
import { Fatal } from '../errors.ts'
import type { Exact } from '../rows/decimals.ts'
import { addRecord, addRecords, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, exactOf, mapAbout, numberOf } from '../rows/values.ts'
import type { LotEntryRow } from './entities.ts'
import { ledgerQuery } from './ledger.ts'
import type { System } from './system.ts'
import { dayOrNone } from './values.ts'

const FIELDS = ['itemNo', 'locationCode', 'lotNo', 'expirationDate', 'remainingQuantity']

export const lotQuery = (system: System, signal: AbortSignal) =>
  ledgerQuery(system, FIELDS, "open eq true and lotNo ne ''", signal)

interface Lot {
  sku: string
  location: string
  batch: string
  expiresOn: string
  exact: Exact
}

/**
 * What remains of the open entries of each lot, whole each time: what remains changes without a time.
 * @throws Fatal not_found where the API of this version does not know when lots expire
 */
export async function* readBatches(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'batches'>> {
  const { blank_location: blank } = system.options
  const lots = new Map<string, Lot>()
  let done = 0
  for await (const rows of readLots(system, signal)) {
    done += rows.length
    const page: SnapshotPage<'batches'> = { records: [], quarantined: [], done, total: null }
    for (const row of rows) {
      const place = () => `itemLedgerEntries(${row.entryNo})`
      addRecord(page, row, () => addEntry(row, blank, lots), place)
    }
    yield page
  }
  const last: SnapshotPage<'batches'> = { records: [], quarantined: [], done, total: done }
  addRecords(
    last,
    [...lots.values()],
    ({ exact, ...lot }) =>
      exact > 0n ? { ...lot, quantity: numberOf(exact, 'remainingQuantity') } : null,
    ({ sku, batch }) => `itemLedgerEntries('${sku}','${batch}')`,
  )
  yield last
}

async function* readLots(system: System, signal: AbortSignal): AsyncGenerator<LotEntryRow[]> {
  const query = await lotQuery(system, signal)
  try {
    for await (const { rows } of system.pages<LotEntryRow>(query, null, signal)) yield rows
  } catch (error) {
    // The API of older versions refuses a question that names the day.
    if (!(error instanceof Fatal) || error.code !== 'request_refused') throw error
    const message = `The API of this version does not say when lots expire: ${error.message}`
    throw new Fatal('not_found', message, error.target)
  }
}

/** @returns null, because a record is made of all entries of its lot */
const addEntry = (row: LotEntryRow, blank: string, lots: Map<string, Lot>): null =>
  mapAbout(row.itemNo, row.locationCode || blank, () => {
    const expiresOn = dayOrNone(row.expirationDate, 'expirationDate')
    if (expiresOn === null) return null
    const [sku, batch] = [codeOf(row.itemNo, 'itemNo'), codeOf(row.lotNo, 'lotNo')]
    const location = codeOf(row.locationCode || blank, 'locationCode')
    const key = [sku, location, batch].join('\n')
    const lot = lots.get(key) ?? { sku, location, batch, expiresOn, exact: 0n }
    // Entries of one lot that expire on different days: the first of the days is the safe one.
    if (expiresOn < lot.expiresOn) lot.expiresOn = expiresOn
    lot.exact += exactOf(row.remainingQuantity, 'remainingQuantity')
    lots.set(key, lot)
    return null
  })
