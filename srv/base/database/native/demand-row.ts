/** Series whose demand lies together, in the order of days. */
const SERIES_OF_A_BLOCK = 256

export const blockOf = (series: number): number => Math.floor(series / SERIES_OF_A_BLOCK)

/** A sort key that grows with block, day and series. @param day its rank among `days` days */
export const sortKey = (series: number, day: number, days: number): number =>
  (blockOf(series) * days + day) * SERIES_OF_A_BLOCK + (series % SERIES_OF_A_BLOCK)

/** The blocks of some series, each once. */
export const blocksOf = (series: Iterable<number>): number[] => [
  ...new Set([...series].map(blockOf)),
]

/**
 * Cuts some series into parts, sorted by number and none larger than a block. A block of which many series are asked for is a
 * part of its own, so that it is read once.
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
  /** Empty if the row is a whole day. */
  document: string
  quantity: number
  price: number | null
  promo: boolean | null
}

/** Rows of unique keys, in the order of the key: an array, or rows that are made when they are asked for. */
export interface DemandRowList {
  readonly length: number
  at(place: number): DemandRow | undefined
}

/** Demand of a day, or a part of it, with whether a promotion ran; null where that is not known. */
export type DemandDay = [series: number, date: string, quantity: number, promo: boolean | null]

/** The day of a document of a series. */
export type DocumentDay = Pick<DemandRow, 'series' | 'document' | 'date'>

/** The operations that each database implements in its own way for speed, under the same names in every file. */
export interface NativeDemand {
  /**
   * Upserts rows in the present transaction.
   * @param read stamps what is new or changed
   * @param stamps which unchanged rows it stamps too, because those without it will be deleted
   * @returns the series of each row that is new or changed, repeated as often
   */
  upsertDemand(
    rows: DemandRowList,
    read: number,
    stamps: (row: DemandRow) => boolean,
  ): Promise<number[]>
  /**
   * Upserts rows of series that this read has found, so that only this read can have stored them before.
   * @returns how many rows are new or changed
   */
  insertDemand(rows: DemandRowList, read: number): Promise<number>
  /** Demand of some series from one day to another, both included; the days of a series in their order. */
  readDays(series: number[], from: string, to: string): Promise<DemandDay[]>
  /** The days of some documents in a block, from a day on. */
  findDocuments(block: number, documents: string[], from: string): Promise<DocumentDay[]>
}
