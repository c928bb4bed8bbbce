/** What writing a page did, row by row. */
export interface WriteResult {
  upserted: number
  unchanged: number
}
