import { LRUCache } from 'lru-cache'
import {
  type DayOverride,
  daysUntil,
  type DriverShare,
  ENGINE_VERSION,
  READABLE_ENGINES,
  type ExpectedTotal,
  type ForecastAnswer,
  type ForecastModel,
  overriddenQuantiles,
  parseModel,
  predictUntil,
  type Quantiles,
  type SelectedOverride,
  splitByDriver,
  toEpochDay,
} from '../../../engine/index.ts'
import { afterCommit, inTransaction, runDetached } from '../../base/cap/context.ts'
import { readCounter, takeNumbers } from '../../base/database/counters.ts'
import { Forecasts, PairForecasts, Series } from '../../base/database/entities.ts'
import { selectRows, upsertRows } from '../../base/database/native/bulk.ts'
import { settings } from '../../base/settings/config.ts'
import { groupsOfPairs, hasOverrides, loadOverrides, totalOf } from './overrides.ts'
import type { Pair } from './plans.ts'

export interface FoundForecast extends Pair, ForecastAnswer {
  horizonDays: number
  asOf: string
  generatedAt: string
  /** The drivers that add up to the P50; absent unless asked for. */
  amounts?: DriverShare[]
  /** The forecast adjusted by planners; null if they override no day of the horizon. */
  adjusted: Adjusted | null
  /** `YYYY-MM-DD`: from then on there is no demand; null where that is not before the end of the horizon. */
  phaseOutOn: string | null
}

export type LookupAnswer =
  | { forecast: FoundForecast; error: null }
  | { forecast: null; error: 'forecast_not_found' | 'forecast_not_ready' }

interface Adjusted extends Quantiles {
  overrides: Pick<DayOverride, 'ID' | 'percent' | 'units' | 'reason'>[]
}

interface Held extends StoredForecast {
  overrides: DayOverride[]
}

/**
 * How long an entry is cached. This matters for changes of SKU groups and of the day; changed forecasts and overrides
 * are noticed by the version below.
 */
const CACHE_MS = 30_000
const cache = new LRUCache<string, Held>({ max: 20_000, ttl: CACHE_MS })
const keyOf = ({ sku, location }: Pair) => `${sku.length}:${sku}${location}`

/** The total demand that each override of many pairs is shared out by. */
const totals = new LRUCache<number, ExpectedTotal, SelectedOverride>({
  ...{ max: 1_000, ttl: CACHE_MS, ignoreFetchAbort: true },
  fetchMethod: (_ID, _stale, { context }) => totalOf(context),
})

/** Until this time it is known that there are no overrides. */
let noneUntil = 0

/** The version of the cached forecasts. */
let version: number | undefined
/** How often the caches were cleared: a read that began before is not cached. */
let drops = 0

/** A version that was read within this time is not checked again. */
const CHECK_MS = 2_000
/** A lookup waits for the check only if the version is older than this. */
const UNCHECKED_MS = 4_000
let checkedAt = -Infinity
let isChecking = false

async function check() {
  const began = performance.now()
  const found = await readCounter('forecastVersion')
  if (found !== version) dropForecasts()
  version = found
  checkedAt = began
}

/**
 * Clears the caches if another instance has stored forecasts or overrides. A lookup that must wait checks in its own
 * transaction, since a second connection might not be available.
 */
function assertCurrent(): Promise<void> | undefined {
  const age = performance.now() - checkedAt
  if (age > UNCHECKED_MS) return check()
  if (age < CHECK_MS || isChecking) return undefined
  isChecking = true
  void runDetached('forecasts', check)
    // A lookup that has to wait for the check reports the error.
    .catch(() => {})
    .finally(() => (isChecking = false))
  return undefined
}

function dropForecasts() {
  drops++
  cache.clear()
  totals.clear()
  noneUntil = 0
}

/**
 * Looks up one forecast for each pair, in the order asked.
 * @param horizon days; null means the configured horizon
 * @param withAmounts whether to add the drivers of the P50
 */
export async function lookUpForecasts(
  pairs: readonly Pair[],
  horizon: number | null,
  withAmounts = false,
): Promise<LookupAnswer[]> {
  const horizonDays = horizon ?? settings().defaultHorizonDays
  const checked = assertCurrent()
  if (checked) await checked
  const readAt = drops
  const known = pairs.map((pair) => cache.get(keyOf(pair)))
  const unknown = pairs.filter((_, at) => !known[at])
  const load = unknown.length ? await loadForecasts(unknown) : () => undefined
  const overridesOf = unknown.length ? await overridesOfPairs(unknown) : () => []
  return pairs.map((pair, at) => {
    const held = known[at]
    const stored = held ?? load(pair.sku, pair.location)
    if (stored === undefined) return { forecast: null, error: 'forecast_not_found' }
    if (stored === null) return { forecast: null, error: 'forecast_not_ready' }
    const { asOf, generatedAt, model, phaseOutOn } = stored
    const overrides = held?.overrides ?? overridesOf(pair, model)
    if (!held && readAt === drops) cache.set(keyOf(pair), { ...stored, overrides })
    const endsOn = phaseOutOn === null ? null : toEpochDay(phaseOutOn)
    const days = daysUntil(model, horizonDays, endsOn)
    const forecast = {
      ...pair,
      horizonDays,
      ...predictUntil(model, horizonDays, endsOn),
      ...(withAmounts && { amounts: days ? splitByDriver(model, days) : NO_AMOUNTS }),
      adjusted: days ? adjustedBy(overrides, model, days) : null,
      phaseOutOn: days < horizonDays ? phaseOutOn : null,
      asOf,
      generatedAt,
    }
    return { forecast, error: null }
  })
}

