// How good a source's forecasts were, by what the pairs are, and the pairs that cost most.
import { DEMAND_CLASSES } from '../../../engine/index.ts'
import { settings } from '../../config.ts'
import { Locations, Series, Suppliers } from '../../store/entities.ts'
import { type PairFigures, pairFiguresOf } from './pair-figures.ts'
import { type PairQuality, type Period, readPairQuality, readPeriod } from './pairs.ts'

const WORST = 20

interface Part {
  codeOf: (pair: PairQuality) => string | null
  /** Codes with an order of their own; others are told by their money. */
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

export type PartName = keyof typeof PARTS
const PART_NAMES = Object.keys(PARTS) as PartName[]

/** Pairs that have a code in common; empty for those that have none. */
export interface QualityGroup extends PairFigures {
  part: PartName
  code: string
  /** Of a location and a supplier, where it has one. */
  name: string | null
  pairs: number
}

export interface WorstPair
  extends
    PairFigures,
    Pick<
      PairQuality,
      'sku' | 'skuName' | 'location' | 'skuGroup' | 'supplier' | 'demandClass' | 'demand'
    > {
  abc: string | null
  xyz: string | null
}

export interface QualityReport extends PairFigures, Period {
  source: number
  currency: string
  /** All pairs of the source, and those of the sample that were scored. */
  series: number
  pairs: number
  groups: QualityGroup[]
  worst: WorstPair[]
}

export async function qualityReport(source: number): Promise<QualityReport> {
  const pairs = await readPairQuality(source)
  const groups: QualityGroup[] = []
  for (const part of PART_NAMES) groups.push(...(await groupsOf(source, part, pairs)))
  const all = await SELECT.one
    .from(Series)
    .columns('count(*) as count')
    .where({ source_ID: source })
  return {
    source,
    ...(await readPeriod(source)),
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

/** Those that were off by the most money; where no costs are known, by the most units. */
const worstOf = (pairs: readonly PairQuality[]): WorstPair[] =>
  pairs
    .toSorted(
      (a, b) => (b.money ?? -1) - (a.money ?? -1) || b.error - a.error || a.series - b.series,
    )
    .slice(0, WORST)
    .map((pair) => {
      const { sku, skuName, location, skuGroup, supplier, demandClass, demand, abc, xyz } = pair
      return {
        ...{ sku, skuName, location, skuGroup, supplier, demandClass, demand, abc, xyz },
        ...pairFiguresOf([pair]),
      }
    })
