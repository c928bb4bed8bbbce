import type { PriceBreakOfRule } from '../../price-breaks.ts'
import { PriceBreaks, readAs } from '../../store/entities.ts'
import { isOneOf } from '../pair.ts'
import type { PolicySubject } from '../policy/book.ts'

/** What the ERP says of prices by quantity. */
export interface PriceBreakBook {
  /** Ascending; null where it says nothing. */
  of(pair: PolicySubject): PriceBreakOfRule[] | null
}

interface Row extends PriceBreakOfRule {
  sku: string
  location: string
  supplier: string
}

const NONE: PriceBreakBook = { of: () => null }

/** Reads the prices by quantity of a source, or of the SKUs of some pairs, once for all of them. */
export async function readPriceBreaks(
  source: number,
  pairs?: readonly PolicySubject[],
): Promise<PriceBreakBook> {
  const rows = await readAs<Row>(
    SELECT.from(PriceBreaks)
      .columns('sku', 'location', 'supplier', 'fromQuantity', 'unitCost')
      .where({ source_ID: source, ...(pairs && { sku: isOneOf(pairs, ({ sku }) => sku) }) })
      .orderBy('fromQuantity'),
  )
  if (!rows.length) return NONE
  const bySku = Map.groupBy(rows, ({ sku }) => sku)
  return { of: (pair) => mostSpecific(bySku.get(pair.sku) ?? [], pair) }
}

/** Those of its location before those of all, then those of its supplier. */
function mostSpecific(rows: Row[], { location, supplier }: PolicySubject) {
  const own = rows.filter(
    (row) =>
      (row.location === '' || row.location === location) &&
      (row.supplier === '' || row.supplier === supplier),
  )
  const rank = (row: Row) => (row.location ? 2 : 0) + (row.supplier ? 1 : 0)
  const first = Math.max(...own.map(rank))
  const found = own.filter((row) => rank(row) === first)
  return found.length ? found.map(toBreak) : null
}

const toBreak = ({ fromQuantity, unitCost }: Row): PriceBreakOfRule => ({
  fromQuantity: Number(fromQuantity),
  unitCost: String(unitCost),
})