const NO_AMOUNTS: DriverShare[] = [{ code: 'level', amount: 0 }]

async function overridesOfPairs(pairs: readonly Pair[]) {
  if (Date.now() < noneUntil) return () => []
  if (!(await hasOverrides())) {
    noneUntil = Date.now() + CACHE_MS
    return () => []
  }
  const groupOf = await groupsOfPairs(pairs)
  const book = await loadOverrides(
    pairs.map((pair) => ({ ...pair, group: groupOf(pair) })),
    (override) => totals.forceFetch(override.ID, { context: override }),
  )
  if (book.isEmpty) return () => []
  return (pair: Pair, model: ForecastModel) => book.of({ ...pair, group: groupOf(pair) }, model)
}

function adjustedBy(
  overrides: readonly DayOverride[],
  model: ForecastModel,
  horizonDays: number,
): Adjusted | null {
  const within = new Map(overrides.filter(({ from }) => from < horizonDays).map((o) => [o.ID, o]))
  if (!within.size) return null
  return {
    ...overriddenQuantiles(model, overrides, horizonDays),
    overrides: [...within.values()].map(({ ID, percent, units, reason }) => ({
      ...{ ID, percent, units, reason },
    })),
  }
}

/** Without a forecast everything but `sku` and `location` is null. */
interface PairForecast extends Pair {
  ledBy: number | null
  asOf: string
  generatedAt: string
  engineVersion: string
  model: string | null
  phaseOutOn: string | null
}

interface StoredForecast {
  asOf: string
  phaseOutOn: string | null
  generatedAt: string
  model: ForecastModel
}

/** Marks series whose last forecast was made by another version of the engine. @returns their sources */
export async function markOutdatedSeries(): Promise<number[]> {
  const rows = await SELECT.distinct
    .from(PairForecasts)
    .columns('source_ID')
    .where({ engineVersion: { '!=': ENGINE_VERSION } })
  if (!rows.length) return []
  await UPDATE.entity(Series).set({ dirty: true })
    .where`ID in (select series from restock.Forecasts where engineVersion != ${ENGINE_VERSION})`
  return rows.map(({ source_ID }) => source_ID!)
}

/** Deletes the forecasts of pairs that another source leads, once the leading source has a forecast of them. */
export const dropForecastsOfLedPairs = () =>
  inTransaction(async () => {
    const led = SELECT.from(Series)
      .columns('ID')
      .where({ ledBy: { '!=': null } })
    const dropped: unknown = await DELETE.from(Forecasts).where({ series: { in: led } } as never)
    if (dropped) await noteForecastsChanged()
  })

/**
 * Must be called in the transaction that changes forecasts or overrides. After its commit this instance clears its
 * caches, and all others do so within seconds.
 */
export async function noteForecastsChanged() {
  await takeNumbers('forecastVersion')
  afterCommit(dropForecasts)
}

/** Saves new forecasts, takes the mark off their series and asks for new proposals, in the caller's transaction. */
export async function saveForecasts(asOf: string, models: { series: number; model: string }[]) {
  const generatedAt = new Date().toISOString()
  await upsertRows(
    'restock.Forecasts',
    ['series'],
    models.map((entry) => ({ ...entry, asOf, generatedAt, engineVersion: ENGINE_VERSION })),
  )
  await UPDATE.entity(Series)
    .set({ dirty: false, dueForProposal: true })
    .where({ ID: { in: models.map(({ series }) => series) } })
}

/**
 * The forecast of each pair by SKU and location, that of the leading source if several have the pair. It is null for a
 * pair without a forecast; unknown pairs are absent.
 */
async function loadForecasts(pairs: readonly Pair[]) {
  const rows = await selectRows<PairForecast>(
    'restock.PairForecasts',
    SELECT.from(PairForecasts).where({
      sku: { in: [...new Set(pairs.map(({ sku }) => sku))] },
      location: { in: [...new Set(pairs.map(({ location }) => location))] },
    }),
  )
  const found = new Map<string, Map<string, StoredForecast | null>>()
  for (const { sku, location, engineVersion, ...row } of rows.sort(byLead)) {
    const model = engineVersion?.startsWith(READABLE_ENGINES) ? row.model : null
    const bySku = found.get(sku) ?? new Map<string, StoredForecast | null>()
    found.set(sku, bySku)
    if (!model && bySku.has(location)) continue
    const { asOf, generatedAt, phaseOutOn } = row
    bySku.set(location, model ? { asOf, generatedAt, phaseOutOn, model: parseModel(model) } : null)
  }
  return (sku: string, location: string) => found.get(sku)?.get(location)
}

/** Sorts pairs that lead to the end, where they win; before it is settled which one leads, the newest forecast wins. */
const byLead = (a: PairForecast, b: PairForecast) =>
  Number(b.ledBy !== null) - Number(a.ledBy !== null) || (a.asOf ?? '').localeCompare(b.asOf ?? '')
