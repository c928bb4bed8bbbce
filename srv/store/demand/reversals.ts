import { toDate, toEpochDay } from '../../../engine/index.ts'
import { blockOf, type DemandRow, type DocumentDay, native } from '../native/index.ts'
import type { DemandBatch, Reversal } from './demand-batch.ts'
import { OpenReversals, readAs } from '../entities.ts'

type Pending = Pick<Reversal, 'series' | 'document' | 'original' | 'quantity'>

/** Keys in one statement. */
const CHUNK = 5_000
/** Originals are seldom more days older than the newest row of a read. */
const RECENT_DAYS = 60
const FIRST_DAY = '1970-01-01'

/**
 * Gives the reversals of a read the day of their originals. A reversal whose original is not in the
 * same batch is pending: the original was read before, comes later, or is older than the history.
 */
export class Reversals {
  readonly #source: number
  readonly #read: number
  /** Of earlier reads, by series. Those of this read find their originals at its end. */
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
  async place(batch: DemandBatch): Promise<DemandRow[]> {
    if (batch.newest > this.#newest) this.#newest = batch.newest
    const earlier = dated(...originalsOf(this.#earlier, batch))
    await this.#forget(earlier)
    const reversals = batch.reversals()
    const [, dayOf] = originalsOf(
      Map.groupBy(reversals, ({ series }) => series),
      batch,
    )
    const placed: DemandRow[] = []
    const pending: Pending[] = []
    for (const reversal of reversals) {
      const { original, ...row } = reversal
      const date = dayOf(reversal)
      if (date) placed.push({ ...row, date })
      else pending.push({ ...pick(row), original })
    }
    await this.#storePending(pending)
    return earlier.concat(placed)
  }

  /**
   * At the end of a read, in parts: dates pending reversals of rows that an earlier read has stored.
   */
  async *placeStored(): AsyncGenerator<DemandRow[]> {
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

  async #storePending(pending: Pending[]) {
    if (!pending.length) return
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

async function loadPending(source: number, seen?: { seenIn: unknown }): Promise<Pending[]> {
  const rows = await readAs<Pending>(
    SELECT.from(OpenReversals)
      .columns('series', 'document', 'original', 'quantity')
      .where({ source_ID: source, ...seen }),
  )
  return rows.map((row) => ({ ...row, quantity: Number(row.quantity) }))
}

/** Those of some reversals, by series, whose originals a batch contains; and the day of each one's original. */
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
