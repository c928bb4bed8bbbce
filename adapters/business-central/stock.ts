import type { Exact } from '../rows/decimals.ts'
import { addRecord, type Known, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, exactOf, mapAbout, numberOf } from '../rows/values.ts'
import type { OpenEntryRow, TransferRow } from './entities.ts'
import { ledgerQuery, readTransfers } from './ledger.ts'
import { pagesOfPairs, type Pair, pairKey, readPairs } from './pairs.ts'
import type { System } from './system.ts'

/**
 * On hand is what remains of the open entries: an entry that came is open until all of it has left again, and one
 * that left is open while nothing has come for it. What is on its way between locations is in no stock.
 */
export async function* readStock(
  system: System,
  signal: AbortSignal,
  known: Known,
): AsyncGenerator<SnapshotPage<'stock'>> {
  const { pairs, cursor } = await readPairs(system, known, signal)
  const inTransit = inTransitLocations(await readTransfers(system, signal))
  const sums = new Map<string, Exact>()
  let done = 0
  const { blank_location: blank } = system.options
  const fields = ['itemNo', 'locationCode', 'remainingQuantity']
  const query = await ledgerQuery(system, fields, 'open eq true', signal)
  for await (const { rows } of system.pages<OpenEntryRow>(query, null, signal)) {
    done += rows.length
    const page: SnapshotPage<'stock'> = { records: [], quarantined: [], done, total: null, cursor }
    for (const row of rows) {
      const place = () => `itemLedgerEntries(${row.entryNo})`
      addRecord(page, row, () => addEntry(row, blank, sums, pairs), place)
    }
    yield page
  }
  const places = [...pairs.values()].filter(({ location }) => !inTransit.has(location))
  yield* pagesOfPairs<'stock'>(places, { done, cursor }, ({ records }, { sku, location }) => {
    const onHand = numberOf(sums.get(pairKey(sku, location)) ?? 0n, 'remainingQuantity')
    const least = Math.max(0, onHand)
    records.push({ sku, location, onHand: least, backorders: onHand < 0 ? -onHand : 0 })
  })
}

/** @returns null, because a record is made of all entries of its pair */
function addEntry(
  row: OpenEntryRow,
  blank: string,
  sums: Map<string, Exact>,
  pairs: Map<string, Pair>,
): null {
  const location = row.locationCode || blank
  return mapAbout(row.itemNo, location, () => {
    const sku = codeOf(row.itemNo, 'itemNo')
    const remains = exactOf(row.remainingQuantity, 'remainingQuantity')
    const key = pairKey(sku, location)
    sums.set(key, (sums.get(key) ?? 0n) + remains)
    if (!pairs.has(key)) pairs.set(key, { sku, location })
    return null
  })
}

const inTransitLocations = (transfers: TransferRow[]): ReadonlySet<string> =>
  new Set(transfers.map(({ inTransitLocationCode: code }) => code).filter((code) => code))
