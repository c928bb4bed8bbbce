// What is counted of a replay, in blocks of four weeks, so that figures can be drawn again block by block.
import type { Days, Units } from '../types.ts'

/** Days of a block. */
export const BLOCK_DAYS: Days = 28

/**
 * Days that count; units that were wanted, that found no stock, and on hand at the end of each day, added up; days and begun
 * spells without stock; order lines; orders, of which each line is its share.
 */
export const MEASURES = [
  ...(['days', 'wanted', 'short', 'unitDays'] as const),
  ...(['stockoutDays', 'stockouts', 'lines', 'orders'] as const),
] as const
export type Measure = (typeof MEASURES)[number]
export type Measured = Record<Measure, number>

/** Every measure of every block. */
export class Tally {
  readonly values: Float64Array

  constructor(blocks: number, values: Float64Array = new Float64Array(blocks * MEASURES.length)) {
    this.values = values
  }

  get blocks(): number {
    return this.values.length / MEASURES.length
  }

  add(day: Days, measure: Measure, value: number): void {
    const block = Math.min(this.blocks - 1, Math.floor(day / BLOCK_DAYS))
    this.values[block * MEASURES.length + MEASURES.indexOf(measure)]! += value
  }

  of(block: number, measure: Measure): number {
    return this.values[block * MEASURES.length + MEASURES.indexOf(measure)]!
  }

  total(measure: Measure): number {
    let sum = 0
    for (let block = 0; block < this.blocks; block++) sum += this.of(block, measure)
    return sum
  }
}

/** A rest of less than a week belongs to the block before it. */
export const blocksIn = (days: Days): number => Math.max(1, Math.round(days / BLOCK_DAYS))

/** One day: what was wanted of it, and what it ended with. */
export interface DayEnd {
  wanted: Units
  short: Units
  onHand: Units
}

/** Counts days in their order. */
export class DayCounter {
  readonly tally: Tally
  #isOut = false

  constructor(days: Days) {
    this.tally = new Tally(blocksIn(days))
  }

  count(day: Days, { wanted, short, onHand }: DayEnd): void {
    const { tally } = this
    tally.add(day, 'days', 1)
    tally.add(day, 'wanted', wanted)
    tally.add(day, 'short', short)
    tally.add(day, 'unitDays', onHand)
    const isOut = onHand <= 0
    if (isOut) tally.add(day, 'stockoutDays', 1)
    if (isOut && !this.#isOut) tally.add(day, 'stockouts', 1)
    this.#isOut = isOut
  }
}
