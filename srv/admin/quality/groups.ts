// Measured quality of a source's forecasts by what the pairs are, and the pairs that cost most.
import type { Request } from '@sap/cds'
import { DEMAND_CLASSES } from '../../../engine/index.ts'
import { settings } from '../../config.ts'
import { codeNames } from '../../texts.ts'
import { Locations, Suppliers } from '../../store/entities.ts'
import { pageOf, type Row } from '../rows.ts'
import { type PairQuality, readPairQuality } from './pairs.ts'
import { navigationOf, readRequestedSources } from './parts.ts'

const WORST = 20
const [NEUTRAL, NEGATIVE, POSITIVE] = [0, 1, 3]
/** Fewer windows get no criticality. */
const MIN_CASES = 50

interface Part {
  part: string
  codeOf: (pair: PairQuality) => string | null
  /** Codes with an order of their own; others are told by their money. */
  order?: readonly string[]
}

/** By the navigation property that leads to them. */
const PARTS: Record<string, Part> = {
  byGroup: { part: 'group', codeOf: ({ skuGroup }) => skuGroup },
  bySupplier: { part: 'supplier', codeOf: ({ supplier }) => supplier },
  byLocation: { part: 'location', codeOf: ({ location }) => location },
  byPattern: { part: 'pattern', codeOf: ({ demandClass }) => demandClass, order: DEMAND_CLASSES },
  byAbc: { part: 'abc', codeOf: ({ abc }) => abc, order: ['A', 'B', 'C'] },
  byXyz: { part: 'xyz', codeOf: ({ xyz }) => xyz, order: ['X', 'Y', 'Z'] },
}

export async function readQualityGroups(request: Request) {
  const asked = PARTS[navigationOf(request)]
  const rows: Row[] = []
  for (const { ID: source } of await readRequestedSources(request)) {
    const pairs = await readPairQuality(source)
    for (const part of asked ? [asked] : Object.values(PARTS))
      rows.push(...(await groupsOf(source, part, pairs)))
  }
  return pageOf(request, rows)
}

async function groupsOf(source: number, { part, codeOf, order }: Part, pairs: PairQuality[]) {
  const nameOf = await namesOf(source, part)
  const groups = Map.groupBy(pairs, (pair) => codeOf(pair) ?? '')
  const rows: Row[] = [...groups].map(([code, members]) => ({
    ...{ source, part, code, text: nameOf(code) || code, pairs: members.length },
    ...figuresOf(members),
  }))
  const rank = ({ code, money, error }: Row) =>
    order ? order.indexOf(String(code)) : -Number(money ?? 0) || -Number(error) / 1e12
  rows.sort((a, b) => Number(a.code === '') - Number(b.code === '') || rank(a) - rank(b))
  return rows.map((row, position): Row => ({ ...row, position }))
}

async function namesOf(source: number, part: string): Promise<(code: string) => string | null> {
  if (part === 'pattern') return codeNames('DemandClasses')
  const named = new Map<string, string | null>()
  const of = { source_ID: source }
  if (part === 'location')
    for (const { location, name } of await SELECT.from(Locations).where(of))
      named.set(location, name)
  if (part === 'supplier')
    for (const { supplier, name } of await SELECT.from(Suppliers).where(of))
      named.set(supplier, name)
  return (code) => (named.get(code) ? `${named.get(code)} (${code})` : code)
}

function figuresOf(pairs: readonly PairQuality[]): Row {
  const sum = (name: 'cases' | 'p50' | 'demand' | 'error' | 'loss' | 'naiveLoss') =>
    pairs.reduce((total, pair) => total + pair[name], 0)
  const [cases, demand, loss] = [sum('cases'), sum('demand'), sum('loss')]
  const toNaive = percent(loss - sum('naiveLoss'), sum('naiveLoss'))
  const known = pairs.flatMap(({ money }) => money ?? [])
  return {
    ...{ cases, error: Math.round(10 * sum('error')) / 10, toNaive },
    ...{ bias: percent(sum('p50') - demand, demand), weightedLoss: percent(2 * loss, demand) },
    // All in the account's currency, to the cent.
    money: known.length
      ? known.reduce((cents, each) => cents + Math.round(each * 100), 0) / 100
      : null,
    currency: settings().currency,
    toNaiveCriticality:
      toNaive === null || cases < MIN_CASES ? NEUTRAL : toNaive < 0 ? POSITIVE : NEGATIVE,
  }
}

/** Those that were off by the most money; where no costs are known, by the most units. */
export async function readWorstPairs(request: Request) {
  const rows: Row[] = []
  const className = await codeNames('DemandClasses')
  for (const { ID: source } of await readRequestedSources(request)) {
    const pairs = await readPairQuality(source)
    pairs.sort(
      (a, b) => (b.money ?? -1) - (a.money ?? -1) || b.error - a.error || a.series - b.series,
    )
    rows.push(
      ...pairs.slice(0, WORST).map((pair, at) => ({
        ...worstRow(source, pair, at),
        classText: className(pair.demandClass),
      })),
    )
  }
  return pageOf(request, rows)
}

const worstRow = (source: number, pair: PairQuality, at: number): Row => {
  const { sku, skuName, location, skuGroup, supplier, demandClass, demand, abc, xyz } = pair
  return {
    ...{ source, position: at + 1, sku, skuName, location, skuGroup, supplier, demandClass },
    ...{ demand, abcXyz: abc || xyz ? `${abc ?? '–'}${xyz ?? '–'}` : null },
    ...figuresOf([pair]),
  }
}

/** Rounded to one decimal place. */
const percent = (part: number, whole: number): number | null =>
  whole ? Math.round((1000 * part) / whole) / 10 : null
