import {
  type DayOverride,
  type Days,
  demandDistribution,
  type Distribution,
  type ForecastModel,
  overriddenDistribution,
  overriddenQuantiles,
  type OverrideBook,
  predictQuantiles,
  type Quantiles,
} from '../../../../engine/index.ts'
import { addDays, type DemandForecast } from '../../../../engine/proposal/index.ts'
import { Sources, StreamStates } from '../../../base/database/entities.ts'
import { type LocalDays, readLocalDays } from '../../../base/time/days.ts'
import { dayIn } from '../../../base/time/time-zone.ts'
import { loadOverrides } from '../../forecasts/index.ts'
import { isDemandOld, isTooOld } from '../../../base/database/demand/demand-age.ts'
import { PolicyBook, type PolicySubject } from '../policy/book.ts'
import type { Pair } from '../to-proposal.ts'
import { LeadTimeBook } from './lead-times-book.ts'
import { type PriceBreakBook, readPriceBreaks, SupplierTermsBook } from './supplier-terms.ts'
import {
  type OrdersOfPairs,
  readApprovedElsewhere,
  readCustomerOrders,
  readReceipts,
  readReservations,
  type ReceiptsOfPairs,
} from './supply.ts'

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
  receipts: ReceiptsOfPairs
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

/**
 * A forecast as inventory arithmetic asks for it; each horizon is answered once.
 * @param until days after which there is no demand
 * @param overrides what planners say instead
 */
export function demandOf(
  model: ForecastModel,
  until?: Days,
  overrides: readonly DayOverride[] = [],
): DemandForecast {
  if (!overrides.length)
    return remembered(until, {
      at: (days) => predictQuantiles(model, days),
      distribution: (days) => demandDistribution(model, days),
    })
  return {
    ...remembered(until, {
      at: (days) => overriddenQuantiles(model, overrides, days),
      distribution: (days) => overriddenDistribution(model, overrides, days),
    }),
    statistical: demandOf(model, until),
    overrides,
  }
}

function remembered(until: Days | undefined, demand: Answers): DemandForecast {
  const answers: Quantiles[] = []
  const distributions: Distribution[] = []
  return {
    at: (horizon) => {
      const days = Math.min(horizon, until ?? horizon)
      return (answers[days] ??= demand.at(days))
    },
    distribution: (horizon) => (distributions[horizon] ??= demand.distribution(horizon)),
    ...(until !== undefined && { until }),
  }
}

type Answers = Pick<DemandForecast, 'at' | 'distribution'>

// Demand or stock of a source that is too old to order by.

export interface StaleData {
  record: 'demand' | 'stock'
  /** The day of the newest of it, `YYYY-MM-DD`. */
  since: string
}

/** The older of a source's demand and stock where it is older than allowed; else null. */
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
