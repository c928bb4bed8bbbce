import { toDate, toEpochDay } from '../../../../engine/index.ts'
import { byText } from '../../../../engine/series/natural-order.ts'
import { OpenReversals, readAs } from '../entities.ts'
import {
  blockOf,
  type DemandRow,
  type DemandRowList,
  type DocumentDay,
  native,
  sortKey,
} from '../native/index.ts'
import { type DemandColumns, UNKNOWN } from './columns.ts'

type Pending = Pick<Reversal, 'series' | 'document' | 'original' | 'quantity'>

/** Keys in one statement. */
const CHUNK = 5_000
/** An original is seldom older than the newest row of the read by more days. */
const RECENT_DAYS = 60
const FIRST_DAY = '1970-01-01'

/**
 * Gives the reversals of a read the day of their originals. A reversal whose original is not in the
 * same batch is pending: the original was read before, comes later, or is older than the history.
 */
export class Reversals {
  readonly #source: number
  readonly #read: number
  /** Pending reversals of earlier reads, by series. Those of this read find their originals at its end. */
  readonly #earlier: Map<number, Pending[]>
  /** The newest day of the read so far. */
  #newest = FIRST_DAY

  private constructor(source: number, read: number, pending: Pending[]) {
    this.#source = source
    this.#read = read
    this.#earlier = Map.groupBy(pending, ({ series }) => series)
  }

  static async load(source: number, read: number): Promise<Reversals> {
    return new Reversals(source, read, await loadPending(source, { seenIn: { '!=': read } }))
  }

