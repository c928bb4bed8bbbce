/** A row of restock.Demand. */
export interface DemandRow {
  series: number
  date: string
  /** Empty where the row is a whole day. */
  document: string
  quantity: number
  price: number | null
  promo: boolean | null
}

/** A day of a series: its rows added up, with whether a promotion ran; null where none of them says. */
export type DemandDay = [series: number, date: string, quantity: number, promo: boolean | null]

/** What each database does in its own way, because speed needs it. Same names in every file. */
export interface NativeDemand {
  /**
   * Upserts rows of unique keys in the present transaction.
   * @param read stamps rows; `whole`: unchanged rows too, because the others will be deleted
   * @returns the series of each row that is new or changed, repeated as often
   */
  upsertDemand(rows: DemandRow[], read: number, whole: boolean): Promise<number[]>
  /** Days of some series, both ends included, in the order of series and day. */
  readDays(series: number[], from: string, to: string): Promise<DemandDay[]>
}
