/** What writing a page did, row by row. */
export interface Written {
  upserted: number
  unchanged: number
}
