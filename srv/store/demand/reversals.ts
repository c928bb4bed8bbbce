import { toDate, toEpochDay } from '../../../engine/index.ts'
import { blockOf, type DemandRow, type DocumentDay, native } from '../native/index.ts'
import { OpenReversals, readAs } from '../entities.ts'

/** A row that reverses another one; it counts on the day of its original. */
export interface Reversal extends DemandRow {
  original: string
}

type Pending = Pick<Reversal, 'series' | 'document' | 'original' | 'quantity'>

/** Keys in one statement. */
const CHUNK = 5_000
/** Originals are seldom more days older than the newest row of a read. */
const RECENT_DAYS = 60
const FIRST_DAY = '1970-01-01'

/**
 * Gives the reversals of a read the day of their originals. A reversal whose original is not on the
 * same page is pending: the original was read before, comes later, or is older than the history.
 */
export class Reversals {
  readonly #source: number
  readonly #read: number
  /** Pending reversals by the document of their original. */
  readonly #pending: Map<string, Pending[]>
  /** The newest day of the read so far. */
  #newest = FIRST_DAY

  private constructor(source: number, read: number, pending: Pending[]) {
    this.#source = source
    this.#read = read
    this.#pending = Map.groupBy(pending, ({ original }) => original)
  }

  static async load(source: number, read: number): Promise<Reversals> {
    return new Reversals(source, read, await loadPending(source))
  }

  /**
   * Dates the reversals of a page, in the page's transaction.
   * @param rows the other rows of the page
   * @returns the reversals that can be stored
   */
  async place(reversals: Reversal[], rows: DemandRow[]): Promise<DemandRow[]> {
    for (const some of [rows, reversals]) {
      for (const { date } of some) if (date > this.#newest) this.#newest = date
    }
    const placed = await this.#takePending(rows)
    if (!reversals.length) return placed
    const wanted = new Set(reversals.map(({ original }) => original))
    const originals = rows.filter(({ document }) => wanted.has(document))
    const dayOf = daysOf(originals)
    const pending: Pending[] = []
    for (const { original, ...row } of reversals) {
      const date = dayOf(row.series, original)
      if (date) placed.push({ ...row, date })
      else pending.push({ ...pick(row), original })
    }
    await this.#storePending(pending)
    return placed
  }

  /**
   * At the end of a read, in parts: dates pending reversals of rows that an earlier read has stored.
   */
  async *placeStored(): AsyncGenerator<DemandRow[]> {
    this.#pending.clear()
    let placed: DemandRow[] = []
    const mine = await loadPending(this.#source, { seenIn: this.#read })
    for (const [block, pending] of Map.groupBy(mine, ({ series }) => blockOf(series))) {
      const dayOf = await this.#storedDays(block, pending)
      placed.push(...dated(pending, ({ series, original }) => dayOf(series, original)))
      if (placed.length < CHUNK) continue
      await this.#forget(placed)
      yield placed
      placed = []
    }
    await this.#forget(placed)
    yield placed
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

  async #takePending(rows: DemandRow[]): Promise<DemandRow[]> {
    if (!this.#pending.size) return []
    const placed: DemandRow[] = []
    for (const { series, document, date } of rows) {
      const pending = this.#pending.get(document)
      if (!pending) continue
      const mine = pending.filter((each) => each.series === series)
      placed.push(...dated(mine, () => date))
    }
    await this.#forget(placed)
    return placed
  }

  async #storePending(pending: Pending[]) {
    if (!pending.length) return
    for (const row of pending) {
      const others = this.#pending.get(row.original)
      if (others) others.push(row)
      else this.#pending.set(row.original, [row])
    }
    const stamp = { source_ID: this.#source, seenIn: this.#read }
    const entries = pending.map((row) => ({ ...row, ...stamp }))
    await UPSERT.into(OpenReversals).entries(entries)
  }

  async #forget(placed: DemandRow[]) {
    const documents = placed.map(({ document }) => document)
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

async function loadPending(source: number, seen?: { seenIn: number }): Promise<Pending[]> {
  const rows = await readAs<Pending>(
    SELECT.from(OpenReversals)
      .columns('series', 'document', 'original', 'quantity')
      .where({ source_ID: source, ...seen }),
  )
  return rows.map((row) => ({ ...row, quantity: Number(row.quantity) }))
}

const daysBefore = (date: string, days: number) => toDate(toEpochDay(date) - days)

function daysOf(rows: DocumentDay[]) {
  const days = new Map(rows.map(({ series, document, date }) => [`${series} ${document}`, date]))
  return (series: number, document: string) => days.get(`${series} ${document}`)
}

const dated = (pending: Pending[], dayOf: (row: Pending) => string | undefined): DemandRow[] =>
  pending.flatMap((row) => {
    const date = dayOf(row)
    return date ? [{ ...pick(row), date, price: null, promo: null }] : []
  })
