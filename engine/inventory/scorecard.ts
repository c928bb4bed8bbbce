import type { Days, Units } from '../types.ts'

/** An order line with a promised day, of which something has come or was due. */
export interface PromisedLine {
  /** `YYYY-MM-DD` that was promised. */
  due: string
  /** `YYYY-MM-DD` on which half of it was there; null: it is not. */
  receivedOn: string | null
  /** Days from the promised day to that one, below 0 where it was early; of what is not there, to today. */
  delay: Days
  /** What stayed of it, and what of that was there by the promised day. */
  received: Units
  inTime: Units
  /** What is still to come. */
  open: Units
}

/** How a supplier has kept its promises; shares are 0..1, null where nothing was due. */
export interface Scorecard {
  /** Order lines that were due, or came early. */
  lines: number
  /** Of them not there yet. */
  outstanding: number
  onTime: number | null
  early: number | null
  late: number | null
  /** All of it was there by the promised day. */
  inFull: number | null
  /** On time and in full. */
  onTimeInFull: number | null
  /** Mean and most of the late ones. */
  daysLate: Days | null
  mostDaysLate: Days | null
}

/** A line is on time if half of it was there on the promised day or before, whatever is sent later; in full if all was. */
export function scorecardOf(lines: readonly PromisedLine[]): Scorecard {
  const late = lines.filter(({ delay }) => delay > 0)
  const isInFull = ({ received, inTime, open }: PromisedLine) =>
    open === 0 && received > 0 && inTime >= received - 1e-6
  const share = (count: number) => (lines.length ? count / lines.length : null)
  const count = (holds: (line: PromisedLine) => boolean) => lines.filter(holds).length
  const lateDays = late.map(({ delay }) => delay)
  return {
    lines: lines.length,
    outstanding: count(({ receivedOn }) => receivedOn === null),
    onTime: share(lines.length - late.length),
    early: share(count(({ delay }) => delay < 0)),
    late: share(late.length),
    inFull: share(count(isInFull)),
    onTimeInFull: share(count((line) => line.delay <= 0 && isInFull(line))),
    daysLate: late.length ? lateDays.reduce((sum, days) => sum + days, 0) / late.length : null,
    mostDaysLate: late.length ? Math.max(...lateDays) : null,
  }
}
