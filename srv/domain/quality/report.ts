import { DEMAND_CLASSES } from '../../../engine/index.ts'
import { inTransaction } from '../../base/cap/context.ts'
import { Locations, Series, Suppliers } from '../../base/database/entities.ts'
import { settings } from '../../base/settings/config.ts'
import { type PairQuality, type Period, readPairQuality } from './pairs.ts'

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
  const names = await namesOf(source, part)
  const groups = Map.groupBy(pairs, (pair) => codeOf(pair) ?? '')
  const rows = [...groups].map(([code, members]): QualityGroup => {
    const name = names.get(code) ?? null
    return { part, code, name, pairs: members.length, ...pairFiguresOf(members) }
  })
  const rank = ({ code, money, error }: QualityGroup) =>
    order ? order.indexOf(code) : -(money ?? 0) || -error / 1e12
  return rows.sort((a, b) => Number(a.code === '') - Number(b.code === '') || rank(a) - rank(b))
}

async function namesOf(source: number, part: PartName): Promise<Map<string, string | null>> {
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
