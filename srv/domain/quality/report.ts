import { type AbcClass, abcClasses, DEMAND_CLASSES } from '../../../engine/index.ts'
import { inTransaction } from '../../base/cap/context.ts'
import {
  ErpForecastScores,
  ForecastSeriesScores,
  Locations,
  PairPlanning,
  readAs,
  Series,
  Skus,
  Suppliers,
} from '../../base/database/entities.ts'
import { selectRows } from '../../base/database/native/bulk.ts'
import { inChunks } from '../../base/database/rows.ts'
import { settings } from '../../base/settings/config.ts'
import { type Rates, readRates, toMoney } from '../money/index.ts'

/** The quality of the forecasts of some pairs, in percent except for counts, units and money; null if unknown. */
interface PairFigures {
  cases: number
  /** (sum of P50 − demand) / demand, and its standard error. */
  bias: number | null
  biasError: number | null
  /** 2 × pinball loss of P10, P50 and P90 / demand. */
  weightedLoss: number | null
  /** Loss divided by that of the seasonal naive forecast, minus 1, and its standard error. */
  toNaive: number | null
  toNaiveError: number | null
  /** |demand − P50| of each window, added up; and at the unit cost, in the account's currency. */
  error: number
  money: number | null
  /** Periods that the ERP has forecast too. */
  erpCases: number
  /** Of these: the error of P50 divided by the ERP's error, minus 1; its standard error; and the bias of both. */
  toErp: number | null
  toErpError: number | null
  erpBias: number | null
  biasBesideErp: number | null
}

function pairFiguresOf(pairs: readonly PairQuality[]): PairFigures {
  const sum = (of: (pair: PairQuality) => number) =>
    pairs.reduce((total, pair) => total + of(pair), 0)
  const ratio = (part: (pair: PairQuality) => number, whole: (pair: PairQuality) => number) => ({
    value: percent(sum(part), sum(whole)),
    error: standardError(pairs.map((pair) => [part(pair), whole(pair)])),
  })
  const bias = ratio(
    ({ p50, demand }) => p50 - demand,
    ({ demand }) => demand,
  )
  const toNaive = ratio(
    ({ loss, naiveLoss }) => loss - naiveLoss,
    ({ naiveLoss }) => naiveLoss,
  )
  const toErp = ratio(
    ({ erp }) => (erp ? erp.error - erp.erpError : 0),
    ({ erp }) => erp?.erpError ?? 0,
  )
  const erpDemand = sum(({ erp }) => erp?.demand ?? 0)
  const known = pairs.flatMap(({ money }) => money ?? [])
  return {
    cases: sum(({ cases }) => cases),
    bias: bias.value,
    biasError: bias.error,
    weightedLoss: percent(
      2 * sum(({ loss }) => loss),
      sum(({ demand }) => demand),
    ),
    toNaive: toNaive.value,
    toNaiveError: toNaive.error,
    error: Math.round(10 * sum(({ error }) => error)) / 10,
    // All in the account's currency, to the cent.
    money: known.length
      ? known.reduce((cents, each) => cents + Math.round(each * 100), 0) / 100
      : null,
    erpCases: sum(({ erp }) => erp?.cases ?? 0),
    toErp: toErp.value,
    toErpError: toErp.error,
    erpBias: percent(
      sum(({ erp }) => (erp ? erp.quantity - erp.demand : 0)),
      erpDemand,
    ),
    biasBesideErp: percent(
      sum(({ erp }) => (erp ? erp.p50 - erp.demand : 0)),
      erpDemand,
    ),
  }
}

/**
 * The standard error, in percent, of the ratio of two sums over a sample of pairs, by linearisation (Cochran 1977, 2.11). A
 * pair counts once, since its windows depend on each other. Null below two pairs.
 */
function standardError(all: readonly [part: number, whole: number][]): number | null {
  const terms = all.filter(([, whole]) => whole !== 0)
  const whole = terms.reduce((sum, [, each]) => sum + each, 0)
  if (terms.length < 2 || !whole) return null
  const ratio = terms.reduce((sum, [part]) => sum + part, 0) / whole
  const squares = terms.reduce((sum, [part, each]) => sum + (part - ratio * each) ** 2, 0)
  const error = Math.sqrt((terms.length / (terms.length - 1)) * squares) / whole
  return Math.round(1000 * error) / 10
}

/** Rounded to one decimal place. */
const percent = (part: number, whole: number): number | null =>
  whole ? Math.round((1000 * part) / whole) / 10 : null

// A report on a source's forecasts: by properties of the pairs, and the pairs whose errors cost most.

const WORST = 20

interface Part {
  codeOf: (pair: PairQuality) => string | null
  /** The order of codes that have one; others are sorted by value. */
  order?: readonly string[]
}

