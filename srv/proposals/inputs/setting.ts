import type { OverrideBook } from '../../../engine/index.ts'
import { loadOverrides } from '../../store/overrides/overrides.ts'
import { type LocalDays, readLocalDays } from '../../store/local-days.ts'
import type { Pair } from '../pair.ts'
import { readApprovedElsewhere } from './approved-elsewhere.ts'
import { LeadTimeBook } from '../lead-times/book.ts'
import { PolicyBook, type PolicySubject } from '../policy/book.ts'
import { type OrdersOfPairs, readCustomerOrders, readReservations } from './customer-orders.ts'
import { type Receipts, readReceipts } from './receipts.ts'
import { type PriceBreakBook, readPriceBreaks } from './price-breaks.ts'
import { readStaleData, type StaleData } from './stale-data.ts'
import { SupplierTermsBook } from './supplier-terms.ts'

/** What all pairs of a source have in common while they are calculated. */
export interface Setting {
  /** The day of the calculation, by location. */
  days: LocalDays
  policies: PolicyBook
  priceBreaks: PriceBreakBook
  /** What suppliers ask of a whole order; of some pairs alone nothing. */
  supplierTerms: SupplierTermsBook
  /** A source that names suppliers at all must name one for a pair, else the pair is blocked. */
  supplierRequired: boolean
  receipts: Receipts
  /** Null where demand and stock are new enough to order by. */
  staleData: StaleData | null
  /** What planners say instead of forecasts. */
  overrides: OverrideBook
  customerOrders: OrdersOfPairs
  reservations: OrdersOfPairs
  leadTimes: LeadTimeBook
  /** Units approved for the same pair of another source while that one led it. */
  approvedElsewhere: (pair: Pair) => number
}

/** @param pairs of which alone rules and orders are needed; those of all pairs without them */
export async function readSetting(
  source: number,
  pairs?: readonly PolicySubject[],
): Promise<Setting> {
  const policies = await PolicyBook.read(pairs)
  return {
    days: await readLocalDays(source),
    policies,
    priceBreaks: await readPriceBreaks(source, pairs),
    supplierTerms: pairs
      ? new SupplierTermsBook(new PolicyBook([]))
      : await SupplierTermsBook.read(source, policies),
    supplierRequired: await namesSuppliers(source),
    receipts: await readReceipts(source, pairs),
    staleData: await readStaleData(source),
    overrides: await loadOverrides(pairs?.map((pair) => ({ ...pair, group: pair.skuGroup }))),
    customerOrders: await readCustomerOrders(source, pairs),
    reservations: await readReservations(source, pairs),
    leadTimes: await LeadTimeBook.read(source, pairs),
    approvedElsewhere: await readApprovedElsewhere(source, pairs),
  }
}

async function namesSuppliers(source: number): Promise<boolean> {
  for (const entity of ['restock.Planning', 'restock.Skus']) {
    const where = { source_ID: source, supplier: { '!=': null } }
    if (await SELECT.one.from(entity).columns('sku').where(where)) return true
  }
  return false
}
