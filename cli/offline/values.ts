import { type EpochDay, toEpochDay } from '../../engine/index.ts'

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i

/** A finite quantity; NaN for text that is not a decimal number. */
export function quantityOf(text: string): number {
  const trimmed = text.trim()
  const value = NUMBER.test(trimmed) ? Number(trimmed) : NaN
  return Number.isFinite(value) ? value : NaN
}

/** Parses dates and caches the results. @returns NaN for an invalid date */
export function dateReader(): (text: string) => EpochDay {
  const known = new Map<string, EpochDay>()
  return (text) => {
    let day = known.get(text)
    if (day === undefined) known.set(text, (day = readDate(text.trim())))
    return day
  }
}

function readDate(text: string): EpochDay {
  try {
    return toEpochDay(text)
  } catch {
    return NaN
  }
}

const NO_PROMOTION = new Set(['', '0', 'false', 'no', 'n', 'null'])

/** Whether a promotion ran: true for any text except 0, false, no and an empty cell. */
export function promoOf(text: string): boolean {
  const mark = text.trim().toLowerCase()
  return !NO_PROMOTION.has(mark) && Number(mark) !== 0
}