const PARTS = {
  group: { codeOf: ({ skuGroup }) => skuGroup },
  supplier: { codeOf: ({ supplier }) => supplier },
  location: { codeOf: ({ location }) => location },
  pattern: { codeOf: ({ demandClass }) => demandClass, order: DEMAND_CLASSES },
  abc: { codeOf: ({ abc }) => abc, order: ['A', 'B', 'C'] },
  xyz: { codeOf: ({ xyz }) => xyz, order: ['X', 'Y', 'Z'] },
} as const satisfies Record<string, Part>

type PartName = keyof typeof PARTS
const PART_NAMES = Object.keys(PARTS) as PartName[]

/** A group of pairs with the same code; empty for pairs without one. */
export interface QualityGroup extends PairFigures {
  part: PartName
  code: string
  /** The name of a location or supplier, if it has one. */
  name: string | null
  pairs: number
}

export interface WorstPair
  extends
    PairFigures,
    Pick<
      PairQuality,
      | 'sku'
      | 'skuName'
      | 'location'
      | 'skuGroup'
      | 'supplier'
      | 'demandClass'
      | 'demand'
      | 'abc'
      | 'xyz'
    > {}

export interface QualityReport extends PairFigures, Period {
  source: number
  currency: string
  /** The number of all pairs of the source, and of the scored ones in the sample. */
  series: number
  pairs: number
  groups: QualityGroup[]
  worst: WorstPair[]
}

export const qualityReport = (source: number): Promise<QualityReport> =>
  inTransaction(() => reportOf(source))

async function reportOf(source: number): Promise<QualityReport> {
  const { period, pairs } = await readPairQuality(source)
  const groups: QualityGroup[] = []
  for (const part of PART_NAMES) groups.push(...(await groupsOf(source, part, pairs)))
  const all = await SELECT.one
    .from(Series)
    .columns('count(*) as count')
    .where({ source_ID: source })
  return {
    source,
    ...period,
    currency: settings().currency,
    series: Number((all as { count?: number } | null)?.count ?? 0),
    pairs: pairs.length,
    ...pairFiguresOf(pairs),
    groups,
    worst: worstOf(pairs),
  }
}

async function groupsOf(source: number, part: PartName, pairs: readonly PairQuality[]) {
  const { codeOf, order }: Part = PARTS[part]
  const names = await partNamesOf(source, part)
  const groups = Map.groupBy(pairs, (pair) => codeOf(pair) ?? '')
  const rows = [...groups].map(([code, members]): QualityGroup => {
    const name = names.get(code) ?? null
    return { part, code, name, pairs: members.length, ...pairFiguresOf(members) }
  })
  const rank = ({ code, money, error }: QualityGroup) =>
    order ? order.indexOf(code) : -(money ?? 0) || -error / 1e12
  return rows.sort((a, b) => Number(a.code === '') - Number(b.code === '') || rank(a) - rank(b))
}

async function partNamesOf(source: number, part: PartName): Promise<Map<string, string | null>> {
  const of = { source_ID: source }
  if (part === 'location') {
    const rows = await SELECT.from(Locations).where(of)
    return new Map(rows.map(({ location, name }) => [location, name]))
  }
  const rows = part === 'supplier' ? await SELECT.from(Suppliers).where(of) : []
  return new Map(rows.map(({ supplier, name }) => [supplier, name]))
}

/** The pairs with the costliest errors; if no costs are known, those with the largest in units. */
const worstOf = (pairs: readonly PairQuality[]): WorstPair[] =>
  pairs
    .toSorted(
      (a, b) => (b.money ?? -1) - (a.money ?? -1) || b.error - a.error || a.series - b.series,
    )
    .slice(0, WORST)
    .map((pair) => {
      const { sku, skuName, location, skuGroup, supplier, demandClass, demand, abc, xyz } = pair
      const named = { sku, skuName, location, skuGroup, supplier, demandClass, demand, abc, xyz }
      return { ...named, ...pairFiguresOf([pair]) }
    })

// The quality of the forecasts of single pairs, and the value of their errors.

/** The coefficients of variation up to which a pair is of class X, or Y; and the windows of 28 days needed. */
const XYZ = { x: 0.5, y: 1, windows: 3 }

const SUMS = ['cases', 'p50', 'demand', 'squares', 'error', 'loss', 'naiveLoss'] as const
const ERP_SUMS = ['cases', 'demand', 'p50', 'quantity', 'error', 'erpError'] as const

type Sums = Record<(typeof SUMS)[number], number>
/** Sums of demand, of both forecasts, and of their absolute errors. */
type ErpSums = Record<(typeof ERP_SUMS)[number], number>

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

interface PairQuality extends Sums {
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
interface Period {
  kind: string | null
  from: string | null
  to: string | null
}

/** The quality over the latest year: of forecasts that were really given, or of a replay while there are none. */
async function readPairQuality(source: number) {
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
