import type { Days } from '../types.ts'

/** What came of one order line, in days. */
export interface ReceivedLine {
  /** From the order to the receipt; null where the day of the order is not known. */
  leadTime: Days | null
  /** From the promised day to the receipt, below 0 where it was early; null where none was promised. */
  delay: Days | null
}

/** A median and how far values lie around it, in days. */
export interface MeasuredDays {
  median: Days
  /** Standard deviation of the normal distribution with the same P10 and P90. */
  deviation: Days
  /** Values behind it. */
  count: number
}

export interface MeasuredLines {
  leadTime: MeasuredDays | null
  delay: MeasuredDays | null
  /** Of the lines with a promised day, 0..1; null where none has one. */
  shareLate: number | null
  /** Median delay of the late ones. */
  lateDays: Days | null
}

export function measureLines(lines: readonly ReceivedLine[]): MeasuredLines {
  const delays = numbersOf(lines.map(({ delay }) => delay))
  const late = delays.filter((delay) => delay > 0)
  return {
    leadTime: measureDays(numbersOf(lines.map(({ leadTime }) => leadTime))),
    delay: measureDays(delays),
    shareLate: delays.length ? late.length / delays.length : null,
    lateDays: late.length ? quantile(late, 0.5) : null,
  }
}

const numbersOf = (values: (number | null)[]) =>
  values.filter((value) => value !== null).sort((a, b) => a - b)

/** P90 − P10 of a normal distribution, in standard deviations. */
const WIDTH = 2 * 1.2815515655446004

/**
 * Median and (P90 − P10) / 2.563, which a few absurd dates do not move. The median absolute deviation would be 0
 * where more than half of the lines came on their day, however late the others.
 */
function measureDays(sorted: readonly Days[]): MeasuredDays | null {
  if (!sorted.length) return null
  const deviation = (quantile(sorted, 0.9) - quantile(sorted, 0.1)) / WIDTH
  return { median: quantile(sorted, 0.5), deviation, count: sorted.length }
}

/** Linear between the ranks. */
function quantile(sorted: readonly number[], level: number): number {
  const rank = level * (sorted.length - 1)
  const low = sorted[Math.floor(rank)]!
  return low + (rank % 1) * (sorted[Math.ceil(rank)]! - low)
}

/** A receipt of an order line; what is undone or sent back is negative. */
export interface LineReceipt {
  /** `YYYY-MM-DD` */
  receivedOn: string
  quantity: number
}

/**
 * The day on which half of what stayed of an order line was there, so that neither a sample sent ahead nor a rest sent
 * later decides; null where nothing stayed.
 */
export function dayOfReceipt(receipts: readonly LineReceipt[]): string | null {
  const total = receipts.reduce((sum, { quantity }) => sum + quantity, 0)
  if (!(total > 0)) return null
  const inOrder = [...receipts].sort((a, b) => (a.receivedOn < b.receivedOn ? -1 : 1))
  // From the end: what was undone later must not count.
  let after = 0
  for (const { receivedOn, quantity } of inOrder.reverse()) {
    after += quantity
    if (after > total / 2) return receivedOn
  }
  return inOrder.at(-1)!.receivedOn
}
