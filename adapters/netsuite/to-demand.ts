// Hot path of all documents: it makes nothing beside the record.
import type { RecordOf } from '../records.ts'
import { dayOf, demandDayOf, mapAbout, numberOf } from '../rows/values.ts'
import { movedOf } from './values.ts'
import type { PairCodes } from './account-facts.ts'
import type { MovementRow } from './queries.ts'

/**
 * The demand of a line that changes stock: what leaves, and what comes back as negative. Null for what is none:
 * goods sent back to a vendor, received from one or from another location, picked and not shipped yet.
 */
export function toDemand(
  row: MovementRow,
  codes: PairCodes,
  countsTransfers: boolean,
): RecordOf<'demand'> | null {
  if (!isDemand(row, countsTransfers)) return null
  const pair = codes(row)
  return mapAbout(pair.sku, pair.location, () => {
    const moved = movedOf(row.quantity, 'quantity')
    if (moved === 0n || !isOfSign(row.type, moved)) return null
    return {
      ...pair,
      date: demandDayOf(dayOf(row.day, 'trandate'), 'trandate'),
      quantity: numberOf(-moved, 'quantity'),
      price: null,
      promo: null,
      document: documentKey(row.document, row.line),
    }
  })
}

export const documentKey = (document: string | number, line: string | number) =>
  `${document}/${line}`

function isDemand({ type, status, source, voided }: MovementRow, countsTransfers: boolean) {
  if (voided === 'T') return false
  if (type === 'ItemRcpt') return source === 'RtnAuth'
  if (type !== 'ItemShip') return true
  if (source === 'VendAuth' || (source === 'TrnfrOrd' && !countsTransfers)) return false
  // A picked, B packed, C shipped; a version of NetSuite without a status says nothing of it.
  return !status || status.endsWith('C')
}

/** Of a build, and of a completion with backflush, the components, not what was built; of one undone what came back. */
function isOfSign(type: string | undefined, moved: bigint): boolean {
  if (type === 'Build' || type === 'WOCompl') return moved < 0n
  return type !== 'Unbuild' || moved > 0n
}
