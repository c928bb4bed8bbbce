import {
  type DayOverride,
  type Days,
  demandDistribution,
  demandPace,
  type Distribution,
  type ForecastModel,
  overriddenDistribution,
  type OverrideBook,
  type Quantiles,
} from '../../../../engine/index.ts'
import { addDays, type DemandForecast, shownQuantiles } from '../../../../engine/proposal/index.ts'
import { Sources, StreamStates } from '../../../base/database/entities.ts'
import { type LocalDays, readLocalDays } from '../../../base/time/days.ts'
import { dayIn } from '../../../base/time/time-zone.ts'
import { loadOverrides } from '../../forecasts/index.ts'
import { isDemandOld, isTooOld } from '../../../base/database/demand/demand-age.ts'
import { PolicyBook, type PolicySubject } from '../policy/planning.ts'
import type { Pair } from '../to-proposal.ts'
import { DraftBook } from './drafts.ts'
import { ClosureBook } from './closures.ts'
import { LeadTimeBook } from './lead-times.ts'
import { readReceipts, type ReceiptsOfPairs } from './promises.ts'
import { type PriceBreakBook, readPriceBreaks, SupplierTermsBook } from './supplier-terms.ts'
import {
  type BatchesOfPairs,
  type OrdersOfPairs,
  readApprovedElsewhere,
  readBatches,
  readCustomerOrders,
  readReservations,
} from './supply.ts'
import { readUnreadOrders, type UnreadOrders } from './erp-orders.ts'

/** The inputs of a calculation that all pairs of a source share. */
export interface SourceInputs {
  /** The day of the calculation, by location. */
  days: LocalDays
  policies: PolicyBook
  priceBreaks: PriceBreakBook
  /** The terms of suppliers for whole orders; empty if only some pairs are calculated. */
  supplierTerms: SupplierTermsBook
  /** Whether the source names suppliers: then a pair without one is blocked. */
  supplierRequired: boolean
  receipts: ReceiptsOfPairs
  unreadOrders: UnreadOrders
  /** Null if demand and stock are new enough to order by. */
  staleData: StaleData | null
  overrides: OverrideBook
  customerOrders: OrdersOfPairs
  reservations: OrdersOfPairs
  batches: BatchesOfPairs
  leadTimes: LeadTimeBook
  closures: ClosureBook
  drafts: DraftBook
  /** Units that were approved for the same pair of another source while that source led it. */
  approvedElsewhere: (pair: Pair) => number
}

/** @param pairs limits rules and orders to those of these pairs; absent for all */
export async function readSourceInputs(
  source: number,
  pairs?: readonly PolicySubject[],
): Promise<SourceInputs> {
  const policies = await PolicyBook.read(pairs)
  const days = await readLocalDays(source)
  return {
    days,
    policies,
    priceBreaks: await readPriceBreaks(source, pairs),
    supplierTerms: pairs
      ? new SupplierTermsBook(new PolicyBook([]))
      : await SupplierTermsBook.read(source, policies),
    supplierRequired: await namesSuppliers(source),
    receipts: await readReceipts(source, pairs),
    unreadOrders: await readUnreadOrders(source, pairs),
    staleData: await readStaleData(source),
    overrides: await loadOverrides(pairs?.map((pair) => ({ ...pair, group: pair.skuGroup }))),
    customerOrders: await readCustomerOrders(source, pairs),
    reservations: await readReservations(source, pairs),
    batches: await readBatches(source, pairs),
    leadTimes: await LeadTimeBook.read(source, pairs),
    closures: await ClosureBook.read(source, days.usual),
    drafts: await DraftBook.read(source, days, pairs),
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

/**
 * The demand of a forecast, with each horizon calculated only once.
 * @param until days from now after which there is no demand
 * @param overrides what planners expect instead
 */
export function demandOf(
  model: ForecastModel,
  until?: Days,
  overrides: readonly DayOverride[] = [],
): DemandForecast {
  if (!overrides.length)
    return {
      ...remembered(until, (days) => demandDistribution(model, days)),
      pace: (days) => demandPace(model, days),
    }
  return {
    ...remembered(until, (days) => overriddenDistribution(model, overrides, days)),
    statistical: demandOf(model, until),
    overrides,
  }
}

const NO_DEMAND: Quantiles = { p10: 0, p50: 0, p90: 0 }

function remembered(
  until: Days | undefined,
  distributionOf: DemandForecast['distribution'],
): DemandForecast {
  const answers: Quantiles[] = []
  const distributions: Distribution[] = []
  const distribution = (horizon: Days) => (distributions[horizon] ??= distributionOf(horizon))
  return {
    at: (horizon) => {
      const days = Math.min(horizon, until ?? horizon)
      if (days < 1) return NO_DEMAND
      return (answers[days] ??= shownQuantiles(distribution(days)))
    },
    distribution,
    ...(until !== undefined && { until }),
  }
}

// Finds demand or stock that is too old to order by.

export interface StaleData {
  record: 'demand' | 'stock'
  /** The day of the newest of it, `YYYY-MM-DD`. */
  since: string
}

/** The older one of a source's demand and stock, if it is too old; otherwise null. */
export async function readStaleData(source: number): Promise<StaleData | null> {
  const found = [await staleDemand(source), await staleStock(source)].filter(
    (each) => each !== null,
  )
  return found.sort((a, b) => (a.since < b.since ? -1 : 1))[0] ?? null
}

async function staleDemand(source: number): Promise<StaleData | null> {
  const row = await SELECT.one.from(Sources).columns('dataAsOf').where({ ID: source })
  const dataAsOf = row?.dataAsOf ?? null
  if (!(await isDemandOld(source, dataAsOf))) return null
  return { record: 'demand', since: addDays(dataAsOf!, -1) }
}

async function staleStock(source: number): Promise<StaleData | null> {
  const row = await SELECT.one
    .from(StreamStates)
    .columns('syncedAt')
    .where({ source_ID: source, record: 'stock' })
  if (!row?.syncedAt) return null
  const { zone, first: today } = await readLocalDays(source)
  const since = dayIn(zone, new Date(row.syncedAt))
  return isTooOld(since, today) ? { record: 'stock', since } : null
}
