// How good the forecasts of single pairs were, and what they were off by in money.
import { settings } from '../../base/settings/config.ts'
import { type Rates, readRates, toMoney } from '../money/index.ts'
import {
  ErpForecastScores,
  ForecastSeriesScores,
  PairPlanning,
  readAs,
  Skus,
} from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import { selectRows } from '../../base/database/native/select.ts'

/** Shares of the value of demand up to which pairs are of class A, and B. */
const ABC = { a: 0.8, b: 0.95 }
/** Standard deviation over mean of the demand of 28 days up to which it is of class X, and Y; and windows to tell by. */
const XYZ = { x: 0.5, y: 1, windows: 3 }

interface Scored {
  kind: string
  series: number
  month: string
  demandClass: string
  cases: number
  p50: number
  demand: number
  squares: number
  error: number
  loss: number
  naiveLoss: number
}

interface Master {
  ID: number
  sku: string
  location: string
  skuGroup: string | null
  supplier: string | null
  unitCost: string | null
  currency: string | null
}

export interface PairQuality extends Omit<Scored, 'kind' | 'month'> {
  sku: string
  location: string
  skuGroup: string | null
  supplier: string | null
  skuName: string | null
  /** Demand, and what the P50 was off by, at the unit cost, in the account's currency; null where that is not known. */
  value: number | null
  money: number | null
  abc: string | null
  xyz: string | null
  /** Of the periods that the ERP forecast too; null where there are none. */
  erp: ErpSums | null
}

/** Demand, what both expected, and how far each was off. */
export interface ErpSums {
  cases: number
  demand: number
  p50: number
  quantity: number
  error: number
  erpError: number
}

/** Which forecasts were scored, in windows that ended in which months. */
export interface Period {
  kind: string | null
  from: string | null
  to: string | null
}

const SUMS = ['cases', 'p50', 'demand', 'squares', 'error', 'loss', 'naiveLoss'] as const

/** What {@link readPairQuality} counts. */
export async function readPeriod(source: number): Promise<Period> {
  const rows = await readAs<{ kind: string; month: string }>(
    SELECT.distinct
      .from(ForecastSeriesScores)
      .columns('kind', 'month')
      .where({ source_ID: source })
      .orderBy('month'),
  )
  const shown = shownOf(rows)
  return {
    kind: shown[0]?.kind ?? null,
    ...{ from: shown[0]?.month ?? null, to: shown.at(-1)?.month ?? null },
  }
}

/** Those of the latest year: by forecasts that were given, by replayed ones while there are no others. */
export async function readPairQuality(source: number): Promise<PairQuality[]> {
  const sums = addUp(
    await readAs<Scored>(SELECT.from(ForecastSeriesScores).where({ source_ID: source })),
  )
  const erp = await readErpSums(source)
  const masters = await mastersOf([...sums.keys()])
  const names = await namesOf(source, masters)
  const rates = await readRates()
  const pairs = masters.map(({ ID, unitCost, currency, ...pair }): PairQuality => {
    const scored = sums.get(Number(ID))!
    const worth = (units: number) => worthOf(units, unitCost, currency, rates)
    return {
      ...pair,
      ...scored,
      skuName: names.get(pair.sku) ?? null,
      ...{ value: worth(scored.demand), money: worth(scored.error) },
      ...{ abc: null, xyz: xyzOf(scored), erp: erp.get(Number(ID)) ?? null },
    }
  })
  markAbc(pairs)
  return pairs
}

function addUp(rows: Scored[]): Map<number, Omit<Scored, 'kind' | 'month'>> {
  const sums = new Map<number, Omit<Scored, 'kind' | 'month'>>()
  // The class of the last month counts.
  for (const { kind: _, month: __, ...row } of shownOf(rows).sort(byMonth)) {
    const series = Number(row.series)
    const before = sums.get(series)
    const added = SUMS.map((name) => [name, Number(row[name]) + (before?.[name] ?? 0)])
    sums.set(series, {
      ...row,
      series,
      ...(Object.fromEntries(added) as Pick<Scored, (typeof SUMS)[number]>),
    })
  }
  return sums
}

/** The latest year, of forecasts that were given, or of replayed ones while there are no others. */
function shownOf<Row extends { kind: string; month: string }>(rows: readonly Row[]): Row[] {
  const given = rows.filter(({ kind }) => kind === 'given')
  const shown = given.length ? given : rows
  const last = shown.reduce((month, row) => (row.month > month ? row.month : month), '')
  const from = last && yearBefore(last)
  return shown.filter(({ month }) => month > from)
}

const yearBefore = (month: string) => `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`

const ERP_SUMS = ['cases', 'demand', 'p50', 'quantity', 'error', 'erpError'] as const

/** By series, of the latest year. */
async function readErpSums(source: number): Promise<Map<number, ErpSums>> {
  const rows = await SELECT.from(ErpForecastScores).where({ source_ID: source }).orderBy('month')
  const from = rows.length ? yearBefore(rows.at(-1)!.month) : ''
  const sums = new Map<number, ErpSums>()
  for (const row of rows) {
    if (row.month <= from) continue
    const before = sums.get(Number(row.series))
    const added = ERP_SUMS.map((name) => [name, Number(row[name]) + (before?.[name] ?? 0)])
    sums.set(Number(row.series), Object.fromEntries(added) as ErpSums)
  }
  return sums
}

const byMonth = (a: Scored, b: Scored) => (a.month < b.month ? -1 : Number(a.month > b.month))

async function mastersOf(series: number[]): Promise<Master[]> {
  const rows: Master[] = []
  for (const chunk of inChunks(series))
    rows.push(
      ...(await selectRows<Master>(
        'restock.PairPlanning',
        SELECT.from(PairPlanning)
          .columns('ID', 'sku', 'location', 'skuGroup', 'supplier', 'unitCost', 'currency')
          .where({ ID: { in: chunk } })
          .orderBy('ID'),
      )),
    )
  return rows
}

async function namesOf(source: number, pairs: readonly Master[]) {
  const names = new Map<string, string | null>()
  for (const chunk of inChunks([...new Set(pairs.map(({ sku }) => sku))])) {
    const where = { source_ID: source, sku: { in: chunk } }
    const rows = await SELECT.from(Skus).columns('sku', 'name').where(where)
    for (const { sku, name } of rows) names.set(sku, name)
  }
  return names
}

function worthOf(units: number, unitCost: string | null, currency: string | null, rates: Rates) {
  if (unitCost === null || currency === null) return null
  const value = (units * Number(unitCost)).toFixed(4)
  const sum = rates.sumIn(settings().currency, [{ value, currency }])
  return 'unknown' in sum ? null : Number(toMoney(sum))
}

/** Pairs by the value of their demand: those that make up 80 % of it are A, 95 % with the next ones, which are B. */
function markAbc(pairs: PairQuality[]) {
  const valued = pairs.filter(({ value }) => value !== null)
  valued.sort((a, b) => b.value! - a.value! || a.series - b.series)
  const total = valued.reduce((sum, { value }) => sum + value!, 0)
  let before = 0
  for (const pair of valued) {
    pair.abc = before < ABC.a * total ? 'A' : before < ABC.b * total ? 'B' : 'C'
    before += pair.value!
  }
}

function xyzOf({ cases, demand, squares }: Pick<Scored, 'cases' | 'demand' | 'squares'>) {
  if (cases < XYZ.windows || demand <= 0) return null
  const mean = demand / cases
  const variation = Math.sqrt(Math.max(0, squares / cases - mean ** 2)) / mean
  return variation <= XYZ.x ? 'X' : variation <= XYZ.y ? 'Y' : 'Z'
}
