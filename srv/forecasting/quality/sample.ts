import type { DemandHistory } from '../../../engine/index.ts'
import { type HistoryOptions, loadHistories } from '../../store/demand/histories.ts'
import { blockOf } from '../../store/native/index.ts'

/** Series of a source whose forecasts are scored. */
const MOST = 400
/** Blocks that they come from: what lies together is read together. */
const BLOCKS = 50

/**
 * Series that stand for all of a source's: spread over it, and as good as the same when series come or go.
 */
export function sampleOf<Row extends { ID: number }>(series: readonly Row[]): Row[] {
  const blocks = [...Map.groupBy(series, ({ ID }) => blockOf(ID))]
  const chosen = first(BLOCKS, blocks, ([block]) => block)
  const ofEach = Math.ceil(MOST / Math.max(1, chosen.length))
  return chosen.flatMap(([, rows]) => first(ofEach, rows, ({ ID }) => ID)).slice(0, MOST)
}

/** In an order that has nothing to do with the numbers, and that others do not change. */
const first = <T>(count: number, all: readonly T[], numberOf: (one: T) => number): T[] =>
  all.toSorted((a, b) => scattered(numberOf(a)) - scattered(numberOf(b))).slice(0, count)

/** A number of 32 bits for each one, no two the same (Murmur3's last step). */
function scattered(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** As {@link loadHistories} does, block by block: others get their turn between them. */
export async function loadSampled(
  series: readonly number[],
  asOf: string,
  options?: HistoryOptions,
): Promise<Map<number, DemandHistory>> {
  const found = new Map<number, DemandHistory>()
  for (const part of Map.groupBy(series, blockOf).values()) {
    for (const [ID, history] of await loadHistories(part, asOf, options)) found.set(ID, history)
  }
  return found
}
