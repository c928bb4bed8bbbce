/** Days in one set of bits. */
const SPAN = 1_024
/** Enough spans for every day that a date can name. */
const SPANS_OF_A_SERIES = 4_096

/** The days of series that a read has found, at one bit a day; the number of a day counts from 1970-01-01. */
export class SeenDays {
  readonly #spans = new Map<number, Uint32Array>()
  readonly #counts = new Map<number, number>()

  /** The first of all days; null without any. */
  first: number | null = null

  /** A day that is there already counts once. */
  add(series: number, day: number) {
    const [key, word, bit] = placeOf(series, day)
    let span = this.#spans.get(key)
    if (!span) this.#spans.set(key, (span = new Uint32Array(SPAN / 32)))
    if (span[word]! & bit) return
    span[word]! |= bit
    this.#counts.set(series, this.countOf(series) + 1)
    if (this.first === null || day < this.first) this.first = day
  }

  has(series: number, day: number): boolean {
    const [key, word, bit] = placeOf(series, day)
    return Boolean((this.#spans.get(key)?.[word] ?? 0) & bit)
  }

  countOf(series: number): number {
    return this.#counts.get(series) ?? 0
  }
}

function placeOf(series: number, day: number) {
  const place = day + (SPAN * SPANS_OF_A_SERIES) / 2
  const within = place % SPAN
  const key = series * SPANS_OF_A_SERIES + Math.floor(place / SPAN)
  return [key, within >> 5, 1 << (within & 31)] as const
}
