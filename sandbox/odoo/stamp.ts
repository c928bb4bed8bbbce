/** A time as Odoo gives it: UTC, without a zone. @param at milliseconds since 1970 */
export const stamp = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replace('T', ' ')
