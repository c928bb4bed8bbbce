// The database answers Decimal and Int64 as strings; here they become numbers.

/** A stored number, null where there is none. */
export const toNumber = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)

/** A stored decimal as the API shows it, with a fixed number of places; null where there is none. */
export const toDecimal = (value: unknown, places: number): string | null =>
  value === null || value === undefined ? null : Number(value).toFixed(places)
