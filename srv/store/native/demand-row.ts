/** Number of consecutive series whose demand is stored together, by day. */
const SERIES_OF_A_BLOCK = 256

export const blockOf = (series: number): number => Math.floor(series / SERIES_OF_A_BLOCK)

/** The distinct blocks of some series. */
export const blocksOf = (series: Iterable<number>): number[] => [
  ...new Set([...series].map(blockOf)),
]

/**
 * Splits rows in the order of their series numbers into parts of at most a block. A part ends at the end of a block
 * where it has enough rows, so that a block is seldom read twice.
 */
export function* inBlocks<Row extends { ID: number }>(rows: Row[]): Generator<Row[]> {
  let part: Row[] = []
  for (const row of rows) {
    const isNext = part.length > 0 && blockOf(part.at(-1)!.ID) !== blockOf(row.ID)
    if (part.length === SERIES_OF_A_BLOCK || (isNext && part.length >= SERIES_OF_A_BLOCK / 4)) {
      yield part
      part = []
    }
    part.push(row)
  }
  if (part.length) yield part
}

/** A row of restock.DemandRows, whose block follows from its series. */
export interface DemandRow {
  series: number
  date: string
  /** Empty where the row is the demand of a whole day. */
  document: string
  quantity: number
  price: number | null
  promo: boolean | null
}

/** Demand of a day or of a document, and whether a promotion ran; null where that is unknown. */
export type DemandDay = [series: number, date: string, quantity: number, promo: boolean | null]

/** The day of a document's demand for a series. */
export type DocumentDay = Pick<DemandRow, 'series' | 'document' | 'date'>

/** Functions that are implemented for each database, for speed. */
export interface NativeDemand {
  /**
   * Upserts rows of unique keys in the present transaction.
   * @param read number of the read, stored in each row that it writes
   * @param whole writes it to unchanged rows too, because rows without it will be deleted
   * @returns the series of each new or changed row, with repetitions
   */
  upsertDemand(rows: DemandRow[], read: number, whole: boolean): Promise<number[]>
  /** Demand of some series between two days, both inclusive; each series in the order of its days. */
  readDays(series: number[], from: string, to: string): Promise<DemandDay[]>
  /** The days of some documents in a block, not before `from`. */
  findDocuments(block: number, documents: string[], from: string): Promise<DocumentDay[]>
}
