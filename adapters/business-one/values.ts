// What Business One writes otherwise than others.
import { DAY_MS, daysAgo, dayText } from '../rows/days.ts'
import type { Field } from '../rows/values.ts'
import type { DocumentRow } from './entities.ts'

/** `tYES` or `tNO`; of another version `Y` or `N`. */
export const isYes = (value: Field): boolean => value === 'tYES' || value === 'Y'

/** Neither cancelled nor what cancels another one. */
export const isCounted = ({ CancelStatus: status }: DocumentRow): boolean =>
  !status || status === 'csNo'

/** Documents of which something may still come. */
export const OPEN_DOCUMENTS = "DocumentStatus eq 'bost_Open' and Cancelled eq 'tNO'"

export const isOpen = (value: Field): boolean => value === 'bost_Open' || value === 'O'

/** Changes carry a day and no reliable time, so a read goes back to the day before the last one. */
export const OVERLAP_MS = DAY_MS

/** What was changed on a day or after it, by the server's calendar. */
export const changedSince = (from: number): string => `UpdateDate ge '${dayText(from)}'`

export const sinceHistory = (days: number): string => `DocDate ge '${daysAgo(days)}'`

/** Some companies have signs instead of codes, which say too little to compare prices by. */
export const isIsoCurrency = (value: Field): value is string =>
  typeof value === 'string' && /^[A-Z]{3}$/.test(value)

/** What the number of the partner says of a proposal or a hand-over; null for any other number. */
export const referenceOf = ({ NumAtCard: text }: { NumAtCard?: Field }): string | null =>
  /\b(prop|ho)_\d{1,10}\b/.exec(typeof text === 'string' ? text : '')?.[0] ?? null
