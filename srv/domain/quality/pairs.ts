// The quality of the forecasts of single pairs, and the value of their errors.
import { type AbcClass, abcClasses } from '../../../engine/index.ts'
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

/** The coefficients of variation up to which a pair is of class X, or Y; and the windows of 28 days needed. */
const XYZ = { x: 0.5, y: 1, windows: 3 }

const SUMS = ['cases', 'p50', 'demand', 'squares', 'error', 'loss', 'naiveLoss'] as const
const ERP_SUMS = ['cases', 'demand', 'p50', 'quantity', 'error', 'erpError'] as const

type Sums = Record<(typeof SUMS)[number], number>
/** Sums of demand, of both forecasts, and of their absolute errors. */
export type ErpSums = Record<(typeof ERP_SUMS)[number], number>

interface Scored extends Sums {
  kind: string
  series: number
  month: string
  demandClass: string
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

export interface PairQuality extends Sums {
  series: number
  sku: string
  location: string
  skuGroup: string | null
  supplier: string | null
  skuName: string | null
  demandClass: string
  /** The value of the demand, and of the error of the P50, in the account's currency; null if the cost is unknown. */
  value: number | null
  money: number | null
  abc: AbcClass | null
  xyz: string | null
  /** Sums of the periods that the ERP has forecast too; null if there are none. */
  erp: ErpSums | null
}

/** The kind of the scored forecasts, and the months in which their windows ended. */
export interface Period {
  kind: string | null
  from: string | null
  to: string | null
}

/** The quality over the latest year: of forecasts that were really given, or of a replay while there are none. */
export async function readPairQuality(source: number) {
  const of = { source_ID: source }
  const all = await readAs<Scored>(SELECT.from(ForecastSeriesScores).where(of).orderBy('month'))
  const given = all.filter(({ kind }) => kind === 'given')
  const rows = latestYearOf(given.length ? given : all)
  const ofErp = await SELECT.from(ErpForecastScores).where(of).orderBy('month')
  const period: Period = {
    kind: rows[0]?.kind ?? null,
    from: rows[0]?.month ?? null,
    to: rows.at(-1)?.month ?? null,
  }
  return { period, pairs: await pairsOf(source, rows, addUp(latestYearOf(ofErp), ERP_SUMS)) }
}

/** @param rows by month */
function latestYearOf<Row extends { month?: string | null }>(rows: Row[]): Row[] {
  const last = rows.at(-1)?.month ?? ''
  const from = last && `${Number(last.slice(0, 4)) - 1}${last.slice(4)}`
  return rows.filter(({ month }) => month! > from)
}

/** By series. */
function addUp<Name extends string>(
  rows: readonly ({ series?: number | null } & { [Sum in Name]?: number | null })[],
  names: readonly Name[],
): Map<number, Record<Name, number>> {
  const sums = new Map<number, Record<Name, number>>()
  for (const row of rows) {
    const before = sums.get(Number(row.series))
    const added = names.map((name) => [name, Number(row[name]) + (before?.[name] ?? 0)])
    sums.set(Number(row.series), Object.fromEntries(added) as Record<Name, number>)
  }
  return sums
}

async function pairsOf(source: number, rows: readonly Scored[], erp: Map<number, ErpSums>) {
  const sums = addUp(rows, SUMS)
  // A pair has the class of its last month.
  const classOf = new Map(rows.map((row) => [Number(row.series), row.demandClass]))
  const masters = await mastersOf([...sums.keys()])
  const names = await namesOf(source, masters)
  const rates = await readRates()
  const pairs = masters.map(({ ID, unitCost, currency, ...pair }): PairQuality => {
    const series = Number(ID)
    const scored = sums.get(series)!
    const worth = (units: number) => worthOf(units, unitCost, currency, rates)
    return {
      ...pair,
      ...scored,
      series,
      demandClass: classOf.get(series)!,
      skuName: names.get(pair.sku) ?? null,
      value: worth(scored.demand),
      money: worth(scored.error),
      abc: null,
      xyz: xyzOf(scored),
      erp: erp.get(series) ?? null,
    }
  })
  markAbc(pairs)
  return pairs
}

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

function markAbc(pairs: PairQuality[]) {
  const valued = pairs.filter(({ value }) => value !== null)
  valued.sort((a, b) => b.value! - a.value! || a.series - b.series)
  const { abcShareA: a, abcShareB: b } = settings()
  const values = valued.map(({ value }) => value!)
  const codes = abcClasses(values, { a, b })
  valued.forEach((pair, at) => (pair.abc = codes[at]!))
}

function xyzOf({ cases, demand, squares }: Sums) {
  if (cases < XYZ.windows || demand <= 0) return null
  const mean = demand / cases
  const variation = Math.sqrt(Math.max(0, squares / cases - mean ** 2)) / mean
  return variation <= XYZ.x ? 'X' : variation <= XYZ.y ? 'Y' : 'Z'
}
