// Which pairs are simulated: all, or of very many those worth most and an even sample of the others.
import type { Predicate } from '../../authority/index.ts'
import { PairPlanning, readAs } from '../../store/entities.ts'
import { within } from '../reports/sums.ts'

/** More are not simulated at a time. */
export const MOST_PAIRS = 12_000
/** Of them those that are worth most, each for itself. */
const CERTAIN = 3_000

export interface Scope {
  supplier?: string
  location?: string
  skuGroup?: string
}

export interface ChosenPair {
  series: number
  source: number
  /** How many pairs it stands for. */
  weight: number
  /** Its place in the sample; null where it stands for itself. */
  place: number | null
}

interface Row {
  ID: number
  source_ID: number
  worth: number | string | null
}

export async function choosePairs(scope: Scope, visible: Predicate | null): Promise<ChosenPair[]> {
  const query = SELECT.from(PairPlanning)
    .columns('ID', 'source_ID', 'unitCost * (1 + onHand) as worth')
    .where({ ...scope, ledBy: null, purchasable: true })
  const rows = await readAs<Row>(within(query, visible) as never)
  const pairs = rows.map(({ ID, source_ID, worth }) => ({
    ...{ series: Number(ID), source: Number(source_ID), worth: Number(worth) },
  }))
  return sample(pairs, MOST_PAIRS)
}

/** Those worth most, and every n-th of the others in the order of their worth: large and small ones as often as there are. */
export function sample(
  pairs: { series: number; source: number; worth: number }[],
  most: number,
): ChosenPair[] {
  const toChosen = ({ series, source }: (typeof pairs)[number], weight = 1) => ({
    ...{ series, source, weight },
  })
  if (pairs.length <= most) return pairs.map((pair) => ({ ...toChosen(pair), place: null }))
  const sorted = pairs.toSorted((a, b) => b.worth - a.worth || a.series - b.series)
  const certain = Math.min(CERTAIN, Math.floor(most / 2))
  const others = sorted.slice(certain)
  const count = most - certain
  const step = others.length / count
  return [
    ...sorted.slice(0, certain).map((pair) => ({ ...toChosen(pair), place: null })),
    ...Array.from({ length: count }, (_, place) => ({
      ...toChosen(others[Math.floor((place + 0.5) * step)]!, step),
      place,
    })),
  ]
}