  /**
   * Dates the reversals of a batch, and earlier ones whose original it contains, in the batch's transaction.
   * @returns the reversals that can be stored
   */
  async dateReversals(batch: DemandBatch): Promise<DemandRow[]> {
    if (batch.newest > this.#newest) this.#newest = batch.newest
    const earlier = dated(...originalsOf(this.#earlier, batch))
    await this.#forget(earlier)
    const reversals = batch.reversals()
    const [, dayOf] = originalsOf(
      Map.groupBy(reversals, ({ series }) => series),
      batch,
    )
    const resolved: DemandRow[] = []
    const pending: Pending[] = []
    for (const reversal of reversals) {
      const { original, ...row } = reversal
      const date = dayOf(reversal)
      if (date) resolved.push({ ...row, date })
      else pending.push({ ...pick(row), original })
    }
    await this.#storePending(pending)
    return earlier.concat(resolved)
  }

  /**
   * At the end of a read, in parts: dates pending reversals of rows that an earlier read has stored.
   */
  async *dateStored(): AsyncGenerator<DemandRow[]> {
    let resolved: DemandRow[] = []
    const mine = await loadPending(this.#source, { seenIn: this.#read })
    for (const [block, pending] of Map.groupBy(mine, ({ series }) => blockOf(series))) {
      const dayOf = await this.#storedDays(block, pending)
      resolved.push(...dated(pending, ({ series, original }) => dayOf(series, original)))
      if (resolved.length < CHUNK) continue
      await this.#forget(resolved)
      yield resolved
      resolved = []
    }
    await this.#forget(resolved)
    yield resolved
  }

  /** Searches recent days first, because a block contains years. */
  async #storedDays(block: number, pending: Pending[]) {
    const find = async (these: Pending[], from: string) => {
      const originals = [...new Set(these.map(({ original }) => original))]
      return daysOf(these.length ? await native().findDocuments(block, originals, from) : [])
    }
    const recent = await find(pending, daysBefore(this.#newest, RECENT_DAYS))
    const others = pending.filter(({ series, original }) => !recent(series, original))
    const older = await find(others, FIRST_DAY)
    return (series: number, document: string) => recent(series, document) ?? older(series, document)
  }

  /** The series of reversals whose originals are unknown. */
  async seriesOfPending(): Promise<Set<number>> {
    return new Set((await loadPending(this.#source)).map(({ series }) => series))
  }

  async #storePending(pending: Pending[]) {
    if (!pending.length) return
    const stamp = { source_ID: this.#source, seenIn: this.#read }
    const entries = pending.map((row) => ({ ...row, ...stamp }))
    await UPSERT.into(OpenReversals).entries(entries)
  }

  async #forget(resolved: DemandRow[]) {
    const documents = resolved.map(({ document }) => document)
    for (let at = 0; at < documents.length; at += CHUNK) {
      const chunk = { in: documents.slice(at, at + CHUNK) }
      await DELETE.from(OpenReversals).where({ source_ID: this.#source, document: chunk })
    }
  }
}

const pick = ({
  series,
  document,
  quantity,
}: Pick<DemandRow, 'series' | 'document' | 'quantity'>) => ({ series, document, quantity })

async function loadPending(source: number, seen?: { seenIn: unknown }): Promise<Pending[]> {
  const rows = await readAs<Pending>(
    SELECT.from(OpenReversals)
      .columns('series', 'document', 'original', 'quantity')
      .where({ source_ID: source, ...seen }),
  )
  return rows.map((row) => ({ ...row, quantity: Number(row.quantity) }))
}

/** The reversals whose originals a batch contains, by series, and the day of each original. */
function originalsOf<Row extends Pending>(reversals: Map<number, Row[]>, batch: DemandBatch) {
  const days = new Map<Row, string>()
  for (let at = 0; reversals.size && at < batch.length; at++) {
    const mine = reversals.get(batch.series[at]!)
    if (!mine || batch.isReversal(at)) continue
    const document = batch.document(at)
    for (const row of mine) if (row.original === document) days.set(row, batch.date(at))
  }
  return [[...days.keys()], (row: Row) => days.get(row)] as const
}

const daysBefore = (date: string, days: number) => toDate(toEpochDay(date) - days)

function daysOf(rows: DocumentDay[]) {
  const days = new Map(rows.map(({ series, document, date }) => [`${series} ${document}`, date]))
  return (series: number, document: string) => days.get(`${series} ${document}`)
}

const dated = (
  pending: readonly Pending[],
  dayOf: (row: Pending) => string | undefined,
): DemandRow[] =>
  pending.flatMap((row) => {
    const date = dayOf(row)
    return date ? [{ ...pick(row), date, price: null, promo: null }] : []
  })

/** A row that reverses another one; it counts on the day of its original. */
interface Reversal extends DemandRow {
  original: string
}

/** Columns of demand with the numbers of their series; rows are made when they are asked for. */
export class DemandBatch {
  readonly #columns: DemandColumns
  readonly series: Int32Array
  readonly #reversals: Set<number>

  /** @param numbers the series of each pair of the read */
  constructor(columns: DemandColumns, numbers: readonly number[]) {
    this.#columns = columns
    this.#reversals = new Set(columns.reversals.map(([at]) => at))
    this.series = new Int32Array(columns.length)
    for (let at = 0; at < columns.length; at++) this.series[at] = numbers[columns.pairs[at]!]!
  }

  get length(): number {
    return this.#columns.length
  }

  date(at: number): string {
    return this.#columns.days[this.#columns.dates[at]!]!
  }

  document(at: number): string {
    const { documents, documentEnds } = this.#columns
    return documents.slice(at ? documentEnds[at - 1] : 0, documentEnds[at])
  }

  /** Whether a row is a whole day. */
  #isWhole(at: number): boolean {
    const { documentEnds } = this.#columns
    return documentEnds[at] === (at ? documentEnds[at - 1] : 0)
  }

  /** Notes the series and days of all rows that are whole days. A reversal has a document. */
  noteWholeDays(seen: SeenDays) {
    const days = this.#columns.days.map(toEpochDay)
    for (let at = 0; at < this.length; at++)
      if (this.#isWhole(at)) seen.add(this.series[at]!, days[this.#columns.dates[at]!]!)
  }

  at(at: number): DemandRow {
    const { quantities, prices, promos } = this.#columns
    const [price, promo] = [prices[at]!, promos[at]!]
    return {
      series: this.series[at]!,
      date: this.date(at),
      document: this.document(at),
      quantity: quantities[at]!,
      price: Number.isNaN(price) ? null : price,
      promo: promo === UNKNOWN ? null : promo === 1,
    }
  }

  /** The latest day of all rows; empty without rows. */
  get newest(): string {
    return this.#columns.days.reduce((newest, day) => (day > newest ? day : newest), '')
  }

  isReversal(at: number): boolean {
    return this.#reversals.has(at)
  }

  reversals(): Reversal[] {
    return this.#columns.reversals.map(([at, original]) => ({ ...this.at(at), original }))
  }

  /** All rows except reversals, in the order of the key; of a repeated key only the last. */
  sorted(): DemandRowList {
    const order = this.#order()
    return { length: order.length, at: (place) => this.at(order[place]!) }
  }

  #order(): Uint32Array {
    const keys = this.#sortKeys()
    const compare = (a: number, b: number) =>
      keys[a]! - keys[b]! || byText(this.document(a), this.document(b))
    const order = this.#places().sort(compare)
    const { length } = order
    return order.filter((at, place) => place + 1 === length || compare(at, order[place + 1]!) !== 0)
  }

  /** The positions of all rows except reversals. */
  #places(): Uint32Array {
    const places = new Uint32Array(this.length - this.#reversals.size)
    for (let at = 0, next = 0; at < this.length; at++) if (!this.isReversal(at)) places[next++] = at
    return places
  }

  #sortKeys(): Float64Array {
    const { days, dates } = this.#columns
    const inOrder = new Map(days.toSorted().map((day, rank) => [day, rank]))
    const ranks = Uint32Array.from(days, (day) => inOrder.get(day)!)
    const keys = new Float64Array(this.length)
    for (let at = 0; at < keys.length; at++) {
      keys[at] = sortKey(this.series[at]!, ranks[dates[at]!]!, days.length)
    }
    return keys
  }
}

/** Sorts a few rows by the key; of a repeated key only the last remains. */
export function sortRows(rows: DemandRow[]): DemandRow[] {
  const compare = (a: DemandRow, b: DemandRow) =>
    blockOf(a.series) - blockOf(b.series) ||
    byText(a.date, b.date) ||
    a.series - b.series ||
    byText(a.document, b.document)
  const ordered = rows.toSorted(compare)
  return ordered.filter((row, at) => at + 1 === ordered.length || compare(row, ordered[at + 1]!))
}

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
